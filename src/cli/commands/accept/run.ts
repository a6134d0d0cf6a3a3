import { acceptBankDifference, acceptDifference } from '../../../app/accept-difference.ts';
import { findSettlement } from '../../../app/find-settlement.ts';
import { ReconError } from '../../../base/errors.ts';
import type { LockOptions } from '../../../base/folder-lock.ts';
import { type AcceptedLine, isBankDifference } from '../../../model/accepted-difference.ts';
import type { Source } from '../../../model/source.ts';
import { isExpired } from '../../../reconcile/acceptance.ts';
import {
  acceptedChange,
  isSameButForItsDay,
  type LineKind,
  parseRegister,
  recordsOf,
  sameLine,
} from '../../../register/accepted-register.ts';
import { changeKeptCsv } from '../../../register/kept-csv.ts';
import { csvText } from '../../../render/csv.ts';
import { type AcceptReport, acceptConclusion, acceptViews } from '../../../report/accept/view.ts';
import { readRegister } from '../../accepted.ts';
import { type Asked, sayExported, whatIsAsked } from '../../asked.ts';
import { matchedPayouts, type NamedStatements, readBank } from '../../bank.ts';
import { exitCodes } from '../../exit-codes.ts';
import { printReport, resolveTarget } from '../../output.ts';
import { lockOptions } from '../../processes.ts';
import { dayMeant } from '../../range.ts';
import { withSource } from '../../source.ts';
import type { AcceptContext } from './command.ts';

type Done = Pick<AcceptReport, 'done' | 'lines' | 'before' | 'remaining'>;

/** `recon accept`: adds to the register of accepted differences, lists it, or removes from it. */
export async function accept(context: AcceptContext, [id]: readonly string[]): Promise<number> {
  const { flags } = context;
  const target = resolveTarget(context);
  const asked = await whatIsAsked(context);
  const register = asked.settings.preferences.accepted;
  if (register === undefined) {
    throw new ReconError('configuration', 'The register of accepted differences is not set.', {
      hint: 'Set accepted = "accepted.csv" in the profile or RECON_ACCEPTED, or add --accepted FILE.',
    });
  }
  const today = asked.today();
  const lock = await lockOptions(context);
  const work = async (): Promise<Done> => {
    if (flags.list) {
      if (id !== undefined) {
        const hint = 'Remove the id: --list shows the whole register.';
        throw new ReconError('usage', '--list cannot be combined with a settlement.', { hint });
      }
      return { done: 'listed', lines: (await readRegister(register, context)).lines };
    }
    if (id === undefined) {
      throw new ReconError('usage', 'No settlement given.', {
        hint: 'Add the id of a settlement, or --list to see what is accepted.',
      });
    }
    const kind = { settlementId: id, isBank: flags.bank !== undefined };
    if (flags.remove) return remove(kind, register, lock);
    const line = await readDifference(id, today, asked, context);
    return put(line, register, lock, { today, replaces: flags.replace ?? false });
  };
  const report: AcceptReport = { ...(await work()), register, today, names: asked.names };
  await printReport(target, acceptViews(report), context, acceptConclusion(report));
  return exitCodes.ok;
}

async function readDifference(
  settlementId: string,
  today: string,
  asked: Asked,
  context: AcceptContext,
): Promise<AcceptedLine> {
  const { difference, reason, by = '', until, account = '', bank } = context.flags;
  if (difference === undefined || reason === undefined) {
    const flag = difference === undefined ? '--difference' : '--reason';
    throw new ReconError('usage', `No ${flag} given.`, {
      hint: 'Add --difference and --reason, for example --difference -5.00 --reason "refunded in April".',
    });
  }
  const last = until === undefined ? undefined : dayMeant('--until', until, today);
  if (last !== undefined && last < today) {
    const hint = 'Use today or a later day.';
    throw new ReconError('usage', `${last} is in the past.`, { where: '--until', hint });
  }
  const request = { settlementId, difference, reason, by, on: today, until: last, account };
  const statements = bank && (await readBank(bank, asked, context));
  return withSource<AcceptedLine>(asked, context, ({ source }) => {
    sayExported(asked, context);
    if (!statements) return acceptDifference(request, source, asked.judgement);
    return acceptOnBank(request, source, statements, asked);
  });
}

