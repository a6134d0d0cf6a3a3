import { ReconError } from '../base/errors.ts';
import type { LockOptions } from '../base/folder-lock.ts';
import { type CloseRecord, closesInForce } from '../model/close.ts';
import { netAndAbsoluteSums } from '../money/money.ts';
import type { RegisterStart } from '../register/chained-csv.ts';
import { addClose } from '../register/closes-register.ts';
import { checklistOf } from './close-checklist.ts';
import { rungsOf } from './close-ladder.ts';
import { type CloseReport, closeVerdict, isForceable, unexplainedAmounts } from './close-report.ts';

type Signature = Pick<CloseRecord, 'profile' | 'service' | 'at' | 'by' | 'note' | 'tool'>;

interface RecordOptions extends RegisterStart {
  readonly register: string;
  readonly lock: LockOptions;
  readonly signature: Signature;
}

/** Whether nothing stands against recording a close, or only what is forced. */
export function canBeRecorded(report: CloseReport, isForced: boolean): boolean {
  return closeVerdict(report) === 'ready' || (isForced && report.blockers.every(isForceable));
}

/** Adds a close to the register, unless something stands against it that is not forced. */
export async function recordClose(
  report: CloseReport,
  { register, signature, isForced, ...options }: RecordOptions & { readonly isForced: boolean },
): Promise<CloseReport> {
  const { blockers, bridge: bankAccounts, rollForward, books, known, digests } = report;
  const isRefused = !canBeRecorded(report, isForced);
  if (isRefused && report.closes.length === 0) return report;
  const recorded = await addClose(register, options, (records) => {
    if (isRefused) return undefined;
    refuseChanged(records, report, signature);
    return {
      ...signature,
      ...report.range,
      number: records.length + 1,
      reopens: undefined,
      forced: blockers.map(({ code, count, amounts, items }) => {
        return { code, count, sums: netAndAbsoluteSums(amounts), items };
      }),
      steps: checklistOf(report).map(({ step, answer = '' }) => ({ step, answer })),
      rungs: rungsOf(report.ladders),
      decided: report.decisionsMade,
      lines: rollForward.lines,
      bankAccounts,
      books,
      unexplained: netAndAbsoluteSums(unexplainedAmounts(blockers)),
      payouts: rollForward.payouts.filter(({ isChanged }) => isChanged),
      settlements: known,
      digests,
    };
  });
  return recorded ? { ...report, recorded, register } : report;
}

/** Another run may have closed or reopened a range meanwhile. */
function refuseChanged(
  records: readonly CloseRecord[],
  { closes }: CloseReport,
  { profile }: Signature,
): void {
  const numbers = (all: readonly CloseRecord[]) => all.map(({ number }) => number).join();
  if (numbers(closesInForce(records, profile)) === numbers(closes)) return;
  const message = 'The register of closes has changed during this run.';
  throw new ReconError('locked', message, { hint: 'Run the command again.' });
}

const nothingClosed = {
  forced: [],
  lines: [],
  bankAccounts: [],
  books: [],
  unexplained: [],
  payouts: [],
  settlements: [],
  digests: [],
  steps: [],
  rungs: [],
  decided: [],
};

/** Reopens the last close of the profile, and records that. Throws ReconError if there is none. */
export function reopenClose({ register, signature, ...options }: RecordOptions) {
  return addClose(register, options, (records): CloseRecord => {
    const last = closesInForce(records, signature.profile).at(-1);
    if (!last) throw new ReconError('usage', 'No close to reopen.', { where: register });
    const { service, from, to, number: reopens } = last;
    const number = records.length + 1;
    return { ...signature, ...nothingClosed, service, from, to, reopens, number };
  });
}
