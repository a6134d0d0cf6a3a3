import type { Random } from '../support/random.ts';
import { type Account, cents, drawRow, sumOf } from './account.ts';
import {
  addRows,
  all,
  type Cause,
  chargeAgain,
  ofHeader,
  ofRows,
  type Planted,
  shareOf,
  some,
} from './planted.ts';
import { type Exact, exactFee, type Round, rounded, sumExact } from './rates.ts';

const out = [-1n, -1] as const;
const twice = [1n, 1] as const;
const opposite = [-2n, 0] as const;
const taxed = { tax: 2000n } as const;

/** The causes that docs/explain.md lists, several ways each. */
export const knownCauses: Readonly<Record<string, Cause>> = {
  'wrong-count': {
    part: 'other',
    plant: ofHeader('wrong_count', (header, random) => {
      header.transactions += random.pick([-3, -2, -1, 1, 2, 3, 10]);
    }),
  },
  'row-not-counted': { part: 'other', plant: ofRows('row_not_counted', some(1), out) },
  'two-rows-not-counted': { plant: ofRows('row_not_counted', some(2), out) },
  'row-counted-twice': { part: 'adds', plant: ofRows('row_counted_twice', some(1), twice) },
  'two-rows-counted-twice': { plant: ofRows('row_counted_twice', some(2), twice) },
  'row-sign': { part: 'other', plant: ofRows('row_sign', some(1), opposite) },
  'missing-rows': {
    plant: (account, random) => {
      const { target } = account;
      const settings = { ...account.settings, refunds: 0, chargebacks: 0, declined: 0 };
      const row = drawRow(random, { ...account, settings }, { ...target, at: 0 });
      addRows(target, [row], ...twice);
      return { kind: 'missing_rows' };
    },
  },
  'duplicate-rows': {
    plant: (account, random) => {
      const planted = ofRows('duplicate_rows', some(1, 2, 3), twice)(account, random);
      account.target.repeated.push(...(planted?.rows ?? []));
      return planted;
    },
  },
  'state-left-out': {
    part: 'leaves',
    needs: { declined: 8 },
    plant: ofRows('state_left_out', all('state', 'declined'), out, 'declined'),
  },
  'type-left-out': {
    part: 'leaves',
    needs: { refunds: 8 },
    plant: ofRows('type_left_out', all('type', 'refund'), out, 'refund'),
  },
  'type-fees-left-out': {
    needs: { chargebacks: 5, ...taxed },
    plant: (account, random) => {
      const rows = all('type', 'chargeback')(account.target, random);
      if (rows.length === 0) return undefined;
      chargeAgain(account, rows, () => 0n);
      return { kind: 'type_left_out', rows, facts: [['chargeback']] };
    },
  },
  'type-sign': {
    part: 'leaves',
    needs: { refunds: 8 },
    plant: ofRows('type_sign', all('type', 'refund'), opposite, 'refund'),
  },
  'sign-convention': {
    needs: taxed,
    plant: ofHeader('sign_convention', (header, random) => {
      const which = random.pick(['fees', 'tax', 'both']);
      if (which !== 'tax') header.fees = -header.fees;
      if (which !== 'fees') header.tax = -header.tax;
    }),
  },
  'foreign-settlement-rows': {
    part: 'other',
    plant: (account, random) => {
      const { id: settlementId } = neighbourOf(account, random);
      const planted = ofRows('foreign_settlement_rows', some(1, 2, 3, 4), out)(account, random);
      return marked(account, planted, { settlementId });
    },
  },
  'foreign-currency-rows': {
    part: 'other',
    plant: (account, random) => {
      const planted = ofRows('foreign_currency_rows', some(1, 2, 3), [0n, 0])(account, random);
      return marked(account, planted, { currency: 'USD' });
    },
  },
  'scale-of-header': {
    plant: ofHeader('scale_slip', (header, random) => {
      const factor = random.pick([10n, 100n, 1000n]);
      const isWhole = random.chance(50);
      header.fees *= factor;
      if (isWhole) header.gross *= factor;
      if (isWhole) header.tax *= factor;
    }),
  },
  'scale-of-row': {
    part: 'other',
    plant: (account, random) =>
      ofRows('scale_slip', some(1), [random.pick([9n, 99n, 999n]), 0])(account, random),
  },
  identity: {
    needs: taxed,
    plant: ofHeader('identity', (header, random) => {
      const { fees, tax } = header;
      header.extra = random.pick([tax, tax * 2n, fees + tax, fees]);
    }),
  },
  'fees-tax-swapped': {
    needs: taxed,
    plant: ofHeader('fees_tax_swapped', (header) => {
      [header.fees, header.tax] = [header.tax, header.fees];
    }),
  },
  'tax-in-fees': {
    needs: taxed,
    plant: ofHeader('tax_in_fees', (header, random) => {
      header.fees += header.tax;
      if (random.chance(60)) header.tax = 0n;
    }),
  },
  'fee-without-row': {
    part: 'other',
    needs: { chargebacks: 6, rows: 60 },
    plant: feePerRow('chargeback', [500n, 1500n, 2000n, 2500n]),
  },
  'rounded-in-total': {
    part: 'other',
    needs: { rows: 60, round: 'half_up' },
    plant: inEither('total', 'half_up'),
  },
  // All rows are biased, so the difference is larger than that of usual rounding.
  'rounded-biased-rows': { needs: { rows: 60, round: 'up' }, plant: inEither('total', 'half_up') },
  'rounded-rows-up': { needs: { rows: 60, round: 'half_up' }, plant: inEither('row', 'up') },
  'neighbour-opposite': {
    part: 'other',
    plant: (account, random) => {
      const other = neighbourOf(account, random);
      const amount = BigInt(random.int(200, 30000)) * random.pick([1n, -1n]);
      account.target.header.gross += amount;
      other.header.gross -= amount;
      return { kind: 'neighbour', facts: [[other.id]] };
    },
  },
  'neighbour-carried-over': {
    plant: ({ target, drafts }) => {
      const before = drafts[drafts.indexOf(target) - 1];
      if (!before) return undefined;
      const refunds = before.rows.slice(0, 2).map((row) => {
        const amount = -3n * (row.amount < 0n ? -row.amount : row.amount);
        return { ...row, type: 'refund', amount, fees: 0n, tax: 0n };
      });
      before.rows = refunds;
      Object.assign(before.header, sumOf(refunds), { transactions: refunds.length });
      // Nothing is paid for it; the next settlement bears what is negative.
      before.header.extra = -before.header.gross;
      target.header.extra += before.header.gross;
      return { kind: 'neighbour', facts: [[before.id]] };
    },
  },
  'neighbour-reserve': {
    plant: (account, random) => {
      const { target, drafts } = account;
      const later = random.pick(drafts.filter(({ date }) => date > target.date));
      const share = random.pick([500n, 1000n, 1500n]);
      const held = rounded(shareOf(target.header.gross, share), 'half_up');
      target.header.extra -= held;
      later.header.extra += held;
      return { kind: 'neighbour', facts: [[later.id]] };
    },
  },
  'neighbour-row': {
    part: 'adds',
    plant: (account, random) => {
      const other = neighbourOf(account, random);
      const about = some(1)(other, random);
      addRows(account.target, about, ...twice);
      addRows(other, about, ...out);
      return { kind: 'neighbour', about, facts: [[other.id]] };
    },
  },
  'only-the-service': {
    plant: ofHeader('only_the_service', (header) => {
      header.status = 'settled_out_of_balance';
    }),
  },
};