async function acceptOnBank(
  request: Parameters<typeof acceptDifference>[0],
  source: Source,
  statements: NamedStatements,
  asked: Asked,
): Promise<AcceptedLine> {
  const { settlement, findings } = await findSettlement(source, request.settlementId);
  const { id, date, accountingToken } = settlement;
  const query = { range: { from: date, to: date }, filters: asked.filters };
  const report = await matchedPayouts(source, statements, query, asked, {});
  const isOpen = [...findings, ...report.findings].some(({ weight }) => weight === 'incomplete');
  if (isOpen) {
    const message = `The settlements of ${date} were not fully read, so nothing can be accepted.`;
    throw new ReconError('service', message, { hint: 'Try again later.' });
  }
  const { matches } = report.matching;
  const header = { settlementDate: date, accountingToken };
  return acceptBankDifference({ ...request, settlementId: id }, header, matches);
}

/**
 * Replaces the settlement's line. Person, last day and account are kept unless given anew, or with
 * --replace.
 */
async function put(
  given: AcceptedLine,
  register: string,
  lock: LockOptions,
  { today, replaces }: { readonly today: string; readonly replaces: boolean },
): Promise<Done> {
  let line = given;
  let before: AcceptedLine | undefined;
  const change = await changeKeptCsv(register, lock, (csv) => {
    const { lines, faults } = parseRegister(csv);
    const fault = faults.find((one) => one.line === 1);
    if (fault) {
      const where = `${register}:1`;
      const hint = 'Correct the header, or name another file.';
      throw new ReconError('configuration', fault.message, { where, hint });
    }
    const removed = recordsOf(csv, { ...given, isBank: isBankDifference(given) });
    before = sameLine(lines, given);
    const [unread] = before ? [] : removed;
    if (unread && !replaces) {
      throw new ReconError('usage', 'The earlier acceptance of this settlement cannot be read.', {
        where: `${register}:${unread.line}`,
        hint: 'Correct that line, or add --replace to drop what it says.',
      });
    }
    line = before && !replaces ? withEarlier(given, before, today) : given;
    if (before && isSameButForItsDay(before, line)) return undefined;
    return acceptedChange(csv, removed, line, csvText);
  });
  const done = change?.removed.length === 0 ? 'accepted' : change ? 'replaced' : 'unchanged';
  return { done, lines: [line], before };
}

/** A line with what the earlier one says beyond it. Throws ReconError if that one has expired. */
function withEarlier(line: AcceptedLine, before: AcceptedLine, today: string): AcceptedLine {
  if (line.until === undefined && isExpired(before, today)) {
    throw new ReconError('usage', `The earlier acceptance ended on ${before.until}.`, {
      hint: 'Add a new last day: --until DAY. To accept it without an end, add --replace.',
    });
  }
  const { by, account, until } = line;
  return {
    ...line,
    by: by || before.by,
    account: account || before.account,
    until: until ?? before.until,
  };
}

async function remove(kind: LineKind, register: string, lock: LockOptions): Promise<Done> {
  let lines: readonly AcceptedLine[] = [];
  let isOtherThere = false;
  await changeKeptCsv(register, lock, (csv) => {
    const removed = recordsOf(csv, kind);
    isOtherThere = recordsOf(csv, { ...kind, isBank: !kind.isBank }).length > 0;
    if (removed.length === 0) throw notThere(kind, isOtherThere, register);
    lines = parseRegister({ ...csv, records: removed }).lines;
    return { removed };
  });
  const remaining = isOtherThere ? (kind.isBank ? 'pay-in' : 'bank') : undefined;
  return { done: 'removed', lines, remaining };
}

function notThere({ settlementId, isBank }: LineKind, isOtherThere: boolean, where: string) {
  const [has, otherHint] = isBank
    ? ['only with its pay-in difference', 'Remove --bank to remove that one.']
    : ['only with its bank difference', 'Add --bank to remove that one.'];
  const how = isOtherThere ? `is in the register ${has}` : 'is not in the register';
  const hint = isOtherThere ? otherHint : 'To see what is in it, run: recon accept --list';
  return new ReconError('usage', `Settlement ${settlementId} ${how}.`, { where, hint });
}
