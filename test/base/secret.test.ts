import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { Secret } from '../../src/base/secrets.ts';

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
