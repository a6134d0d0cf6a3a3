import type { Decision } from '../../app/decisions.ts';
import { tableOf } from '../../base/lists.ts';
import { amountsCompared, differenceKey } from '../../model/accepted-difference.ts';
import { valueText } from '../../model/value.ts';
import {
  type DecisionColumn,
  decisionColumns,
  type WrittenDecision,
} from '../../register/decisions-file.ts';
import { bankStates } from '../bank/words.ts';
import {
  canBeCopied,
  capitalised,
  enumerate,
  moneyText,
  present,
  signedMoneyText,
} from '../common/phrase.ts';
import { decisionRecords } from './decisions.ts';
import { kindWords } from './view.ts';

/** A difference to decide, and its line of the list. */
export interface ReviewPoint {
  readonly decision: Decision;
  readonly written: WrittenDecision;
}

/** What is to decide, with the lines of a list that nobody has filled in. */
export function pointsOf(
  due: readonly Decision[],
  context: Parameters<typeof decisionRecords>[1],
): readonly ReviewPoint[] {
  return due.map((decision, at) => {
    const [cells = []] = decisionRecords([decision], context).rows;
    const textOf = (key: DecisionColumn) => valueText(cells[decisionColumns.indexOf(key)]);
    return { decision, written: { line: at + 2, cells: tableOf(decisionColumns, textOf) } };
  });
}

/** What is to decide, how much it is and its likely cause: lines of text. */
export function pointLines(point: ReviewPoint): readonly string[] {
  const { cells } = point.written;
  const { difference, match } = point.decision;
  const { kind } = differenceKey(difference);
  const { expected, received } = amountsCompared(difference);
  const [due, found] = kind === 'pay_in' ? ['computed', 'reported'] : ['expected', 'received'];
  const text = (minor: bigint) => moneyText({ ...difference, minor });
  const [, ...others] = match?.settlements.map(({ settlement }) => settlement.id) ?? [];
  return present(
    pointText(point),
    present(cells.date, cells.account).join(', '),
    others.length > 0 && `in one pay-out with ${enumerate(others)}`,
    `${due} ${text(expected)}, ${found} ${text(received)}`,
    cells.cause,
  );
}

/** `Bank difference, missing: -3,059.32 EUR, settlement 52ce…`. */
function pointText({ decision: { difference, match } }: ReviewPoint): string {
  const { kind, id } = differenceKey(difference);
  const what = present(kindWords[kind], match && bankStates[match.state][0]).join(', ');
  const whose = kind === 'order' ? 'order' : kind === 'unknown' ? 'bank entry' : 'settlement';
  const minor = amountsCompared(difference).difference;
  return `${capitalised(what)}: ${signedMoneyText({ ...difference, minor })}, ${whose} ${id}`;
}

/** `accept: Bank difference, …: "charges of the bank"`: a line of the list, as it is decided. */
export function reviewedText(point: ReviewPoint): string {
  const { decision, reason, by } = point.written.cells;
  const why = present(reason && `"${reason}"`, by && `by ${by}`).join(' ');
  return present(`${decision}: ${pointText(point)}`, why).join('; ');
}

/** The settlement that can be explained, if any. */
export function explainable({ decision: { difference } }: ReviewPoint): string | undefined {
  const { kind, id } = differenceKey(difference);
  return ['pay_in', 'bank'].includes(kind) && canBeCopied(id) ? id : undefined;
}
