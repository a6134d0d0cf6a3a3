import { byText } from '../base/texts.ts';
import { bitsOfChoice, toHundredths } from './bits.ts';
import type { CauseCandidate } from './candidate.ts';
import { type Cause, type CauseCode, type CauseFacts, causeText, leavesCount } from './cause.ts';
import { type Tally, total } from './tally.ts';

export interface Fit {
  /** In a fixed order, whatever the order in which they were found. */
  readonly parts: readonly CauseCandidate[];
  /** One for each cause: rows of the same kind are one cause, with several rows. */
  readonly causes: readonly Cause[];
  readonly change: Tally;
  /** The length of its description: how rare its causes are, and from how many they were chosen. */
  readonly bits: number;
  /** Whether it takes amounts as they come, and whether all of these are in line with the rows. */
  readonly assumes: boolean;
  readonly inLine: boolean;
  /** What it says, but for the ids of rows. */
  readonly text: string;
  /** The ids of its rows that were chosen, to order fits that say the same. */
  readonly ids: string;
}

export function fitOf(candidates: readonly CauseCandidate[]): Fit {
  const named = candidates
    .map((candidate) => ({ candidate, text: causeText(candidate.cause), id: chosenId(candidate) }))
    .sort((a, b) => byText(a.text, b.text) || byText(a.id, b.id));
  const parts = named.map(({ candidate }) => candidate);
  const assumed = parts.filter((part) => part.assumed !== undefined);
  const distinct = named.filter(({ text }, index) => text !== named[index - 1]?.text);
  return {
    parts,
    causes: distinct.map(({ candidate }) => candidate.cause),
    change: total(parts.map(({ change }) => change)),
    bits: toHundredths(
      distinct.reduce(
        (sum, { candidate, text }) => {
          const rows = named.filter((other) => other.text === text).length;
          return sum + bitsOfCause(candidate, rows);
        },
        furtherCause * (distinct.length - 1),
      ),
    ),
    assumes: assumed.length > 0,
    inLine: assumed.length > 0 && assumed.every(({ inLine }) => inLine === true),
    text: named.map(({ text }) => text).join(' + '),
    ids: named.map(({ id }) => id).join(' '),
  };
}

function bitsOfCause({ cause, choices, assumed = 0 }: CauseCandidate, rows: number): number {
  // The cause is said once; of its rows, one of the sets of so many is chosen.
  return priorOf(cause) + furtherRow * (rows - 1) + bitsOfChoice(rows, choices) + assumed;
}

/** The shortest first; what is left is settled by code and id. */
export function byLength(a: Fit, b: Fit): number {
  return a.bits - b.bits || byText(a.text, b.text) || byText(a.ids, b.ids);
}

function chosenId({ rows }: CauseCandidate): string {
  if (rows?.of === 'row') return rows.columns.id(rows.index);
  if (rows?.of === 'list') return rows.rows.map(({ id }) => id).sort()[0] ?? '';
  return '';
}

/** What of a cause makes it more or less rare: its code, and its kind where it has kinds. */
type CauseForm = {
  [C in CauseCode]: CauseFacts[C] extends { readonly kind: infer Kind extends string }
    ? `${C} ${Kind}`
    : CauseFacts[C] extends { readonly of: infer Of extends string }
      ? `${C} ${Of}`
      : C;
}[CauseCode];

/**
 * How rare each cause is: n bits say that it is at work in one of 2^n settlements where it could be
 * and that are out of balance. A cause that needs a trace of itself, such as a row that says it
 * belongs elsewhere, is likely where the trace is.
 */
