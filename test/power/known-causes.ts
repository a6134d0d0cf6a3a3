import type { Random } from '../support/random.ts';
import { type Account, type AccountSettings, cents, drawRow, sumOf } from './account.ts';
import {
  addRows,
  neighbourOf,
  ofType,
  type Plant,
  type Planted,
  take,
  takeSome,
} from './planted.ts';
import { type Exact, exactFee, type Round, rounded, sumExact } from './rates.ts';

export interface Cause {
  readonly plant: Plant;
  readonly needs?: Partial<AccountSettings>;
  /** Whether it may stand in a pair: not what changes whole amounts of the header. */
  readonly isPart?: true;
}

/** The causes that docs/explain.md lists, several ways each. */
export const knownCauses: Readonly<Record<string, Cause>> = {
  'wrong-count': {
    isPart: true,
    plant: ({ target }, random) => {
      target.header.transactions += random.pick([-3, -2, -1, 1, 2, 3, 10]);
      return { kind: 'wrong_count' };
    },
  },
  'row-not-counted': { isPart: true, plant: rowsTimes('row_not_counted', [1], -1n, -1) },
  'two-rows-not-counted': { isPart: true, plant: rowsTimes('row_not_counted', [2], -1n, -1) },
  'row-counted-twice': { isPart: true, plant: rowsTimes('row_counted_twice', [1], 1n, 1) },
  'two-rows-counted-twice': { isPart: true, plant: rowsTimes('row_counted_twice', [2], 1n, 1) },
  'row-sign': { isPart: true, plant: rowsTimes('row_sign', [1], -2n, 0) },
  'missing-rows': {
    isPart: true,
    plant: (account, random) => {
      const { target } = account;
      const settings = { ...account.settings, refunds: 0, chargebacks: 0, declined: 0 };
      const row = drawRow(random, { ...account, settings }, { ...target, at: 0 });
      addRows(target, [row], 1n, 1);
      return { kind: 'missing_rows' };
    },
  },
  'duplicate-rows': {
    plant: ({ target }, random) => {
      const rows = takeSome(target, random.int(1, 3), random);
      if (!rows) return undefined;
      addRows(target, rows, 1n, 1);
      target.repeated.push(...rows);
      return { kind: 'duplicate_rows', rows };
    },
  },
  'state-left-out': {
    isPart: true,
    needs: { declined: 8 },
    plant: ({ target }) => {
      const rows = take(
        target,
        target.rows.filter(({ state }) => state === 'declined'),
      );
      if (!rows) return undefined;
      addRows(target, rows, -1n, -1);
      return { kind: 'state_left_out', rows, facts: [['declined']] };
    },
  },
  'type-left-out': {
    isPart: true,
    needs: { refunds: 8 },
    plant: typeTimes('type_left_out', -1n, -1),
  },
  'type-fees-left-out': {
    isPart: true,
    needs: { chargebacks: 5, tax: 2000n },
    plant: ({ target }) => {
      const rows = take(target, ofType(target, 'chargeback'));
      if (!rows) return undefined;
      const { fees, tax } = sumOf(rows);
      target.header.fees -= fees;
      target.header.tax -= tax;
      return { kind: 'type_left_out', rows, facts: [['chargeback']] };
    },
  },
  'type-sign': { isPart: true, needs: { refunds: 8 }, plant: typeTimes('type_sign', -2n, 0) },
  'sign-convention': {
    needs: { tax: 2000n },
    plant: ({ target: { header } }, random) => {
      const which = random.pick(['fees', 'tax', 'both']);
      if (which !== 'tax') header.fees = -header.fees;
      if (which !== 'fees') header.tax = -header.tax;
      return { kind: 'sign_convention' };
    },
  },
  'foreign-settlement-rows': {
    isPart: true,
    plant: (account, random) => {
      const { target } = account;
      const rows = takeSome(target, random.int(1, 4), random);
      if (!rows) return undefined;
      const settlementId = neighbourOf(account, random).id;
      const marked = rows.map((row) => ({ ...row, settlementId }));
      target.rows = target.rows.map((row) => marked.find(({ id }) => id === row.id) ?? row);
      addRows(target, rows, -1n, -1);
      return { kind: 'foreign_settlement_rows', rows: marked };
    },
  },
  'foreign-currency-rows': {
    isPart: true,
    plant: ({ target }, random) => {
      const rows = takeSome(target, random.int(1, 3), random);
      if (!rows) return undefined;
      const foreign = rows.map((row) => ({ ...row, currency: 'USD' }));
      target.rows = target.rows.map((row) => foreign.find(({ id }) => id === row.id) ?? row);
      return { kind: 'foreign_currency_rows', rows: foreign };
    },
  },
  'scale-of-header': {
    plant: ({ target: { header } }, random) => {
      const factor = random.pick([10n, 100n, 1000n]);
      const all = random.chance(50);
      if (all) header.gross *= factor;
      if (all) header.tax *= factor;
      header.fees *= factor;
      return { kind: 'scale_slip' };
    },
  },
  'scale-of-row': {
    isPart: true,
    plant: ({ target }, random) => {
      const rows = takeSome(target, 1, random);
      if (!rows) return undefined;
      addRows(target, rows, random.pick([9n, 99n, 999n]), 0);
      return { kind: 'scale_slip', rows };
    },
  },
  identity: {
    needs: { tax: 2000n },
    plant: ({ target: { header } }, random) => {
      const { fees, tax } = header;
      header.extra = random.pick([tax, tax * 2n, fees + tax, fees]);
      return { kind: 'identity' };
    },
  },
  'fees-tax-swapped': {
    needs: { tax: 2000n },
    plant: ({ target: { header } }) => {
      [header.fees, header.tax] = [header.tax, header.fees];
      return { kind: 'fees_tax_swapped' };
    },
  },
  'tax-in-fees': {
    needs: { tax: 2000n },
    plant: ({ target: { header } }, random) => {
      header.fees += header.tax;
      if (random.chance(60)) header.tax = 0n;
      return { kind: 'tax_in_fees' };
    },
  },
  'fee-without-row': {
    isPart: true,
    needs: { chargebacks: 6, rows: 60 },
    plant: feePerRow('chargeback', [500n, 1500n, 2000n, 2500n]),
  },
  'rounded-in-total': { isPart: true, needs: { rows: 60, round: 'half_up' }, plant: inTotal },
  // All rows are biased, so that the difference is larger than rounding has it.
  'rounded-biased-rows': { needs: { rows: 60, round: 'up' }, plant: inTotal },
  'rounded-rows-up': {
    needs: { rows: 60, round: 'half_up' },
    plant: (account, random) => roundedBy(account, 'row', 'up', eitherOf(account, random)),
  },
  'neighbour-opposite': {
    isPart: true,
    plant: (account, random) => {
      const other = neighbourOf(account, random);
      const amount = BigInt(random.int(200, 30000)) * (random.chance(50) ? 1n : -1n);
      account.target.header.gross += amount;
      other.header.gross -= amount;
      return { kind: 'neighbour', facts: [[other.id]] };
    },
  },
  'neighbour-carried-over': {
    plant: ({ target, drafts }) => {
      const before = drafts[drafts.indexOf(target) - 1];
      if (!before) return undefined;
      const refunds = before.rows.slice(0, 2).map((row) => ({
        ...row,
        type: 'refund',
        amount: -3n * (row.amount < 0n ? -row.amount : row.amount),
        fees: 0n,
        tax: 0n,
      }));
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
      const { target } = account;
      const later = neighbourOf(account, random, true);
      const share = random.pick([500n, 1000n, 1500n]);
      const held = rounded({ over: target.header.gross * share, under: 10_000n }, 'half_up');
      target.header.extra -= held;
      later.header.extra += held;
      return { kind: 'neighbour', facts: [[later.id]] };
    },
  },
  'neighbour-row': {
    isPart: true,
    plant: (account, random) => {
      const other = neighbourOf(account, random);
      const rows = takeSome(other, 1, random);
      if (!rows) return undefined;
      addRows(account.target, rows, 1n, 1);
      addRows(other, rows, -1n, -1);
      return { kind: 'neighbour', about: rows, facts: [[other.id]] };
    },
  },
  'only-the-service': {
    plant: ({ target }) => {
      target.header.status = 'settled_out_of_balance';
      return { kind: 'only_the_service' };
    },
  },
};

