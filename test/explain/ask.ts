import type { Evidence, Neighbour } from '../../src/explain/case.ts';
import type { Cause, CauseCode } from '../../src/explain/cause.ts';
import { explainDifference } from '../../src/explain/explain.ts';
import type { Explained, Explanation } from '../../src/explain/explained.ts';
import { type Effort, thorough } from '../../src/explain/limits.ts';
import type { Row } from '../../src/model/row.ts';
import type { RowsOutcome } from '../../src/model/source.ts';
import type { Identity } from '../../src/reconcile/identity.ts';
import { reconcileSettlement } from '../../src/reconcile/reconcile-settlement.ts';
import { columnsOf, defaultSettings } from '../reconcile/judge.ts';
import type { Stated } from '../support/build.ts';
import { buildOutcome, buildRow, buildSettlement, uuid } from '../support/build.ts';

/** What a test says of a settlement; what it leaves out of the header is what its rows give. */
export interface Question {
  readonly rows: readonly Row[];
  readonly header?: Partial<Stated>;
  readonly outcome?: Partial<RowsOutcome>;
  readonly neighbours?: readonly (Omit<Neighbour, 'rows'> & { readonly rows?: readonly Row[] })[];
  readonly obstacles?: Evidence['obstacles'];
  readonly identity?: Identity;
  readonly effort?: Effort;
}

export function ask(question: Question): Explained {
  const { rows, header = {}, identity = 'gross-fees-tax', effort = thorough } = question;
  const columns = columnsOf(rows);
  const outcome = buildOutcome(question.outcome);
  const settled = reconcileSettlement({
    settlement: buildSettlement(headerOver(rows, header)),
    rows: columns,
    outcome,
    settings: { ...defaultSettings, identity },
  });
  const neighbours = question.neighbours?.map((one) => ({
    ...one,
    rows: one.rows && columnsOf(one.rows),
  }));
  const evidence = { outcome, neighbours, obstacles: question.obstacles };
  return explainDifference(settled, columns, evidence, { identity, rules: {}, effort });
}

/** The header that rows in EUR add up to; its pay-in follows the amounts that are given. */
export function headerOver(rows: readonly Row[], given: Partial<Stated>): Partial<Stated> {
  const own = rows.filter(({ currency }) => currency === 'EUR');
  const sum = (amounts: readonly bigint[]) => amounts.reduce((total, one) => total + one, 0n);
  const amounts = {
    transactions: rows.length,
    gross: sum(own.map(({ amount }) => amount)),
    fees: sum(own.map(({ fees }) => fees)),
    tax: sum(own.map(({ tax }) => tax)),
    ...given,
  };
  return { payIn: amounts.gross - amounts.fees - amounts.tax, ...amounts };
}

/** A row with the id of this number. */
export function row(
  number: number,
  [amount, fees, tax]: readonly [bigint, bigint, bigint],
  other: Partial<Row> = {},
): Row {
  const [id, chargeId] = [uuid(number), uuid(number + 2000)];
  return buildRow({ id, chargeId, amount, fees, tax, ...other });
}

export function complete({ hypotheses }: Explained): readonly Explanation[] {
  return hypotheses.flatMap((one) => (one.outcome === 'explains' ? [one] : []));
}

/** The complete explanations that take no amounts as they come, cause by cause. */
export function causesOf(explained: Explained): readonly (readonly Cause[])[] {
  return complete(explained)
    .filter(({ assumesAmounts }) => !assumesAmounts)
    .map(({ causes }) => causes.map(({ cause }) => cause));
}

export function bestCauses({ best }: Explained): readonly Cause[] {
  return best?.causes.map(({ cause }) => cause) ?? [];
}

/** The ids of the rows that the best explanation names. */
export function namedRows({ best }: Explained): readonly string[] {
  return (best?.causes ?? []).flatMap(({ rows }) =>
    rows.examples.map(({ transactionId }) => transactionId),
  );
}

/** What is said of a hypothesis by itself. */
export function outcomesOf(code: CauseCode, { hypotheses }: Explained): readonly string[] {
  return hypotheses
    .filter(({ codes }) => codes.length === 1 && codes[0] === code)
    .map(({ outcome }) => outcome);
}
