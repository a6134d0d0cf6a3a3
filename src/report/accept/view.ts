import { isInOrder, type JudgedDecision, type judgeDecisions } from '../../app/accept-decisions.ts';
import type { RegisterChange } from '../../app/accept-differences.ts';
import { groupedBy } from '../../base/lists.ts';
import {
  type AcceptedLine,
  type BankDifference,
  type DifferenceKind,
  differenceAmount,
  differenceKey,
  payoutDecisions,
} from '../../model/accepted-difference.ts';
import type { Names } from '../../model/settlement.ts';
import { type Money, netAndAbsoluteSums } from '../../money/money.ts';
import { isExpired } from '../../reconcile/acceptance.ts';
import { registerColumns } from '../../register/accepted-register.ts';
import { acceptanceChangeText, acceptedText, jsonReasons } from '../common/acceptance.ts';
import {
  accountColumn,
  alarm,
  answerBlock,
  column,
  facts,
  plain,
  section,
} from '../common/blocks.ts';
import { amountOf, field, records } from '../common/columns.ts';
import { jsonFigures, jsonSettlementKey, jsonSums, jsonViews } from '../common/json.ts';
import {
  amountsText,
  amountText,
  enumerate,
  grouped,
  many,
  moneyText,
  netAndAbsoluteText,
  present,
  signedText,
} from '../common/phrase.ts';
import type { Remark, Views } from '../common/view.ts';

export interface AcceptReport extends RegisterChange {
  readonly register: string;
  readonly today: string;
  readonly names: Names;
}

const labels: Readonly<Record<AcceptReport['done'], string>> = {
  accepted: 'ACCEPTED',
  replaced: 'ACCEPTED',
  unchanged: 'ALREADY ACCEPTED',
  removed: 'REMOVED',
  listed: 'ACCEPTED DIFFERENCES',
};

/** The report of `recon accept`. A record is a line of the register, in its columns. */
export function acceptViews(report: AcceptReport): Views {
  const { done, lines, register, names } = report;
  return {
    view: () => [
      answerBlock(labels[done], 'plain', answer(report)),
      facts([['Register', register]]),
      ...(lines.length === 0 ? [] : [linesSection(report)]),
    ],
    records: () => records(registerColumns, lines),
    ...jsonViews(() => ({
      about: { register, done },
      lists: { accepted: ['accepted', lines.map((line) => jsonLine(line, names))] },
    })),
  };
}

export function acceptConclusion(report: AcceptReport): readonly string[] {
  return [`${labels[report.done]}. ${answer(report)}`];
}

function answer({ done, lines, before, today, remaining }: AcceptReport): string {
  if (done === 'removed') {
    if (!remaining) {
      const [key] = lines.map(differenceKey);
      const what =
        key?.kind === 'order' ? 'order' : key?.kind === 'unknown' ? 'bank entry' : 'settlement';
      return `The ${what} is no longer in the register.`;
    }
    const [line] = lines;
    const removed = kindWords[line ? differenceKey(line).kind : 'unknown'];
    return `The ${removed} is no longer in the register. The ${kindWords[remaining]} still is.`;
  }
  if (done === 'listed') {
    const expired = lines.filter((line) => isExpired(line, today)).length;
    const rest = expired > 0 ? `, ${expired} expired` : '';
    const idsOf = (some: readonly AcceptedLine[]) =>
      new Set(some.map((line) => differenceKey(line).id.toLowerCase())).size;
    const settlements = idsOf(lines.filter((line) => 'settlementId' in line));
    const entries = idsOf(lines.filter((line) => 'entryId' in line));
    const orders = lines.filter((line) => 'orderRef' in line).length;
    const counted = present(
      settlements > 0 && many(settlements, 'settlement'),
      entries > 0 && many(entries, 'bank entry', 'bank entries'),
      orders > 0 && many(orders, 'order'),
    );
    return lines.length === 0 ? 'The register is empty.' : `${counted.join(', ')}${rest}.`;
  }
  return [
    ...lines.map(acceptedSentence),
    ...present(
      done === 'replaced' && 'This replaces an earlier line.',
      before && changesText(before, lines[0]),
      done === 'unchanged' && 'The register already says so.',
    ),
  ].join(' ');
}

