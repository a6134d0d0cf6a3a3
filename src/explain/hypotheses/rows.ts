import type { Row } from '../../model/row.ts';
import { formatMinor } from '../../money/money.ts';
import type { CauseCandidate, Hypothesis, SeenRow } from '../candidate.ts';
import { type Case, tallyOfRow, tallyOfRowAt } from '../case.ts';
import { type CauseCode, type CauseFacts, cause, causesBy, scalePowers } from '../cause.ts';
import { purchasesIn, refundsIn, returnedForms } from '../refunds.ts';
import { formsByCount, type RowHypothesis } from '../row-form.ts';
import {
  deltaOf,
  hasAmounts,
  isSame,
  minus,
  noTally,
  plus,
  type Tally,
  tallyOf,
  total,
} from '../tally.ts';
import { bitsOfRowsLike, isLikeRows } from '../unknown.ts';

const work: RowHypothesis['work'] = ({ rows }) => rows.size / 8;

const rowNotCounted = ofAllAmounts('row_not_counted', 'leave_out');

const rowCountedTwice = ofAllAmounts('row_counted_twice', 'add');

function ofAllAmounts(
  code: CauseCode & `row_${'not_counted' | 'counted_twice'}`,
  does: 'leave_out' | 'add',
): RowHypothesis {
  const causes = causesBy((count) => cause(code, { count }));
  return {
    code,
    work,
    forms: ({ rows, values }) => formsByCount(values(), does, causes, rows.size),
  };
}

/** `row_sign`: the header has a row, or a part of its amounts, with the opposite sign. */
const rowSign: RowHypothesis = {
  code: 'row_sign',
  work,
  forms: ({ rows, values }) =>
    (['all', 'gross', 'fees_and_tax'] as const).map((part) => ({
      cause: cause('row_sign', { part }),
      values: values().only(part),
      count: 0,
      listed: 1,
      times: -1,
      power: 0,
      choices: rows.size,
      isSecond: part !== 'all',
    })),
};

export const singleRows: readonly RowHypothesis[] = [rowNotCounted, rowCountedTwice, rowSign];

/** `scale_slip` of a single row. */
export const rowScaleSlip: RowHypothesis = {
  code: 'scale_slip',
  work,
  forms: ({ rows, values }) =>
    scalePowers.map((power) => ({
      cause: cause('scale_slip', { of: 'row', power, decimalPlaces: undefined }),
      values: values(),
      count: 0,
      listed: 1,
      times: 1,
      power,
      choices: rows.size * scalePowers.length,
      isSecond: false,
    })),
};

/**
 * `missing_rows`: the header counts more rows than are listed; their amounts are the difference.
 * It fits any difference; the more they are like the listed rows, the likelier.
 */
export const missingRows: Hypothesis = {
  code: 'missing_rows',
  dependsOn: 'case',
  *candidates({ subject }) {
    const { target, scale, payInBy, isCountStated, isGrossStated, identity } = subject;
    const change = tallyOf(target.count, target);
    const { payIn } = deltaOf(identity, target);
    const isByPayIn = payIn !== 0n && (payInBy !== undefined || !isGrossStated);
    // Rows without any amount would be a wrong count.
    if ((isCountStated && target.count <= 0) || !hasAmounts(target)) return;
    const inLine = isCountStated && isLikeRows(subject);
    yield {
      cause: cause('missing_rows', {
        ...(isByPayIn && { payIn: formatMinor(payIn, scale) }),
      }),
      // Missing rows rarely have other fees than the listed ones.
      choices: inLine || !isCountStated ? 1 : 64,
      assumed: bitsOfRowsLike(subject),
      inLine,
      change,
    };
  },
};

/** Clients do not request shorter pages. */
const fewestRows = 20;

/** `page`: the header leaves out a page of the list, or has it twice; a page starts at a multiple of its length. */
export const page: Hypothesis = {
  code: 'page',
  dependsOn: 'case',
  work: ({ rows, target }) => (Math.abs(target.count) < fewestRows ? 0 : rows.size),
  *candidates({ subject }) {
    const { rows, target } = subject;
    const size = Math.abs(target.count);
    if (size < fewestRows) return;
    const is = target.count < 0 ? 'left_out' : 'counted_twice';
    const choices = Math.ceil(rows.size / size);
    for (let from = 0; from + size <= rows.size; from += size) {
      let sum: Tally | undefined = noTally;
      for (let row = from; row < from + size && sum; row++) {
        const own = tallyOfRowAt(subject, rows, row);
        sum = own && plus(sum, own);
      }
      if (sum === undefined) continue;
      const change = is === 'left_out' ? minus(noTally, sum) : sum;
      yield {
        cause: cause('page', { is, from }),
        choices,
        change,
        rows: { of: 'page', from, count: size },
      };
    }
  },
};

