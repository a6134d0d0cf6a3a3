import type { RegisterChange } from '../../app/accept-differences.ts';
import {
  type AcceptedLine,
  type BankDifference,
  type DifferenceKind,
  differenceAmount,
  differenceKey,
  payoutDecisions,
} from '../../model/accepted-difference.ts';
import type { Names } from '../../model/settlement.ts';
import { isExpired } from '../../reconcile/acceptance.ts';
import { registerColumns } from '../../register/accepted-register.ts';
import { acceptedText, jsonReasons } from '../common/acceptance.ts';
import {
  accountColumn,
  alarm,
  answerBlock,
  column,
  facts,
  plain,
  section,
} from '../common/blocks.ts';
import { amountOf, records } from '../common/columns.ts';
import { jsonAmount, jsonFigures, jsonSettlementKey, jsonViews } from '../common/json.ts';
import { amountText, grouped, many, present, signedText } from '../common/phrase.ts';
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
      const isEntry = lines.some((line) => 'entryId' in line);
      return `The ${isEntry ? 'bank entry' : 'settlement'} is no longer in the register.`;
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
    const settlements = idsOf(lines.filter((line) => !('entryId' in line)));
    const entries = idsOf(lines) - settlements;
    const counted = present(
      settlements > 0 && many(settlements, 'settlement'),
      entries > 0 && many(entries, 'bank entry', 'bank entries'),
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

const kindWords: Readonly<Record<DifferenceKind, string>> = {
  pay_in: 'pay-in difference',
  bank: 'bank difference',
  unknown: 'difference',
  settled_with: 'decision that it is settled with another settlement',
  written_off: 'decision that it is written off',
};

/** Only for settlements: bank entries can only be accepted by a list. */
function acceptedSentence(line: AcceptedLine): string {
  const amount = `${grouped(differenceText(line))} ${line.currency}`;
  const { id } = differenceKey(line);
  if ('decision' in line) {
    const own = `${grouped(amountText(line.expected, line.scale))} ${line.currency}`;
    return line.other
      ? `The pay-out of settlement ${id}, ${own}, is settled with that of ${line.other.settlementId} as long as their pay-ins do not change.`
      : `What is open of the pay-out of settlement ${id}, ${own}, is written off as long as the amounts expected and received do not change.`;
  }
  const [what, unchanged] =
    'received' in line
      ? ['bank difference', 'the amounts expected and received do not change']
      : ['pay-in difference', 'nothing in the settlement changes'];
  const end = line.until === undefined ? '' : ` until ${line.until},`;
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
      column.id('Settlement', (line) => ('entryId' in line ? '' : line.settlementId)),
      column.id('Bank entry', (line) => ('entryId' in line ? line.entryId : '')),
      accountColumn(names, (line) => differenceKey(line).account, { priority: 4 }),
      column.text('Currency', (line) => line.currency, { priority: 2 }),
      difference('Pay-in difference', 'pay_in'),
      difference('Bank difference', 'bank', ...payoutDecisions),
      difference('Unknown receipt', 'unknown'),
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
export function jsonLine(line: AcceptedLine, names: Names) {
  const { scale } = line;
  const { id, date, account } = differenceKey(line);
  return {
    ...('entryId' in line
      ? { bankEntry: { id, date, account } }
      : { settlement: jsonSettlementKey({ id, date, accountingToken: account }, names) }),
    currency: line.currency,
    decimalPlaces: scale,
    ...('decision' in line && {
      decision: line.decision,
      settledWith: line.other
        ? {
            id: line.other.settlementId,
            date: line.other.settlementDate,
            payIn: jsonAmount(line.other.payIn, scale),
          }
        : null,
    }),
    ...('received' in line
      ? {
          bankExpected: jsonAmount(line.expected, scale),
          bankReceived: jsonAmount(line.received, scale),
          bankDifference: jsonAmount(differenceAmount(line), scale),
        }
      : {
          reported: jsonFigures(line.reported, scale),
          computed: jsonFigures(line.computed, scale),
          payInDifference: jsonAmount(differenceAmount(line), scale),
          codes: line.codes,
        }),
    ...jsonReasons(line),
    booksAccount: line.account || null,
  };
}