/** `It was until 2026-12-31, now without end.`: the changes from the earlier line. */
function changesText(before: AcceptedLine, now: AcceptedLine = before): string | false {
  const wordsOf = ({ until, by, account }: AcceptedLine) => [
    until === undefined ? 'without end' : `until ${until}`,
    by === '' ? 'by nobody named' : `by ${by}`,
    account === '' ? 'without an account' : `for the account ${account}`,
  ];
  const after = wordsOf(now);
  const changes = wordsOf(before).flatMap((was, at) =>
    was === after[at] ? [] : `${was}, now ${after[at]}`,
  );
  return changes.length > 0 && `It was ${changes.join('; ')}.`;
}

export const kindWords: Readonly<Record<DifferenceKind, string>> = {
  pay_in: 'net pay-out difference',
  bank: 'bank difference',
  unknown: 'difference',
  order: 'difference of the order',
  settled_with: 'decision that it is settled with another settlement',
  written_off: 'decision that it is written off',
  confirmed: 'confirmation of its bank entry',
};

/** Of settlements and orders: bank entries can only be accepted by a list. */
function acceptedSentence(line: AcceptedLine): string {
  const amount = `${grouped(differenceText(line))} ${line.currency}`;
  const { id } = differenceKey(line);
  if ('decision' in line) {
    const own = `${grouped(amountText(line.expected, line.scale))} ${line.currency}`;
    if (line.confirmed) {
      const { places, others } = line.confirmed;
      const all = [id, ...others];
      const whose = all.length === 1 ? `settlement ${id}` : `settlements ${enumerate(all)}`;
      const [are, they] = places.length === 1 ? ['is', 'it'] : ['are', 'they'];
      return `${enumerate(places)} ${are} confirmed as the pay-out of ${whose}, ${own}, as long as neither ${they} nor the net pay-out changes.`;
    }
    return line.other
      ? `The pay-out of settlement ${id}, ${own}, is settled with that of ${line.other.settlementId} as long as their net pay-outs do not change.`
      : `What is open of the pay-out of settlement ${id}, ${own}, is written off as long as the amounts expected and received do not change.`;
  }
  const end = line.until === undefined ? '' : ` until ${line.until},`;
  if ('orderRef' in line) {
    return `The difference of ${amount} of order ${id} is accepted${end} as long as it does not change.`;
  }
  const [what, unchanged] =
    'received' in line
      ? ['bank difference', 'the amounts expected and received do not change']
      : ['net pay-out difference', 'nothing in the settlement changes'];
  return `The ${what} of ${amount} in settlement ${id} is accepted${end} as long as ${unchanged}.`;
}

function differenceText(line: AcceptedLine): string {
  return signedText(differenceAmount(line), line.scale);
}

function linesSection({ done, lines, names, today }: AcceptReport) {
  const difference = (title: string, ...meant: readonly DifferenceKind[]) =>
    column.difference<AcceptedLine>(title, (line) =>
      meant.includes(differenceKey(line).kind)
        ? amountOf(differenceAmount(line), line.scale)
        : undefined,
    );
  return section(
    done === 'removed' ? 'Removed' : 'Accepted',
    lines,
    [
      column.day('Date', (line) => differenceKey(line).date, { priority: 3 }),
      column.id('Settlement', (line) => ('settlementId' in line ? line.settlementId : '')),
      column.id('Bank entry', (line) => ('entryId' in line ? line.entryId : '')),
      column.text('Order', (line) => ('orderRef' in line ? line.orderRef : '')),
      accountColumn(names, (line) => differenceKey(line).account, { priority: 4 }),
      column.text('Currency', (line) => line.currency, { priority: 2 }),
      difference('Net pay-out difference', 'pay_in'),
      difference('Bank difference', 'bank', ...payoutDecisions),
      difference('Unknown receipt', 'unknown'),
      difference('Order difference', 'order'),
    ],
    { remarks: (line) => lineRemarks(line, today) },
  );
}