function rowsTimes(kind: string, counts: readonly number[], times: bigint, count: number): Plant {
  return ({ target }, random) => {
    const rows = takeSome(target, random.pick(counts), random);
    if (!rows) return undefined;
    addRows(target, rows, times, count);
    return { kind, rows };
  };
}

function typeTimes(kind: string, times: bigint, count: number): Plant {
  return ({ target }) => {
    const rows = take(target, ofType(target, 'refund'));
    if (!rows) return undefined;
    addRows(target, rows, times, count);
    return { kind, rows, facts: [['refund']] };
  };
}

/** The same fee for each row of a type, sometimes with tax. */
export function feePerRow(type: string, fees: readonly bigint[]): Plant {
  return ({ target, scale, settings }, random) => {
    const rows = ofType(target, type);
    if (rows.length < 2) return undefined;
    const fee = cents(random.pick(fees), scale);
    const tax = random.chance(50)
      ? rounded({ over: fee * settings.tax, under: 10_000n }, 'half_up')
      : 0n;
    target.header.fees += fee * BigInt(rows.length);
    target.header.tax += tax * BigInt(rows.length);
    return { kind: 'fee_without_row', about: rows, facts: [[type]] };
  };
}

function inTotal(account: Account, random: Random): Planted | undefined {
  return roundedBy(account, 'total', 'half_up', eitherOf(account, random));
}

function eitherOf({ settings }: Account, random: Random): 'fees' | 'tax' {
  return settings.tax > 0n && random.chance(40) ? 'tax' : 'fees';
}

const rounds: readonly Round[] = ['half_up', 'half_even', 'up', 'down'];

/** The header's fees or tax, rounded by another rule than those of the rows. */
export function roundedBy(
  { target, rates, settings }: Pick<Account, 'target' | 'rates' | 'settings'>,
  of: 'row' | 'total',
  round: Round,
  amount: 'fees' | 'tax',
): Planted | undefined {
  const { header, rows } = target;
  const exact = rows.map(({ type, paymentType, amount: gross, fees }): Exact => {
    if (amount === 'tax') return { over: fees * settings.tax, under: 10_000n };
    const rate = rates.get(paymentType);
    const isByRate = rate !== undefined && type !== 'chargeback' && fees !== 0n;
    if (!isByRate) return { over: fees * 10_000n, under: 10_000n };
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
  // FIELD 2, row 4 has half a unit a row as the most; normal is far less.
  const isSmall = 4n * difference * difference <= 9n * BigInt(rows.length);
  return { kind: 'rounding', rounding: { amount, of, rounds: [round, ...same] }, isSmall };
}
