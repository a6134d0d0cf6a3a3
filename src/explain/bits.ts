/** To the hundredth, so sums of the same parts are equal. */
export function toHundredths(bits: number): number {
  return Math.round(bits * 100) / 100;
}

/** The bits of a whole number that nothing else shows: the smaller, the fewer. */
export function bitsOf(number: bigint | number): number {
  return toHundredths(Math.log2(2 * Math.abs(Number(number)) + 1) + 1);
}

/** The bits of a round number: its digits, and the number of zeros after them. */
export function bitsOfRound(number: bigint): number {
  let [digits, zeros] = [number, 0];
  while (digits !== 0n && digits % 10n === 0n) [digits, zeros] = [digits / 10n, zeros + 1];
  return toHundredths(bitsOf(digits) + Math.log2(zeros + 1) + 1);
}

/** The bits of a choice of some out of so many: log2 of the number of such sets. */
export function bitsOfChoice(some: number, of: number): number {
  let bits = 0;
  for (let n = 0; n < some; n++) bits += Math.log2(Math.max(of - n, 1) / (some - n));
  return toHundredths(Math.max(bits, 0));
}

/** The bits of the statement that it is one of these; `counts`: how many have so many bits. */
export function bitsOfAny(counts: Iterable<readonly [bits: number, count: number]>): number {
  const inOrder = [...counts].filter(([, count]) => count > 0).sort(([a], [b]) => a - b);
  const [[least] = [Infinity]] = inOrder;
  if (least === Infinity) return Infinity;
  const sum = inOrder.reduce((total, [bits, count]) => total + count * 2 ** (least - bits), 0);
  return toHundredths(least - Math.log2(sum));
}

/** How unlikely it is that so many roundings, each off by up to half a unit, add up to this. */
export function bitsOfDeviation(difference: bigint, roundings: number): number {
  const variance = Math.max(roundings, 1) / 12;
  const spread = Math.log2(2 * Math.PI * variance) / 2;
  return toHundredths(
    Math.max(0, spread) + (Number(difference) ** 2 / (2 * variance)) * Math.LOG2E,
  );
}
