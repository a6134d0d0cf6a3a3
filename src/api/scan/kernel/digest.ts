import { digest } from './layout';

/** Adds a value to the digest, under its number: the order in which values come makes no difference. */
export function take(number: i32, at: i32, length: i32): void {
  // Not 0, which would stay 0.
  let sum = ((i64(number) + 1) << 32) ^ i64(length);
  let left = length;
  for (; left >= 8; left -= 8) {
    sum = mix(sum) ^ load<i64>(at);
    at += 8;
  }
  if (left > 0) sum = mix(sum) ^ (load<i64>(at) & ((i64(1) << (8 * left)) - 1));
  add(mix(mix(sum)));
}

export function add(sum: i64): void {
  store<i64>(digest, load<i64>(digest) + sum);
}

/** One to one, with a constant of MurmurHash3. */
function mix(sum: i64): i64 {
  // biome-ignore lint/correctness/noPrecisionLoss: it has 64 bits here
  const product = sum * 0xff51afd7ed558ccd;
  return product ^ (product >>> 32);
}
