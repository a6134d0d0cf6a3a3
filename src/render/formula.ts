/**
 * A spreadsheet runs a cell that begins like a formula, also after spaces or invisible characters
 * and in the wide forms of East Asian keyboards.
 */
const likeFormula = /^(?:[\s\p{Z}\p{Cf}]*[=+\-@＝＋－＠﹢﹣﹦﹫]|[\t\r\n\0])/u;

/** Makes a text cell inert in a spreadsheet. Not for amounts: -12.34 has to stay a number. */
export function neutralised(text: string): string {
  return likeFormula.test(text) ? `'${text}` : text;
}
