import type { Row } from '../../src/model/row.ts';
import type { Random } from '../support/random.ts';
import { type Account, type AccountSettings, type Draft, sumOf } from './account.ts';
import type { ProposedRule } from './claim.ts';
import { roundedBy } from './known-causes.ts';
import { addRows, type Planted } from './planted.ts';

/** A month of settlements with one rule, or with none. */
export interface Month {
  readonly needs: Partial<AccountSettings>;
  /** Changes each settlement; gives what was planted where it makes a difference. */
  readonly plant: (account: Account, draft: Draft, random: Random) => Planted | undefined;
  /** The rule that is to be proposed; none if nothing is. */
  readonly rule?: ProposedRule;
}

const usual = { settlements: 20, round: 'half_up', tax: 2000n } as const;

/** The months of the bench: five true rules, and two months of noise. */
export const months: Readonly<Record<string, Month>> = {
  'declined-not-counted': {
    needs: { ...usual, rows: 30, declined: 6 },
    plant: (_, draft) => leaveOut(draft, -1),
    rule: { rule: 'not_counted', state: 'declined', count: 'follows' },
  },
  'declined-counted-without-amounts': {
    needs: { ...usual, rows: 30, declined: 6 },
    plant: (_, draft) => leaveOut(draft, 0),
    rule: { rule: 'not_counted', state: 'declined', count: 'stays' },
  },
  'sign-of-refunds': {
    needs: { ...usual, rows: 30, refunds: 8 },
    plant: (_, draft) => {
      const rows = draft.rows.filter(({ type }) => type === 'refund');
      addRows(draft, rows, -2n, 0);
      return rows.length === 0 ? undefined : { kind: 'type_sign', rows, facts: [['refund']] };
    },
    rule: { rule: 'signs', type: 'refund' },
  },
  'fees-rounded-in-total': {
    needs: { ...usual, rows: 60 },
    plant: (account, target) => roundedBy({ ...account, target }, 'total', 'half_up', 'fees'),
    rule: { rule: 'rounding', amount: 'fees', of: 'total', round: 'half_up' },
  },
  'tax-rounded-in-total': {
    needs: { ...usual, rows: 60 },
    plant: (account, target) => roundedBy({ ...account, target }, 'total', 'half_up', 'tax'),
    rule: { rule: 'rounding', amount: 'tax', of: 'total', round: 'half_up' },
  },
  'tax-moved-to-fees': {
    needs: { ...usual, rows: 15 },
    plant: (_, { header }) => {
      header.fees += header.tax;
      header.tax = 0n;
      return { kind: 'tax_in_fees' };
    },
    rule: { rule: 'tax_in_fees', tax_in_fees: 'moved' },
  },
  'random-fees': { needs: { ...usual, rows: 30 }, plant: randomly(['fees']) },
  'random-fees-and-tax': { needs: { ...usual, rows: 60 }, plant: randomly(['fees', 'tax']) },
};

function leaveOut(draft: Draft, count: number): Planted | undefined {
  const rows = draft.rows.filter(({ state }) => state === 'declined');
  addRows(draft, rows, -1n, count);
  return rows.length === 0 ? undefined : { kind: 'state_left_out', rows, facts: [['declined']] };
}

/** One minor unit more or less, or none. */
function randomly(which: readonly ('fees' | 'tax')[]): Month['plant'] {
  return (_, { header }, random) => {
    let isOff = false;
    for (const amount of which) {
      const off = random.pick([-1n, 0n, 1n]);
      header[amount] += off;
      isOff ||= off !== 0n;
    }
    return isOff ? { kind: 'noise' } : undefined;
  };
}

/** Whether the rule that was planted is among those proposed. */
export function isProposed(rule: ProposedRule, proposed: readonly ProposedRule[]): boolean {
  const all = (one: ProposedRule) => new Set(Object.values(one).map(String));
  // Half up and half even hardly differ in totals.
  const isSame = (value: string, values: ReadonlySet<string>) =>
    values.has(value) || (value === 'half_up' && rule['of'] === 'total' && values.has('half_even'));
  return proposed.some((one) => Object.values(rule).every((value) => isSame(value, all(one))));
}

/** The settlements of which a proposed rule makes another header than they have. */
export function contradicting(rule: ProposedRule, account: Account): readonly Draft[] {
  return account.drafts.filter((draft) => {
    const { header } = draft;
    const byRule = headerBy(rule, account, draft);
    return byRule !== undefined && amounts.some((amount) => byRule[amount] !== header[amount]);
  });
}

const amounts = ['gross', 'fees', 'tax', 'transactions'] as const;
type Figures = Readonly<Pick<Draft['header'], (typeof amounts)[number]>>;

/** The header that a rule makes of rows; nothing if the bench does not know the rule. */
function headerBy(
  { rule, state, type, count, amount = 'all', of, round }: ProposedRule,
  account: Account,
  draft: Draft,
): Figures | undefined {
  const { rows } = draft;
  const plain = { ...sumOf(rows), transactions: rows.length };
  const isMeant = (row: Row) =>
    (state === undefined || row.state === state) && (type === undefined || row.type === type);
  const meant = rows.filter(isMeant);
  const { gross, fees, tax } = sumOf(meant);
  if (rule === 'not_counted') {
    return {
      gross: plain.gross - gross,
      fees: plain.fees - fees,
      tax: plain.tax - tax,
      transactions: plain.transactions - (count === 'stays' ? 0 : meant.length),
    };
  }
  if (rule === 'signs') {
    const has = (one: string) => amount === 'all' || amount.split('_').includes(one);
    return {
      ...plain,
      gross: plain.gross - (has('gross') ? gross * 2n : 0n),
      fees: plain.fees - (has('fees') ? fees * 2n : 0n),
      tax: plain.tax - (has('tax') ? tax * 2n : 0n),
    };
  }
  const isRounding = (amount === 'fees' || amount === 'tax') && (of === 'row' || of === 'total');
  if (isRounding && (round === 'half_up' || round === 'half_even')) {
    const header = { ...draft.header, ...plain };
    roundedBy({ ...account, target: { ...draft, header } }, of, round, amount);
    return header;
  }
  return undefined;
}