const priors: Readonly<Record<CauseForm, number>> = {
  // Lists that lose rows on their way are what merchants report most.
  missing_rows: 3,
  // The number is counted apart from the amounts; it is rarely wrong by itself.
  wrong_count: 6,
  // A row that came too late, or was taken back.
  row_not_counted: 5,
  // As above, but it takes a mistake that adds, and most are stopped by the row's id.
  row_counted_twice: 6,
  // A refund that the header adds; of a purchase it would be odd.
  row_sign: 8,
  // The listing repeated rows before our eyes: the header may well have them twice.
  'duplicate_rows copies': 1,
  'duplicate_rows one_row': 4,
  // Of two contents that were listed, one of them counts.
  'duplicate_rows other_content': 1,
  'duplicate_rows both_contents': 2,
  // Declined or pending rows are often listed and not paid.
  state_left_out: 3,
  // Refunds and chargebacks are often settled elsewhere, or have the sign of a purchase.
  type_left_out: 4,
  type_sign: 4,
  // The document gives no signs for fees and tax.
  sign_convention: 4,
  // The row itself says that it belongs elsewhere.
  foreign_settlement_rows: 1,
  // A header has one currency, and something has to become of the other rows.
  foreign_currency_rows: 2,
  // Yen and dinar are often written with two decimal places; but then in all settlements.
  'scale_slip header': 5,
  'scale_slip gross': 7,
  'scale_slip fees': 7,
  'scale_slip tax': 7,
  // Rows of other decimal places than the rest were listed: some reader may not have seen that.
  'scale_slip rows': 2,
  // One row among others like it has no reason to be read otherwise.
  'scale_slip row': 8,
  // The document gives no equation, so that another one than ours is likely.
  identity: 3,
  // A slip in a program: it shows in all settlements, and is soon mended.
  fees_tax_swapped: 5,
  // "Exclusive of tax" and "tax on the fees" can be read both ways (doc 2.7, 2.8).
  'tax_in_fees moved': 4,
  'tax_in_fees also_in_header': 5,
  'tax_in_fees also_in_rows': 5,
  // It says no more than that two differences cancel out.
  'tax_in_fees part': 8,
  // Known of chargebacks; other types are as open to it.
  fee_without_row: 6,
  // Fees for set-up or a month are known; but any amount would be one.
  one_off_fee: 8,
  // Lists are read in pages.
  page: 4,
  // Reserves, taxes at the source and loans are kept back from each pay-in.
  withheld: 4,
  // Some banks pay no cents.
  pay_in_rounded: 7,
  // Totals that are rounded once are common; another rule for each row is less so.
  'rounding row': 5,
  'rounding total': 4,
  // Every amount is rounded somewhere; the difference itself says by how much.
  'rounding unknown': 4,
  // Two settlements of one account that are off by the same amount are hardly so by chance.
  'neighbour opposite_difference': 2,
  // What is owed is set off against the next pay-in.
  'neighbour negative_pay_in': 2,
  // A balance below zero is carried on until sales make up for it; a reserve is released at once.
  'neighbour carried_balance': 3,
  'neighbour reserve': 4,
  // A row that was moved by a day; any row there may be it.
  'neighbour listed_there': 7,
  // The row, or its charge, is in both: one of the two has it too much.
  'neighbour listed_in_both': 2,
  'neighbour charge_included': 3,
  'neighbour charge_left_out': 3,
  // Nothing else is off.
  only_the_service: 0,
};

const unusual = 2;

/** How much rarer two causes at once are than the two would be by chance. */
const furtherCause = 2;

/** What a further row of the same cause costs: who lost one row may well have lost two. */
const furtherRow = 2;

/** The bits of a cause before anything is known of its rows. */
function priorOf(cause: Cause): number {
  const { facts } = cause;
  const rarities = [
    leavesCount(cause) && !('part' in facts && facts.part === 'gross'),
    'part' in facts && facts.part !== 'all',
    'only' in facts && facts.only,
  ];
  return priors[formOf(cause)] + unusual * rarities.filter(Boolean).length;
}

function formOf({ code, facts }: Cause): CauseForm {
  const kind = 'kind' in facts ? ` ${facts.kind}` : 'of' in facts ? ` ${facts.of}` : '';
  return `${code}${kind}` as CauseForm;
}
