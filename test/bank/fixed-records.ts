/** A record of so many characters, from texts at their places. */
export function recordOf(width: number, fields: Readonly<Record<number, string>>): string {
  const characters = Array.from({ length: width }, () => ' ');
  for (const [place, text] of Object.entries(fields)) {
    characters.splice(Number(place), text.length, ...text);
  }
  return characters.join('');
}

/** Minor units as digits of a fixed width, without their sign. */
export const digitsOf = (minor: number, width: number) =>
  String(Math.abs(minor)).padStart(width, '0');

/** Lines with the line ends of Windows. */
export const linesOf = (...lines: readonly string[]) => lines.map((line) => `${line}\r\n`).join('');
