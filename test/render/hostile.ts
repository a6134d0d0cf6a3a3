/** Texts as a merchant could choose them to act on a terminal, a reader or a spreadsheet. */
export const hostile: readonly string[] = [
  '\x1b[2J\x1b[1;1Hall is well',
  '\x1b]0;title\x07',
  '\x1bP+q544e\x1b\\',
  '\x9b31mred',
  'first\rsecond',
  'back\b\b\bspace',
  'line\nbreak',
  'line\u2028break\u2029',
  'right\u202eto\u2066left\u200f',
  'zero\u200bwidth\ufeff',
  'tag\u{e0041}',
  'fill\u3164ed\u115f\u034f\uffa0',
  'join\u200ded\u200c',
  'varied\ufe0f\u{e0100}',
  'lone\ud800surrogate\udc00',
  'null\0\x7f',
];