/** `refund_fees`: the header gives back the fees and tax of refunded purchases, of all or of one. */
export const refundFees: Hypothesis = {
  code: 'refund_fees',
  dependsOn: 'case',
  *candidates({ subject }) {
    const { rows, scale, evidence, settlement } = subject;
    const others = (evidence.neighbours ?? []).flatMap((one) => one.rows ?? []);
    const { currency } = settlement;
    const refunds = refundsIn(rows, purchasesIn([...others, rows]), { currency, scale });
    const each =
      refunds.length > 1 && refunds.length <= mostRefunds ? refunds.map((one) => [one]) : [];
    for (const some of [refunds, ...each]) {
      const changes = returnedForms.map((returned) => {
        return { returned, change: minus(noTally, total(some.map((one) => one[returned]))) };
      });
      const [inFull, inPart] = changes;
      const isOne = inFull && inPart && isSame(inFull.change, inPart.change);
      const [first = 0] = some.map(({ row }) => row);
      for (const { returned, change } of isOne ? [inFull] : changes) {
        yield {
          cause: cause('refund_fees', { returned }),
          choices: some === refunds ? 1 : refunds.length,
          change,
          rows:
            some.length === 1
              ? { of: 'row', columns: rows, index: first }
              : { of: 'rows', columns: rows, indexes: some.map(({ row }) => row) },
        };
      }
    }
  },
};

/** Among more refunds, some fit by chance. */
const mostRefunds = 100;

/** `duplicate_rows`: the header includes what reading removed: copies, or the other content of an id. */
export const duplicateRows: Hypothesis = {
  code: 'duplicate_rows',
  dependsOn: 'case',
  *candidates({ subject }) {
    const { repeated, conflicts } = subject.evidence.outcome;
    yield* copies(subject, repeated, 'copies');
    if (repeated.length > 1) {
      for (const one of repeated) yield* copies(subject, [one], 'one_row', repeated.length);
    }
    const contents = conflicts.reduce((sum, { length }) => sum + length - 1, 0);
    for (const [counted, ...others] of conflicts) {
      if (counted === undefined) continue;
      for (const other of others) yield* otherContent(subject, counted, other, contents);
    }
  },
};

function* copies(
  subject: Case,
  repeated: Case['evidence']['outcome']['repeated'],
  kind: 'copies' | 'one_row',
  choices = 1,
): Iterable<CauseCandidate> {
  const seen = repeated.flatMap(({ row, copies }) => {
    const added = seenRow(subject, row);
    return Array.from({ length: copies }, () => added);
  });
  const known = seen.filter((one) => one !== undefined);
  if (known.length < seen.length) return;
  const rows = { of: 'list', rows: repeated.map(({ row }) => row) } as const;
  yield* included(kind, choices, known, rows);
}

function* otherContent(
  subject: Case,
  counted: Row,
  other: Row,
  choices: number,
): Iterable<CauseCandidate> {
  const added = seenRow(subject, other);
  const taken = seenRow(subject, counted);
  if (added === undefined || taken === undefined) return;
  const rows = { of: 'list', rows: [other] } as const;
  const instead = cause('duplicate_rows', { kind: 'other_content', count: 'stays' });
  const change = minus(added.reported, taken.reported);
  const seen = [{ ...added, listed: taken.reported, change }];
  yield { cause: instead, choices, change, rows, seen };
  yield* included('both_contents', choices, [added], rows);
}

function seenRow(subject: Case, row: Row): SeenRow | undefined {
  const { amount: gross, fees, tax } = row;
  const reported = tallyOfRow(subject, row, { gross, fees, tax });
  return reported && { kind: row, reported, listed: noTally, change: reported };
}

/** The candidates that the header includes these rows too, in its count or not. */
function* included(
  kind: CauseFacts['duplicate_rows']['kind'],
  choices: number,
  added: readonly SeenRow[],
  rows: CauseCandidate['rows'],
): Iterable<CauseCandidate> {
  const { follows, stays } = causesBy((count) => cause('duplicate_rows', { kind, count }));
  const uncounted = added.map((one) => ({ ...one, change: { ...one.change, count: 0 } }));
  for (const [cause, seen] of [
    [follows, added],
    [stays, uncounted],
  ] as const) {
    yield { cause, choices, change: total(seen.map(({ change }) => change)), rows, seen };
  }
}
