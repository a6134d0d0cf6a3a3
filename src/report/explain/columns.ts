import type { SettlementExplanation } from '../../app/explain-settlement.ts';
import type { Delta } from '../../explain/delta.ts';
import type { Explanation, Hypothesised } from '../../explain/explained.ts';
import { type Column, field, measureKeys } from '../common/columns.ts';
import { amountText } from '../common/phrase.ts';
import { type ExplainReport, explanationOf, formOf, verdictOfExplained } from './report.ts';
import { hypothesisText } from './words.ts';

/** A hypothesis with the settlement that it is about. */
interface HypothesisRecord {
  readonly one: SettlementExplanation;
  readonly hypothesis: Hypothesised;
}

/** Every hypothesis of every settlement. */
export function hypothesisRecords({ settlements }: ExplainReport): readonly HypothesisRecord[] {
  return settlements.flatMap((one) =>
    one.explained.hypotheses.map((hypothesis) => ({ one, hypothesis })),
  );
}

/** A row a hypothesis. New columns go to the end. */
export function hypothesisColumns(report: ExplainReport): readonly Column<HypothesisRecord>[] {
  const causesOf = ({ hypothesis }: HypothesisRecord) => explanationOf(hypothesis)?.causes;
  return [
    field.text('settlement_id', ({ one }) => one.reconciled.settlement.id),
    field.text('currency', ({ one }) => one.reconciled.settlement.currency),
    field.integer('decimal_places', ({ one }) => one.explained.scale),
    field.text('verdict', ({ one }) => verdictOfExplained(one)),
    field.list('codes', ({ hypothesis }) => hypothesis.codes),
    field.text('outcome', ({ hypothesis }) => hypothesis.outcome),
    ...deltaColumns('explained', report, ({ explained }) => explained),
    ...deltaColumns('residual', report, ({ residual }) => residual),
    field.integer('rows', (one) => causesOf(one)?.reduce((sum, { rows }) => sum + rows.count, 0)),
    field.list('transaction_ids', (one) =>
      (causesOf(one) ?? []).flatMap(({ rows }) => rows.examples.map((row) => row.transactionId)),
    ),
    field.integer('candidates', ({ hypothesis }) => explanationOf(hypothesis)?.candidates),
    field.text('message', ({ one, hypothesis }) => hypothesisText(hypothesis, formOf(one))),
  ];
}

function deltaColumns(
  name: string,
  { settings }: ExplainReport,
  pick: (explanation: Explanation) => Delta,
): readonly Column<HypothesisRecord>[] {
  const deltaOf = ({ hypothesis }: HypothesisRecord) => {
    const explanation = explanationOf(hypothesis);
    return explanation && pick(explanation);
  };
  return [
    field.integer(`${name}_transactions`, (row) => deltaOf(row)?.count),
    ...measureKeys.map(([key, measure]) =>
      field.amount<HypothesisRecord>(`${name}_${key}`, (row) => {
        const isKnown = measure !== 'payIn' || settings.identity !== 'off';
        return amountText(isKnown ? deltaOf(row)?.[measure] : undefined, row.one.explained.scale);
      }),
    ),
  ];
}
