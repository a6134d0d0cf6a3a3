import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { redact, Secret } from '../../src/config/secret.ts';

describe('a secret', () => {
  const secret = new Secret('hunter2');

  test('shows itself only when asked to', () => {
    expect(secret.reveal()).toBe('hunter2');
    for (const shown of [
      `${secret}`,
      String(secret),
      JSON.stringify({ secret }),
      inspect({ secret }, { showHidden: true, depth: null }),
    ]) {
      expect(shown).toContain('[redacted]');
      expect(shown).not.toContain('hunter2');
    }
    expect(Object.values(secret)).toEqual([]);
  });
});

describe('redacting', () => {
  test('takes out every occurrence, the longer secret first', () => {
    const secrets = [new Secret('abc'), new Secret('abcdef')];
    expect(redact('abc, abcdef, abc', secrets)).toBe('[redacted], [redacted], [redacted]');
  });

  test('takes out a secret as it stands in JSON and in a URL', () => {
    const secrets = [new Secret('a"b/c')];
    const text = `${JSON.stringify({ client_secret: 'a"b/c' })} ?s=${encodeURIComponent('a"b/c')}`;
    expect(redact(text, secrets)).toBe('{"client_secret":"[redacted]"} ?s=[redacted]');
  });

  test('leaves a text alone without secrets or with an empty one', () => {
    expect(redact('text', [])).toBe('text');
    expect(redact('text', [new Secret('')])).toBe('text');
  });
});
