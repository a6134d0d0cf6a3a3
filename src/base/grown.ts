/** A longer array that begins with the same numbers, and has 0 behind them. */
export function grown<Numbers extends Int32Array | Float64Array>(
  numbers: Numbers,
  length: number,
): Numbers {
  const kind = numbers.constructor as new (length: number) => Numbers;
  const longer = new kind(length);
  longer.set(numbers);
  return longer;
}
