/**
 * A spreadsheet runs a cell that begins like a formula, also after spaces or invisible characters
 * and in the wide forms of East Asian keyboards.
 */
const likeFormula = /^(?:[\s\p{Z}\p{Cf}]*[=+\-@＝＋－＠﹢﹣﹦﹫]|[\t\r\n\0])/u;

/** Makes a text cell inert in a spreadsheet. Not for amounts: -12.34 has to stay a number. */
export function neutralised(text: string): string {
  return likeFormula.test(text) ? `'${text}` : text;
}

/** Digits that a spreadsheet would take for a number: without the zeros, or beyond what it can hold. */
const likeNumber = /^(?:0\d+|\d{16,}|\d+e\d+)$/i;

/** A text of digits as a spreadsheet keeps it: the formula of that text. */
export function keptAsText(text: string): string {
  return likeNumber.test(text) ? `="${text}"` : text;
}
