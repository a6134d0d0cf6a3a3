/** The beginning of a text, and a mark where there is more of it. */
export function cut(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
