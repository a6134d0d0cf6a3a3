import type { ExplainedRow } from '../../explain/explained.ts';
import type { Identity } from '../../reconcile/identity.ts';
import type { ReconciledSettlement } from '../../reconcile/reconciled.ts';
import { amountText, signedText } from '../common/amount-text.ts';
import { capitalised } from '../common/phrase.ts';
import { cellColumn as column, section, uuid } from '../common/sections.ts';
import type { Section } from '../common/view.ts';
import { identityWords } from '../common/words.ts';
import { type WaterfallStep, waterfall } from './waterfall.ts';

interface Line {
  readonly label: string;
  readonly reported: string;
  readonly computed: string;
  readonly difference: string;
}

/** The arithmetic: every amount as reported and as the rows give it. */
export function waterfallSection(one: ReconciledSettlement, identity: Identity): Section {
  const { scale, settlement, reported, computed, difference } = one;
  const amounts = waterfall(one, identity).map(({ step, sign, ...line }) => ({
    label: labelOf(step, sign, identity),
    reported: amountText(line.reported, scale),
    computed: amountText(line.computed, scale),
    difference: signedText(line.difference, scale),
  }));
  const transactions = {
    label: 'Transactions',
    reported: String(reported.transactions),
    computed: String(computed?.transactions ?? ''),
    difference: signedText(difference && BigInt(difference.transactions), 0),
  };
  const equation = identity === 'off' ? '' : `; pay-in = ${identityWords(identity)}`;
  return section<Line>(
    `The arithmetic in ${settlement.currency}, computed from the rows${equation}`,
    [
      column(1, '', 'text', ({ label }) => label),
      column(1, 'Reported', 'amount', (line) => line.reported),
      column(1, 'Computed', 'amount', (line) => line.computed),
      column(1, 'Difference', 'difference', (line) => line.difference),
    ],
    [...amounts, transactions],
  );
}

const stepWords: Readonly<Record<WaterfallStep['step'], string>> = {
  gross: 'gross',
  fees: 'fees',
  tax: 'tax',
  pay_in_that_follows: '= pay-in that follows',
  pay_in_reported: 'pay-in reported',
};

function labelOf(step: WaterfallStep['step'], sign: number, identity: Identity): string {
  const label = stepWords[step];
  if (step !== 'fees' && step !== 'tax') return capitalised(label);
  if (sign === 0) return `${capitalised(label)}${identity === 'off' ? '' : ' (apart)'}`;
  return `${sign < 0 ? '-' : '+'} ${label}`;
}

/** The rows that an explanation is about; `count` are more than are shown, where they are many. */
export function rowsSection(title: string, rows: readonly ExplainedRow[], count: number): Section {
  const rest = count - rows.length;
  return {
    ...section<ExplainedRow>(
      title,
      [
        column(1, 'Transaction', 'text', ({ transactionId }) => transactionId, uuid),
        column(5, 'Charge', 'text', ({ chargeId }) => chargeId, uuid),
        column(3, 'Type', 'text', ({ type }) => type),
        column(3, 'State', 'text', ({ state }) => state),
        column(4, 'Currency', 'text', ({ amount }) => amount.currency),
        column(1, 'Gross', 'amount', ({ amount }) => amountText(amount.minor, amount.scale)),
        column(2, 'Fees', 'amount', ({ fees }) => amountText(fees.minor, fees.scale)),
        column(2, 'Tax', 'amount', ({ tax }) => amountText(tax.minor, tax.scale)),
      ],
      rows,
    ),
    note: rest > 0 ? `... and ${rest} more` : undefined,
  };
}
