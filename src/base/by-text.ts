/** Orders texts by their code units: the same on every machine, whatever its language. */
export function byText(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
