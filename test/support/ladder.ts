import { expect } from 'vitest';
import { openOrderStates } from '../../src/match/orders/order-match.ts';

interface Line {
  readonly code: string;
  readonly state: string | null;
  readonly isTotal: boolean;
  readonly count: number | null;
  readonly amount: { readonly minor: string };
}

interface Point {
  readonly code: string;
  readonly count: number;
  readonly amounts: readonly {
    readonly currency: string;
    readonly net: { readonly minor: string };
  }[];
}

interface State {
  readonly state: string;
  readonly of: string;
  readonly count: number;
  readonly due: { readonly minor: string };
  readonly settled: { readonly minor: string };
}

/** The lines from what was sold to the gross, of `recon close` or of `recon orders` over a range, without those of 0. */
export function salesIn({ ladders }: { readonly ladders: readonly WrittenLadder[] }) {
  const own = ladders.map(({ currency, lines }) => {
    const end = lines.findIndex(({ code }) => code === 'gross');
    const told = lines.slice(0, end + 1).map(({ code, state, count, amount: { minor } }) => {
      return { code, state, count: code === 'gross' ? 0 : count, minor };
    });
    return [currency, told.filter(({ minor }) => minor !== '0')] as const;
  });
  return Object.fromEntries(own.filter(([, lines]) => lines.length > 0));
}

/** How many orders and rows of each state need a decision, and their sums, by `recon close`. */
export function pointsOf({ blockers }: { readonly blockers: readonly Point[] }) {
  return byState(
    blockers.flatMap(({ code, count, amounts }) => {
      const sums = amounts.map(({ currency, net }) => [currency, BigInt(net.minor)] as const);
      return code.startsWith('order_') ? [{ state: code.slice('order_'.length), count, sums }] : [];
    }),
  );
}

/** The same, by `recon orders`. */
export function undecidedIn({
  ladders,
}: {
  readonly ladders: readonly { readonly currency: string; readonly states: readonly State[] }[];
}) {
  return byState(
    ladders.flatMap(({ currency, states }) =>
      states
        .filter(({ state, of }) => of === 'orders' && openOrderStates.some((one) => one === state))
        .map(({ state, count, due, settled }) => {
          return {
            state,
            count,
            sums: [[currency, BigInt(settled.minor) - BigInt(due.minor)] as const],
          };
        }),
    ),
  );
}

interface Undecided {
  readonly state: string;
  readonly count: number;
  readonly sums: readonly (readonly [currency: string, minor: bigint])[];
}

/** Counts and sums by state; sums of 0 are left out. */
function byState(all: readonly Undecided[]) {
  const found: Record<string, Record<string, bigint>> = {};
  for (const { state, count, sums } of all) {
    const own = found[state] ?? {};
    found[state] = own;
    for (const [name, minor] of [['count', BigInt(count)] as const, ...sums]) {
      own[name] = (own[name] ?? 0n) + minor;
      if (own[name] === 0n) delete own[name];
    }
  }
  return found;
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
