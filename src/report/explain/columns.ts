import { type Column, field, measureKey } from '../common/columns.ts';
import { amountText } from '../common/phrase.ts';
import { measures } from '../common/words.ts';
import { type ExplainReport, explanationOf, finalVerdict, formOf } from './report.ts';
import { hypothesisText } from './words.ts';

type HypothesisRecord = ReturnType<typeof hypothesisRecords>[number];

/** Every hypothesis, with the settlement that it is about. */
export function hypothesisRecords({ settlements }: ExplainReport) {
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
    field.text('verdict', ({ one }) => finalVerdict(one)),
    field.list('codes', ({ hypothesis }) => hypothesis.codes),
    field.text('outcome', ({ hypothesis }) => hypothesis.outcome),
    ...deltaColumns('explained', report),
    ...deltaColumns('residual', report),
    field.integer('rows', (one) => causesOf(one)?.reduce((sum, { rows }) => sum + rows.count, 0)),
    field.list('transaction_ids', (one) =>
      (causesOf(one) ?? []).flatMap(({ rows }) => rows.examples.map((row) => row.transactionId)),
    ),
    field.integer('candidates', ({ hypothesis }) => explanationOf(hypothesis)?.candidates),
    field.text('message', ({ one, hypothesis }) => hypothesisText(hypothesis, formOf(one))),
  ];
}

function deltaColumns(name: 'explained' | 'residual', { settings }: ExplainReport) {
  const deltaOf = ({ hypothesis }: HypothesisRecord) => explanationOf(hypothesis)?.[name];
  return [
    field.integer<HypothesisRecord>(`${name}_transactions`, (row) => deltaOf(row)?.count),
    ...measures.map((measure) =>
      field.amount<HypothesisRecord>(`${name}_${measureKey(measure)}`, (row) => {
        const isKnown = measure !== 'payIn' || settings.identity !== 'off';
        return amountText(isKnown ? deltaOf(row)?.[measure] : undefined, row.one.explained.scale);
      }),
    ),
  ];
}
