import type { Row } from '../../src/model/row.ts';
import type { Random } from '../support/random.ts';
import { type Account, type AccountSettings, cents, type Draft, sumOf } from './account.ts';
import { shareOf } from './planted.ts';
import { type Exact, type Round, rounded } from './rates.ts';

/** By how much a contract makes the figures of a header differ from the sums of its rows. */
export interface Effect {
  readonly gross: bigint;
  readonly fees: bigint;
  readonly tax: bigint;
  /** Beyond gross - fees - tax. */
  readonly extra: bigint;
}

/** What holds in every settlement of a range, with its sizes drawn. */
export interface Contract {
  /** In words, for `--failures`. */
  readonly says: string;
  readonly effectOn: (draft: Draft) => Effect;
}

/** A kind of contract: what it needs of an account, and how its sizes are drawn. */
export interface Family {
  readonly needs?: Partial<AccountSettings>;
  readonly draw: (random: Random, account: Account) => Contract;
}

const none: Effect = { gross: 0n, fees: 0n, tax: 0n, extra: 0n };
const taxed = { tax: 2000n } as const;
const refunding = { refunds: 8 } as const;

const rounds: readonly Round[] = ['half_up', 'half_up', 'half_up', 'half_even', 'down', 'up'];

/** The kinds of contracts that a service could have. */
export const families: Readonly<Record<string, Family>> = {
  'fee-per-settlement': { draw: constant('fees', [25n, 50n, 99n, 250n, 500n, 1500n]) },
  'withheld-per-pay-out': { draw: constant('extra', [-10n, -25n, -50n, -100n, -350n]) },
  'tax-per-settlement': { draw: constant('tax', [5n, 19n, 21n, 210n]) },
  'gross-per-settlement': { draw: constant('gross', [-100n, -37n, 42n, 1000n]) },
  'fee-per-row': { draw: perRow(() => ['every row', () => true]) },
  'fee-per-row-of-a-type': {
    needs: refunding,
    draw: perRow((random) => {
      const type = random.pick(['purchase', 'refund']);
      return [`row of type ${type}`, (row) => row.type === type];
    }),
  },
  'fee-per-row-of-a-state': {
    needs: { declined: 6 },
    draw: perRow((random) => {
      const state = random.pick(['approved', 'declined']);
      return [`row in state ${state}`, (row) => row.state === state];
    }),
  },
  'fee-per-row-of-a-payment-type': {
    draw: perRow((random) => {
      const type = random.pick(['card', 'wallet', 'bank_transfer']);
      return [`row of payment type ${type}`, (row) => row.paymentType === type];
    }),
  },
  'fee-per-charge': {
    needs: refunding,
    draw: (random, { scale }) => {
      const fee = cents(random.pick([5n, 10n, 25n]), scale);
      const charges = ({ rows }: Draft) => BigInt(new Set(rows.map((row) => row.chargeId)).size);
      return {
        says: `fees: ${fee} for each charge`,
        effectOn: (draft) => ({ ...none, fees: fee * charges(draft) }),
      };
    },
  },
  'fee-of-gross': {
    draw: share('fees', ({ gross }) => gross, [10n, 25n, 50n, 100n]),
  },
  'reserve-of-gross': {
    draw: share('extra', ({ gross }) => gross, [-200n, -500n, -1000n]),
  },
  'reserve-of-net': {
    draw: share('extra', ({ gross, fees, tax }) => gross - fees - tax, [-200n, -500n, -1000n]),
  },
  'tax-of-fees': {
    // The rows have no tax: it stands in the header alone.
    needs: { tax: 0n },
    draw: share('tax', ({ fees }) => fees, [700n, 1900n, 2100n, 2200n, 2500n]),
  },
  'fee-of-a-type': {
    needs: refunding,
    draw: (random) => {
      const type = random.pick(['purchase', 'refund']);
      const rate = random.pick([20n, 50n, 100n]) * (type === 'refund' ? -1n : 1n);
      const round = random.pick(rounds);
      const sumOfType = ({ rows }: Draft) => sumOf(rows.filter((row) => row.type === type)).gross;
      return {
        says: `fees: ${rate}/10000 of the gross of type ${type}, rounded ${round}`,
        effectOn: (draft) => ({ ...none, fees: rounded(shareOf(sumOfType(draft), rate), round) }),
      };
    },
  },
  'another-rate-of-a-payment-type': {
    draw: (random) => {
      const type = random.pick(['card', 'wallet', 'bank_transfer']);
      const rate = random.pick([-30n, 20n, 45n, 100n]);
      const sumOfType = ({ rows }: Draft) =>
        sumOf(rows.filter((row) => row.paymentType === type)).gross;
      return {
        says: `fees: ${rate}/10000 of the gross of payment type ${type}, rounded half up`,
        effectOn: (draft) => ({
          ...none,
          fees: rounded(shareOf(sumOfType(draft), rate), 'half_up'),
        }),
      };
    },
  },
  'rebate-of-fees': { draw: share('fees', ({ fees }) => fees, [-500n, -1000n, -2000n]) },
  'gross-without-refunds': {
    needs: refunding,
    draw: () => ({
      says: 'gross without refunds, the pay-in with them',
      effectOn: ({ rows }) => {
        const { gross } = sumOf(rows.filter(({ type }) => type === 'refund'));
        return { ...none, gross: -gross, extra: gross };
      },
    }),
  },
  'rows-net-of-fees': {
    needs: taxed,
    draw: () => ({
      says: 'gross is the amounts of the rows with their fees and tax',
      effectOn: ({ rows }) => {
        const { fees, tax } = sumOf(rows);
        return { ...none, gross: fees + tax };
      },
    }),
  },
  'gross-net-of-fees': {
    needs: taxed,
    draw: () => ({
      says: 'gross is what is left of the rows without their fees and tax; the pay-in is right',
      effectOn: ({ rows }) => {
        const { fees, tax } = sumOf(rows);
        return { ...none, gross: -(fees + tax), extra: fees + tax };
      },
    }),
  },
  'tax-inside-fees': {
    needs: taxed,
    draw: () => ({
      says: 'the tax is part of the fees too',
      effectOn: ({ rows }) => {
        const { tax } = sumOf(rows);
        return { ...none, fees: tax, extra: tax };
      },
    }),
  },
  'pay-in-in-steps': {
    draw: (random, { scale }) => {
      const step =
        scale === 0
          ? random.pick([5n, 10n, 100n])
          : cents(random.pick([5n, 10n, 50n, 100n]), scale);
      return {
        says: `pay-in rounded to ${step}, half up`,
        effectOn: ({ header }) => {
          const payIn = header.gross - header.fees - header.tax;
          const even = rounded({ over: payIn, under: step }, 'half_up') * step;
          return { ...none, extra: even - payIn };
        },
      };
    },
  },
  'fees-of-refunds-given-back': {
    needs: { refunds: 10, refundFees: 'none', ...taxed },
    draw: () => ({
      says: 'fees and tax of purchases that were refunded are given back',
      effectOn: (draft) => givenBack(draft, () => ({ over: 1n, under: 1n })),
    }),
  },
  'fees-of-refunds-given-back-in-part': {
    needs: { refunds: 10, refundFees: 'none', ...taxed },
    draw: () => ({
      says: 'fees and tax are given back by the part that was refunded, rounded half up',
      effectOn: (draft) =>
        givenBack(draft, (purchase, refund) => ({ over: -refund.amount, under: purchase.amount })),
    }),
  },
};

