import type { Row } from '../../src/model/row.ts';
import { type Account, type AccountSettings, type Draft, sumOf } from './account.ts';
import type { ProposedRule } from './claim.ts';
import { roundedBy } from './known-causes.ts';
import { off } from './no-causes.ts';
import { all, type Cause, ofHeader, ofRows } from './planted.ts';

/** A month of settlements with one rule, or with none. */
export interface Month {
  readonly needs: Partial<AccountSettings>;
  /** Changes each settlement, where it makes a difference. */
  readonly plant: Cause['plant'];
  /** The rule that is to be proposed; none if nothing is. */
  readonly rule?: ProposedRule;
}

const usual = { settlements: 20, round: 'half_up', tax: 2000n } as const;
const declined = all('state', 'declined');

/** The months of the bench: true rules, and noise. */
export const months: Readonly<Record<string, Month>> = {
  'declined-not-counted': {
    needs: { ...usual, rows: 30, declined: 6 },
    plant: ofRows('state_left_out', declined, [-1n, -1], 'declined'),
    rule: { rule: 'not_counted', state: 'declined', count: 'follows' },
  },
  'declined-counted-without-amounts': {
    needs: { ...usual, rows: 30, declined: 6 },
    plant: ofRows('state_left_out', declined, [-1n, 0], 'declined'),
    rule: { rule: 'not_counted', state: 'declined', count: 'stays' },
  },
  'sign-of-refunds': {
    needs: { ...usual, rows: 30, refunds: 8 },
    plant: ofRows('type_sign', all('type', 'refund'), [-2n, 0], 'refund'),
    rule: { rule: 'signs', type: 'refund' },
  },
  'fees-rounded-in-total': {
    needs: { ...usual, rows: 60 },
    plant: (account) => roundedBy(account, 'total', 'half_up', 'fees'),
    rule: { rule: 'rounding', amount: 'fees', of: 'total', round: 'half_up' },
  },
  'tax-rounded-in-total': {
    needs: { ...usual, rows: 60 },
    plant: (account) => roundedBy(account, 'total', 'half_up', 'tax'),
    rule: { rule: 'rounding', amount: 'tax', of: 'total', round: 'half_up' },
  },
  'tax-moved-to-fees': {
    needs: { ...usual, rows: 15 },
    plant: ofHeader('tax_in_fees', (header) => {
      header.fees += header.tax;
      header.tax = 0n;
    }),
    rule: { rule: 'tax_in_fees', to: 'moved' },
  },
  // Each settlement is off, so that no balanced one contradicts a rule.
  'random-fees': { needs: { ...usual, rows: 30 }, plant: off(1, 'fees') },
  'random-fees-and-tax': { needs: { ...usual, rows: 60 }, plant: sometimes(off(1, 'fees', 'tax')) },
};

function sometimes(plant: Cause['plant']): Cause['plant'] {
  return (account, random) => (random.chance(67) ? plant(account, random) : undefined);
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
