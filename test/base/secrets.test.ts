import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Secret, Secrets } from '../../src/base/secrets.ts';

describe('secrets in the words of others', () => {
  test('are removed wherever they are, the longer one first', () => {
    const secrets = new Secrets(['abc', 'abcdef']);
    expect(secrets.redact('abc, abcdef, abc')).toBe('[redacted], [redacted], [redacted]');
  });

  test.each([
    ['as they are', (secret: string) => secret],
    ['in JSON', (secret: string) => JSON.stringify({ secret })],
    [
      'in JSON with every slash escaped',
      (one: string) => JSON.stringify(one).replaceAll('/', '\\/'),
    ],
    ['in a URL', (secret: string) => `?s=${encodeURIComponent(secret)}`],
    [
      'in a URL with small digits',
      (one: string) => encodeURIComponent(one).replace(/%../g, (byte) => byte.toLowerCase()),
    ],
    ['in a form', (secret: string) => new URLSearchParams({ secret }).toString()],
  ])('are removed %s', (_, written) => {
    const secret = 'a"b/c d+e\u00e9';
    const text = new Secrets([secret]).redact(written(secret));
    expect(text).toContain('[redacted]');
    expect(text).not.toMatch(/[bcde]"|b.*c/);
  });

  test('are removed before a text is cut, wherever the cut would be', () => {
    fc.assert(
      fc.property(fc.nat(600), fc.integer({ min: 0, max: 600 }), (before, longest) => {
        const text = `${'-'.repeat(before)}top-secret${'-'.repeat(600)}`;
        const quoted = new Secrets(['top-secret']).quote(text, longest);
        expect(quoted).not.toMatch(/top|op-|secret/);
        expect(quoted.length).toBeLessThanOrEqual(longest + 1);
      }),
    );
  });

  test('are not removed if there are none, or if one is empty', () => {
    expect(new Secrets().redact('text')).toBe('text');
    expect(new Secrets(['']).redact('text')).toBe('text');
  });
});

describe('a secret', () => {
  const secret = new Secret('hunter2');

  test('shows its value only if asked to', () => {
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