function constant(figure: keyof Effect, sizes: readonly bigint[]): Family['draw'] {
  return (random, { scale }) => {
    const size = cents(random.pick(sizes), scale);
    return {
      says: `${figure}: ${size} in each settlement`,
      effectOn: () => ({ ...none, [figure]: size }),
    };
  };
}

function perRow(
  rowsOf: (random: Random) => readonly [string, (row: Row) => boolean],
): Family['draw'] {
  return (random, { scale }) => {
    const fee = cents(random.pick([1n, 3n, 5n, 10n, 25n, 30n]), scale);
    const [words, isMeant] = rowsOf(random);
    return {
      says: `fees: ${fee} for each ${words}`,
      effectOn: ({ rows }) => ({ ...none, fees: fee * BigInt(rows.filter(isMeant).length) }),
    };
  };
}

function share(
  figure: keyof Effect,
  baseOf: (sums: ReturnType<typeof sumOf>) => bigint,
  sizes: readonly bigint[],
): Family['draw'] {
  return (random) => {
    const rate = random.pick(sizes);
    const round = random.pick(rounds);
    return {
      says: `${figure}: ${rate}/10000 of a sum, rounded ${round}`,
      // What is kept of a pay-in is a share of the header, the rest of the rows.
      effectOn: ({ header, rows }) => ({
        ...none,
        [figure]: rounded(shareOf(baseOf(figure === 'extra' ? header : sumOf(rows)), rate), round),
      }),
    };
  };
}

/** What purchases of refunded charges gave, and how much of it is given back for each refund. */
function givenBack({ rows }: Draft, partOf: (purchase: Row, refund: Row) => Exact): Effect {
  let fees = 0n;
  let tax = 0n;
  for (const refund of rows.filter(({ type }) => type === 'refund')) {
    const purchase = rows.find(
      ({ chargeId, type }) => chargeId === refund.chargeId && type === 'purchase',
    );
    if (!purchase) continue;
    const { over, under } = partOf(purchase, refund);
    fees -= rounded({ over: purchase.fees * over, under }, 'half_up');
    tax -= rounded({ over: purchase.tax * over, under }, 'half_up');
  }
  return { ...none, fees, tax };
}

/** Gives a header what the contract says. */
export function settleBy({ effectOn }: Contract, draft: Draft): void {
  const { gross, fees, tax, extra } = effectOn(draft);
  draft.header.gross += gross;
  draft.header.fees += fees;
  draft.header.tax += tax;
  draft.header.extra += extra;
}