function lineRemarks(line: AcceptedLine, today: string): readonly Remark[] {
  const { reason, account } = line;
  return [
    plain(present(acceptedText(line), reason).join(': '), '='),
    ...('settlementId' in line && 'received' in line ? [plain(bankText(line))] : []),
    ...(account === '' ? [] : [plain(`account in the books: ${account}`)]),
    ...(isExpired(line, today) ? [alarm('expired, so no longer accepted')] : []),
  ];
}

/** `expected 100.00, received 98.50`. */
function bankText({ expected, received, scale }: BankDifference): string {
  return `expected ${grouped(amountText(expected, scale))}, received ${grouped(amountText(received, scale))}`;
}

/** A line of the register in JSON. */
function jsonLine(line: AcceptedLine, names: Names) {
  const { scale } = line;
  const { id, date, account } = differenceKey(line);
  return {
    ...('orderRef' in line
      ? { order: { reference: id, date: date || null, account: account || null } }
      : 'entryId' in line
        ? { bankEntry: { id, date, account } }
        : { settlement: jsonSettlementKey({ id, date, accountingToken: account }, names) }),
    currency: line.currency,
    scale,
    ...('decision' in line && {
      decision: line.decision,
      settledWith: line.other
        ? { id: line.other.settlementId, date: line.other.settlementDate, payIn: line.other.payIn }
        : null,
      confirmed: line.confirmed ?? null,
    }),
    ...('orderRef' in line
      ? { orderDifference: differenceAmount(line) }
      : 'received' in line
        ? {
            bankExpected: line.expected,
            bankReceived: line.received,
            bankDifference: differenceAmount(line),
          }
        : {
            reported: jsonFigures(line.reported),
            computed: jsonFigures(line.computed),
            payInDifference: differenceAmount(line),
            codes: line.codes,
          }),
    ...jsonReasons(line),
    booksAccount: line.account || null,
  };
}

export interface DecisionsReport extends ReturnType<typeof judgeDecisions> {
  readonly file: string;
  readonly register: string;
  readonly isDryRun: boolean;
  readonly names: Names;
}

/** The report of `recon accept --from`. A record is a line of the list. */
export function decisionsViews(report: DecisionsReport): Views {
  const { judged, file, register, isDryRun, isStopped, before, after, names } = report;
  const isWritten = report.placedChanges.length > 0 && !isDryRun;
  return {
    view: () => [
      answerBlock(decisionsLabel(report), isStopped ? 'bad' : 'plain', decisionsAnswer(report)),
      facts([
        ['File', file],
        ['Register', register],
        ['Accepted before', sumsText(before)],
        ['Accepted after', sumsText(after)],
      ]),
      section<JudgedDecision>(
        'Decisions',
        judged,
        [
          column.integer('Line', ({ written }) => written.line, { priority: 2 }),
          column.text('Status', (one) => statusText(one.status, isWritten)),
          column.text('Kind', (one) => subjectOf(one).kind, { priority: 2 }),
          column.id('Settlement or bank entry', (one) => subjectOf(one).id),
          column.text('Currency', (one) => subjectOf(one).currency),
          column.difference('Difference', (one) => subjectOf(one).difference),
        ],
        {
          remarks: (one) =>
            isInOrder(one)
              ? present(one.placedChange?.line.reason).map((text) => plain(text, '='))
              : present(lineProblem(one)).map(alarm),
        },
      ),
    ],
    records: () => records(fileColumns, judged),
    ...jsonViews(() => ({
      about: {
        register,
        file,
        dryRun: isDryRun,
        written: isWritten,
        before: jsonSums(amountsOf(before)),
        after: jsonSums(amountsOf(after)),
      },
      lists: {
        decisions: [
          'decision',
          judged.map((one) => ({
            line: one.written.line,
            kind: subjectOf(one).kind,
            id: subjectOf(one).id,
            status: one.status,
            problem: lineProblem(one) || null,
            accepted: one.placedChange && jsonLine(one.placedChange.line, names),
          })),
        ],
      },
    })),
  };
}

