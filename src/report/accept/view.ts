import type { AcceptedDifference } from '../../model/accepted-difference.ts';
import { isExpired } from '../../reconcile/acceptance.ts';
import { payInDifference, registerColumns } from '../../register/accepted-register.ts';
import { acceptedText, jsonWhy } from '../common/acceptance.ts';
import {
  accountColumn,
  alarm,
  answerBlock,
  column,
  facts,
  plain,
  section,
  uuid,
} from '../common/blocks.ts';
import { records } from '../common/columns.ts';
import { jsonAmount, jsonFigures, jsonViews } from '../common/json.ts';
import { many, present, signedText } from '../common/phrase.ts';
import type { Names } from '../common/report.ts';
import type { Views } from '../common/view.ts';

/** Everything that the report of `recon accept` is made of. */
export interface AcceptReport {
  /** What was done; `unchanged` where the register said the same already. */
  readonly done: 'accepted' | 'replaced' | 'unchanged' | 'removed' | 'listed';
  /** The lines that were added, removed or listed. */
  readonly lines: readonly AcceptedDifference[];
  /** The path of the register. */
  readonly register: string;
  /** YYYY-MM-DD. */
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

/** What `recon accept` has done. */
export function acceptConclusion(report: AcceptReport): readonly string[] {
  return [`${labels[report.done]}. ${answer(report)}`];
}

function answer({ done, lines, today }: AcceptReport): string {
  if (done === 'removed') return 'The settlement is no longer in the register.';
  if (done === 'listed') {
    const expired = lines.filter((line) => isExpired(line, today)).length;
    const rest = expired > 0 ? `, ${expired} expired` : '';
    return lines.length === 0
      ? 'The register is empty.'
      : `${many(lines.length, 'settlement')}${rest}.`;
  }
  return present(
    ...lines.map(acceptedSentence),
    done === 'replaced' && 'This replaces an earlier line.',
    done === 'unchanged' && 'The register already says so.',
  ).join(' ');
}

function acceptedSentence(line: AcceptedDifference): string {
  const { settlementId, scale, currency, until } = line;
  const amount = `${signedText(payInDifference(line), scale)} ${currency}`;
  const end = until === undefined ? '' : ` until ${until},`;
  return `The pay-in difference of ${amount} in settlement ${settlementId} is accepted${end} as long as nothing in the settlement changes.`;
}

function linesSection({ done, lines, names, today }: AcceptReport) {
  return section(
    done === 'removed' ? 'Removed' : 'Accepted',
    lines,
    [
      column(3, 'Date', 'text', (line) => line.settlementDate),
      column(1, 'Settlement', 'text', (line) => line.settlementId, uuid),
      accountColumn(names, 4, (line) => line.accountingToken),
      column(2, 'Currency', 'text', (line) => line.currency),
      column(1, 'Pay-in difference', 'difference', (line) =>
        signedText(payInDifference(line), line.scale),
      ),
    ],
    (line) => {
      const said = plain(`${acceptedText(line)}: ${line.reason}`, '=');
      return isExpired(line, today) ? [said, alarm('expired, so no longer accepted')] : [said];
    },
  );
}

function jsonLine(line: AcceptedDifference, names: Names) {
  const { scale, accountingToken } = line;
  return {
    settlementId: line.settlementId,
    settlementDate: line.settlementDate,
    accountingToken,
    accountingName: names.get(accountingToken) ?? '',
    currency: line.currency,
    decimalPlaces: scale,
    reported: jsonFigures(line.reported, scale),
    computed: jsonFigures(line.computed, scale),
    payInDifference: jsonAmount(payInDifference(line), scale),
    codes: line.codes,
    ...jsonWhy(line),
  };
}
