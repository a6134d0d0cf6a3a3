/** The word that `text` means, whatever its case and `-` or `_`; else `text`. */
export function wordMeant(words: readonly string[], text: string): string {
  const form = (word: string) => word.toLowerCase().replaceAll('_', '-');
  return words.find((word) => form(word) === form(text)) ?? text;
}

/** The nearest known name as a question, or all of them. */
export function suggestion(name: string, known: readonly string[]): string {
  return didYouMean(name, known) ?? `Known: ${known.join(', ') || 'none'}.`;
}

/** The nearest known name as a question, if one is near. */
export function didYouMean(name: string, known: readonly string[]): string | undefined {
  const [nearest] = known
    .map((candidate) => ({ candidate, edits: editsBetween(name, candidate) }))
    .filter(({ candidate, edits }) => edits <= Math.max(2, candidate.length / 3))
    .sort((one, other) => one.edits - other.edits);
  return nearest && `Did you mean ${nearest.candidate}?`;
}

/** The Levenshtein distance. */
function editsBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [above, letter] of [...from].entries()) {
    let left = above + 1;
    const next = [left];
    for (let index = 1; index <= to.length; index += 1) {
      const replaced = (row[index - 1] ?? 0) + (letter === to[index - 1] ? 0 : 1);
      left = Math.min(replaced, left + 1, (row[index] ?? 0) + 1);
      next.push(left);
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
