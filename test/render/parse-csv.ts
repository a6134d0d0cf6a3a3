/** RFC 4180, read back character by character: independent of what wrote it. */
export function parseCsv(text: string, delimiter: string): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    const [cell, end] = text[at] === '"' ? quoted(text, at) : plain(text, at, delimiter);
    row.push(cell);
    at = end;
    if (text[at] === delimiter) {
      at += 1;
      if (at === text.length) throw new Error('no record delimiter at the end');
      continue;
    }
    if (!text.startsWith('\r\n', at)) throw new Error(`no record delimiter at ${at}`);
    rows.push(row);
    row = [];
    at += 2;
  }
  return rows;
}

function plain(text: string, from: number, delimiter: string): readonly [string, number] {
  let end = from;
  while (end < text.length && text[end] !== delimiter && !/[\r\n]/.test(text.charAt(end))) end += 1;
  return [text.slice(from, end), end];
}

function quoted(text: string, from: number): readonly [string, number] {
  let cell = '';
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] !== '"') cell += text[at];
    else if (text[at + 1] === '"') {
      cell += '"';
      at += 1;
    } else return [cell, at + 1];
  }
  throw new Error('unclosed quote');
}
