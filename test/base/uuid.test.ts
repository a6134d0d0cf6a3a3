import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isUuid, readUuid, uuidWords, writeUuid } from '../../src/base/uuid.ts';
import { anyText } from '../render/any-text.ts';

const form = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
const nil = '00000000-0000-0000-0000-000000000000';

test('a UUID that is read and written is the same UUID', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.nat(9), (uuid, at) => {
      const words = new Int32Array(at + uuidWords);
      expect(readUuid(uuid, words, at)).toBe(uuid !== nil);
      if (uuid !== nil) expect(writeUuid(words, at)).toBe(uuid);
    }),
  );
});

test('isUuid is true for a UUID only', () => {
  const almost = fc
    .tuple(fc.uuid(), fc.nat(36), anyText({ maxLength: 2 }))
    .map(([uuid, at, other]) => uuid.slice(0, at) + other + uuid.slice(at + 1));
  fc.assert(
    fc.property(fc.oneof(almost, fc.string(), fc.uuid()), (text) => {
      expect(isUuid(text)).toBe(form.test(text) && text !== nil);
    }),
    { numRuns: 3_000 },
  );
});
