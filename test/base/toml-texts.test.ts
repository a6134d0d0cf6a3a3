import fc from 'fast-check';
import { parse } from 'smol-toml';
import { expect, test } from 'vitest';
import { toml } from '../../src/base/texts.ts';
import { anyText } from '../render/any-text.ts';
import { hostile } from '../render/hostile.ts';

test('a text in TOML is on one line, harmless, and read back as it was', () => {
  fc.assert(
    fc.property(fc.oneof(anyText(), fc.constantFrom(...hostile)), (text) => {
      const written = toml([text, 'other']);
      expect(written).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      expect(parse(`list = ${written}`)['list']).toEqual([Buffer.from(text).toString(), 'other']);
    }),
  );
});
