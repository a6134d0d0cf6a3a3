import { describe, expect, it } from 'vitest';
import { inert } from '../../src/render/inert.ts';

describe('inert text', () => {
  it.each([
    ['a filler that looks like nothing', 'settled\u3164', 'settled\\u3164'],
    ['the other fillers', 'a\u034f\u115f\u1160\uffa0', 'a\\u034f\\u115f\\u1160\\uffa0'],
    ['a joiner between Latin letters', 'set\u200dtl\u200ced', 'set\\u200dtl\\u200ced'],
    ['a variation of an ASCII letter', 'a\ufe0f\u{e0100}', 'a\\ufe0f\\udb40\\udd00'],
    ['a message behind an emoji', '😀\ufe0f\ufe01\ufe02', '😀\ufe0f\\ufe01\\ufe02'],
    ['joiners in a row', 'ठ\u200d\u200c\u200d', 'ठ\u200d\\u200c\\u200d'],
  ])('shows %s', (_, text, shown) => {
    expect(inert(text)).toBe(shown);
  });

  it.each([
    ['emoji of several', '👨\u200d👩\u200d👧 🏳\ufe0f\u200d🌈 ❤\ufe0f'],
    ['Persian and Hindi', 'می\u200cخواهم क्\u200dष'],
    ['a variant of a Chinese character', '葛\u{e0100}'],
  ])('leaves %s as they are', (_, text) => {
    expect(inert(text)).toBe(text);
  });
});
