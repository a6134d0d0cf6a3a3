import { expect } from 'vitest';

interface Line {
  readonly code: string;
  readonly state: string | null;
  readonly isTotal: boolean;
  readonly count: number | null;
  readonly amount: { readonly minor: string };
}

interface WrittenLadder {
  readonly currency: string;
  readonly lines: readonly Line[];
}

/** The lines of each ladder by currency and code, in minor units; lines of several states added up. */
export type Ladders = Readonly<Record<string, Readonly<Record<string, bigint>>>>;

/** The ladders of `recon close --json`. Fails unless each total is all that stands before it. */
export function laddersOf({ ladders }: { readonly ladders: readonly WrittenLadder[] }): Ladders {
  return Object.fromEntries(
    ladders.map(({ currency, lines }) => {
      let sum: bigint | undefined;
      const figures: Record<string, bigint> = {};
      for (const { code, isTotal, amount } of lines) {
        const minor = BigInt(amount.minor);
        if (isTotal && sum !== undefined)
          expect(`${currency} ${code} ${sum}`).toBe(`${currency} ${code} ${minor}`);
        sum = isTotal ? minor : (sum ?? 0n) + minor;
        figures[code] = (figures[code] ?? 0n) + minor;
      }
      return [currency, figures];
    }),
  );
}