export function decisionsConclusion(report: DecisionsReport): readonly string[] {
  return [`${decisionsLabel(report)}. ${decisionsAnswer(report)}`];
}

function decisionsLabel({ placedChanges, isDryRun, isStopped, judged }: DecisionsReport): string {
  if (placedChanges.length > 0) return isDryRun ? 'DRY RUN' : 'ACCEPTED';
  const isAlready = !isStopped && judged.some(({ status }) => status === 'already_accepted');
  return isAlready ? 'ALREADY ACCEPTED' : 'NOTHING ACCEPTED';
}

function decisionsAnswer(report: DecisionsReport): string {
  const { judged, isStopped, isDryRun, placedChanges, register } = report;
  const isWritten = placedChanges.length > 0 && !isDryRun;
  const counts = [...groupedBy(judged, ({ status }) => status)].map(
    ([status, { length }]) => `${grouped(length)} ${statusText(status, isWritten)}`,
  );
  const accepted = placedChanges.map(({ line }) => line);
  const confirmed = accepted.filter((line) => 'confirmed' in line && line.confirmed);
  const others = accepted.filter((line) => !confirmed.includes(line));
  const received = confirmed.flatMap((line) =>
    'received' in line ? [{ ...line, minor: line.received }] : [],
  );
  return present(
    `${many(judged.length, 'line')}: ${enumerate(counts)}.`,
    confirmed.length > 0 && `Confirmed: ${amountsText(received, moneyText)}.`,
    others.length > 0 && `Differences: ${sumsText(others)}.`,
    isStopped && 'All or nothing: correct the lines that are not in order, or add --partial.',
    isDryRun && 'Nothing was written.',
    isWritten && `Written to ${register}: ${many(accepted.length, 'line')}.`,
  ).join(' ');
}

function statusText(status: JudgedDecision['status'], isWritten = true): string {
  return status === 'accepted' && !isWritten ? 'can be accepted' : status.replaceAll('_', ' ');
}

/** Why a line of a list cannot be accepted; empty if it can. */
export function lineProblem({ problem, changes = [] }: JudgedDecision): string {
  return problem ?? enumerate(changes.map(acceptanceChangeText));
}

/** The difference of a line: as it is now or, if none was found, as it is in the file. */
function subjectOf({ decision, written: { cells } }: JudgedDecision) {
  const { kind, settlement_id: id, date, currency } = cells;
  if (!decision) return { kind, id, date, currency, difference: undefined };
  const one = decision.difference;
  const difference = amountOf(differenceAmount(one), one.scale);
  return { ...differenceKey(one), currency: one.currency, difference };
}

const fileColumns = [
  field.integer<JudgedDecision>('line', ({ written }) => written.line),
  field.text<JudgedDecision>('status', ({ status }) => status),
  field.text<JudgedDecision>('problem', lineProblem),
  field.text<JudgedDecision>('kind', (one) => subjectOf(one).kind),
  field.text<JudgedDecision>('settlement_id', (one) => subjectOf(one).id),
  field.day<JudgedDecision>('date', (one) => subjectOf(one).date),
  field.text<JudgedDecision>('currency', (one) => subjectOf(one).currency),
  field.amount<JudgedDecision>('difference', (one) => subjectOf(one).difference),
  field.text<JudgedDecision>('reason', ({ written }) => written.cells.reason),
];

function amountsOf(lines: readonly AcceptedLine[]): readonly Money[] {
  return lines.map((line) => ({ ...line, minor: differenceAmount(line) }));
}

function sumsText(lines: readonly AcceptedLine[]): string {
  const sums = netAndAbsoluteSums(amountsOf(lines));
  const texts = sums.map((one) => netAndAbsoluteText(one, one.currency, one.scale));
  return texts.join('; ') || 'nothing';
}
