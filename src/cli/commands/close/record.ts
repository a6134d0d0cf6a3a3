import {
  type CloseReport,
  closeVerdict,
  isForceable,
  unexplainedAmounts,
} from '../../../app/close-report.ts';
import { ReconError } from '../../../base/errors.ts';
import { type CloseRecord, closesInForce } from '../../../model/close.ts';
import { netAndAbsoluteSums } from '../../../money/money.ts';
import { addClose } from '../../../register/closes-register.ts';
import { blockerText } from '../../../report/close/words.ts';
import { enumerate } from '../../../report/common/phrase.ts';
import type { Asked } from '../../asked.ts';
import type { ContextOf } from '../../context.ts';
import { lockOptions } from '../../processes.ts';
import type { closeCommand } from './command.ts';

type CloseContext = ContextOf<typeof closeCommand>;

function registerOf({ settings }: Pick<Asked, 'settings'>): string {
  const { closes } = settings.preferences;
  if (closes !== undefined) return closes;
  throw new ReconError('configuration', 'The register of closes is not set.', {
    hint: 'Set closes = "closes.csv" in the profile or RECON_CLOSES, or add --closes FILE.',
  });
}

function byWhom({ flags }: CloseContext): string {
  if (flags.by !== undefined) return flags.by;
  const hint = 'Add --by NAME: the register keeps who has done it.';
  throw new ReconError('usage', 'No --by given.', { hint });
}

/** Refuses flags that cannot work, before anything is read. */
export function checkRecordFlags(asked: Asked, context: CloseContext): void {
  const { record, reopen, force, note } = context.flags;
  if (!record && !reopen) return;
  registerOf(asked);
  byWhom(context);
  if ((force || reopen) && note === undefined) {
    const flag = reopen ? '--reopen' : '--force';
    throw new ReconError('usage', `${flag} needs --note.`, { hint: 'Add --note TEXT: why.' });
  }
}

function signed(asked: Asked, service: string, context: CloseContext) {
  const { flags, clock } = context;
  return {
    profile: asked.settings.profile ?? '',
    service,
    at: new Date(clock.now()).toISOString(),
    by: byWhom(context),
    note: flags.note ?? '',
    tool: RECON_VERSION,
  };
}

/** Reopens the last close of the profile, and records that. Throws ReconError if there is none. */
export async function reopenLast(asked: Asked, context: CloseContext): Promise<CloseRecord> {
  const lock = await lockOptions(context);
  const who = signed(asked, '', context);
  return addClose(registerOf(asked), { isNew: false, lock }, (records) => {
    const last = closesInForce(records, who.profile).at(-1);
    if (!last) throw new ReconError('usage', 'No close to reopen.', { where: registerOf(asked) });
    return {
      ...{ ...who, service: last.service, from: last.from, to: last.to, reopens: last.number },
      ...{ number: records.length + 1, forced: [], lines: [], bankAccounts: [], books: [] },
      ...{ unexplained: [], payouts: [], digests: [] },
    };
  });
}

/** Adds a close to the register, unless something stands against it that is not forced. */
export async function recordClose(
  report: CloseReport,
  service: string,
  asked: Asked,
  context: CloseContext,
): Promise<CloseReport> {
  const { flags } = context;
  if (!flags.record) return report;
  const { blockers } = report;
  const isForced = (flags.force ?? false) && blockers.every(isForceable);
  if (closeVerdict(report) !== 'ready' && !isForced) return report;
  const lock = await lockOptions(context);
  const options = { isNew: flags.newRegister ?? false, lock };
  const recorded = await addClose(registerOf(asked), options, (records) => {
    refuseOthers(records, report, asked);
    return {
      ...signed(asked, service, context),
      ...{ ...report.range, number: records.length + 1, reopens: undefined },
      ...contentOf(report),
    };
  });
  return { ...report, recorded };
}

/** Another run may have closed or reopened a range meanwhile. */
function refuseOthers(
  records: readonly CloseRecord[],
  { closes }: CloseReport,
  { settings }: Asked,
): void {
  const own = closesInForce(records, settings.profile ?? '');
  const numbers = (all: readonly CloseRecord[]) => all.map(({ number }) => number).join();
  if (numbers(own) === numbers(closes)) return;
  const message = 'The register of closes has changed during this run.';
  throw new ReconError('locked', message, { hint: 'Run the command again.' });
}

function contentOf({ bridge, blockers, rollForward, books, digests }: CloseReport) {
  return {
    ...{ forced: blockers.map(({ code }) => code), lines: rollForward.lines, books, digests },
    ...{ bankAccounts: bridge, unexplained: netAndAbsoluteSums(unexplainedAmounts(blockers)) },
    payouts: rollForward.payouts.filter(({ isChanged }) => isChanged),
  };
}

/** What stands against a close that could not be recorded, as a sentence. */
export function whyNotRecorded({ blockers }: CloseReport): string {
  return `Not recorded: ${enumerate(blockers.map(blockerText))}.`;
}
