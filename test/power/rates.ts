/** What a fee is made of: a share of the amount in hundredths of a percent, and a fixed part. */
export interface Rate {
  readonly share: bigint;
  readonly fixed: bigint;
}

/** A fraction, with a positive denominator. */
export interface Exact {
  readonly over: bigint;
  readonly under: bigint;
}

/** Away from zero is up, as for amounts of both signs. */
export type Round = 'half_up' | 'half_even' | 'up' | 'down';

/** The fee of a payment before it is rounded. */
export function exactFee(amount: bigint, { share, fixed }: Rate): Exact {
  return { over: amount * share + fixed * 10_000n, under: 10_000n };
}

export function rounded({ over, under }: Exact, round: Round): bigint {
  const size = over < 0n ? -over : over;
  const down = size / under;
  const rest = size % under;
  const isUp = {
    up: rest > 0n,
    down: false,
    half_up: rest * 2n >= under,
    half_even: rest * 2n > under || (rest * 2n === under && down % 2n === 1n),
  }[round];
  const result = isUp ? down + 1n : down;
  return over < 0n ? -result : result;
}

export function sumExact(parts: readonly Exact[]): Exact {
  const under = parts[0]?.under ?? 1n;
  return { over: parts.reduce((sum, part) => sum + part.over, 0n), under };
}