function neighbourOf({ drafts, target }: Account, random: Random): Account['target'] {
  return random.pick(drafts.filter((one) => one !== target));
}

/** Changes fields of the rows of a cause. */
function marked(
  { target }: Account,
  planted: Planted | undefined,
  fields: { readonly settlementId: string } | { readonly currency: string },
): Planted | undefined {
  const ids = new Set(planted?.rows?.map(({ id }) => id));
  target.rows = target.rows.map((row) => (ids.has(row.id) ? { ...row, ...fields } : row));
  return planted;
}

/** The same fee for each row of a type, sometimes with tax. */
export function feePerRow(type: string, fees: readonly bigint[]): Cause['plant'] {
  return ({ target: { header, rows }, scale, settings }, random) => {
    const about = rows.filter((row) => row.type === type);
    const ofOther = (other: string) => rows.filter((row) => row.type === other).length;
    // Where two types have as many rows, nobody can know which of them it is.
    const isClear = ofOther('refund') !== ofOther('chargeback');
    if (about.length < 2 || !isClear) return undefined;
    const fee = cents(random.pick(fees), scale);
    const tax = random.chance(50) ? rounded(shareOf(fee, settings.tax), 'half_up') : 0n;
    header.fees += fee * BigInt(about.length);
    header.tax += tax * BigInt(about.length);
    return { kind: 'fee_without_row', about, facts: [[type]] };
  };
}

function inEither(of: 'row' | 'total', round: Round): Cause['plant'] {
  return (account, random) => {
    const isTax = account.settings.tax > 0n && random.chance(40);
    return roundedBy(account, of, round, isTax ? 'tax' : 'fees');
  };
}

const rounds: readonly Round[] = ['half_up', 'half_even', 'up', 'down'];

/** The header's fees or tax, rounded by another rule than those of the rows. */
export function roundedBy(
  { target: { header, rows }, rates, settings }: Pick<Account, 'target' | 'rates' | 'settings'>,
  of: 'row' | 'total',
  round: Round,
  amount: 'fees' | 'tax',
): Planted | undefined {
  const exact = rows.map(({ type, paymentType, amount: gross, fees }): Exact => {
    if (amount === 'tax') return shareOf(fees, settings.tax);
    const rate = rates.get(paymentType);
    if (!rate || type === 'chargeback' || fees === 0n) return shareOf(fees, 10_000n);
    const { over, under } = exactFee(gross < 0n ? -gross : gross, rate);
    return { over: type === 'refund' ? -over : over, under };
  });
  const by = (how: Round) =>
    of === 'total'
      ? rounded(sumExact(exact), how)
      : exact.reduce((sum, one) => sum + rounded(one, how), 0n);
  const difference = by(round) - sumOf(rows)[amount];
  if (difference === 0n) return undefined;
  header[amount] += difference;
  const same = rounds.filter((other) => other !== round && by(other) === by(round));
  // Three standard deviations: a row has the twelfth of a square unit.
  const isSmall = 4n * difference * difference <= 3n * BigInt(rows.length);
  return { kind: 'rounding', rounding: { amount, of, rounds: [round, ...same] }, isSmall };
}
