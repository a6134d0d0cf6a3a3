import type { Row } from '../../model/row.ts';
import type { CauseCandidate, Hypothesis } from '../candidate.ts';
import type { Case } from '../case.ts';
import { type CauseFacts, type CountRule, cause, choicesOf, countRules } from '../cause.ts';
import {
  type Amounts,
  changeOf,
  noAmounts,
  noDelta,
  plus,
  shiftAmounts,
  subtractAmounts,
  timesAmounts,
} from '../delta.ts';

type Kind = CauseFacts['duplicate_rows']['kind'];

/**
 * `duplicate_rows`: the header includes what reading removed: copies of rows, or the other content
 * of a transaction id that has two.
 */
export const duplicateRows: Hypothesis = {
  code: 'duplicate_rows',
  dependsOn: 'case',
  *candidates({ subject }) {
    const { repeated, conflicts } = subject.evidence.outcome;
    for (const count of countRules) {
      yield* copies(subject, repeated, 'copies', count);
      if (repeated.length > 1) {
        for (const one of repeated) yield* copies(subject, [one], 'one_row', count);
      }
    }
    for (const [counted, ...others] of conflicts) {
      if (counted === undefined) continue;
      for (const other of others) yield* otherContent(subject, counted, other);
    }
  },
};

function* copies(
  subject: Case,
  repeated: Case['evidence']['outcome']['repeated'],
  kind: Kind,
  count: CountRule,
): Iterable<CauseCandidate> {
  let delta = noDelta;
  for (const one of repeated) {
    const amounts = amountsOf(subject, one.row);
    if (amounts === undefined) return;
    const added = count === 'follows' ? one.copies : 0;
    const inAll = timesAmounts(amounts, BigInt(one.copies));
    delta = plus(delta, changeOf(subject.identity, added, inAll));
  }
  const free = (kind === 'copies' ? 0 : 1) + choicesOf(count);
  const rows = { of: 'list', rows: repeated.map(({ row }) => row) } as const;
  yield { cause: cause('duplicate_rows', { kind, count }), free, delta, rows };
}

function* otherContent(subject: Case, counted: Row, other: Row): Iterable<CauseCandidate> {
  const added = amountsOf(subject, other);
  const taken = amountsOf(subject, counted);
  if (added === undefined || taken === undefined) return;
  const instead = subtractAmounts(added, taken);
  const { identity } = subject;
  const rows = { of: 'list', rows: [other] } as const;
  yield {
    cause: cause('duplicate_rows', { kind: 'other_content', count: 'stays' }),
    free: 1,
    delta: changeOf(identity, 0, instead),
    rows,
  };
  for (const count of countRules) {
    yield {
      cause: cause('duplicate_rows', { kind: 'both_contents', count }),
      free: 1 + choicesOf(count),
      delta: changeOf(identity, count === 'follows' ? 1 : 0, added),
      rows,
    };
  }
}

/** Nothing where the amounts would need more decimal places than the case has. */
function amountsOf({ settlement, scale }: Case, row: Row): Amounts | undefined {
  if (row.currency !== settlement.currency) return noAmounts;
  const listed = { gross: row.amount, fees: row.fees, tax: row.tax };
  return shiftAmounts(listed, scale - row.scale);
}
