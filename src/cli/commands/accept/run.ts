import {
  type AcceptRequest,
  acceptBankDifference,
  acceptDifference,
} from '../../../app/accept-difference.ts';
import { findSettlement } from '../../../app/find-settlement.ts';
import { ReconError } from '../../../base/errors.ts';
import type { LockOptions } from '../../../base/folder-lock.ts';
import { type AcceptedLine, isBankDifference } from '../../../model/accepted-difference.ts';

import type { Source } from '../../../model/source.ts';
import { isExpired } from '../../../reconcile/acceptance.ts';
import {
  isSameButForItsDay,
  type LineKind,
  recordsOf,
  registerColumns,
  sameLine,
  understandRegister,
} from '../../../register/accepted-register.ts';
import { changeKeptCsv, type KeptCsv, type KeptRecord } from '../../../register/kept-csv.ts';
import { csvText } from '../../../render/csv.ts';
import { type AcceptReport, acceptConclusion, acceptViews } from '../../../report/accept/view.ts';
import { readRegister } from '../../accepted.ts';
import { type Asked, sayExported, whatIsAsked } from '../../asked.ts';
import { type NamedStatements, readBank } from '../../bank.ts';
import type { Context } from '../../context.ts';
import { exitCodes } from '../../exit-codes.ts';
import { matchedPayouts } from '../../matched-payouts.ts';
import { printReport } from '../../output.ts';
import { lockOptions } from '../../processes.ts';
import { dayMeant } from '../../range.ts';
import { withSource } from '../../source.ts';
import { resolveTarget } from '../../target.ts';

/** What was done, and the lines of the register that it is about. */
type Done = Pick<AcceptReport, 'done' | 'lines' | 'before' | 'remaining'>;

/** `recon accept`: adds to the register of accepted differences, lists it, or takes from it. */
export async function accept(context: Context, [id]: readonly string[]): Promise<number> {
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

/** Reads the settlement, and gives the line that accepts its difference. */
async function readDifference(
  settlementId: string,
  today: string,
  asked: Asked,
  context: Context,
): Promise<AcceptedLine> {
  const { difference, reason, acceptedBy: by = '', until, account = '', bank } = context.flags;
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

/** Reads the settlement and those around it, and gives the line that accepts its difference on the bank. */
async function acceptOnBank(
  request: AcceptRequest,
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
 * Puts a line into the register, in the place of the settlement's last one. What that says of who accepts
 * it, until when and for which account stays, unless the new line says otherwise or replaces it.
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
    const { lines, faults } = understandRegister(csv);
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
    const newColumns = columnsNeeded(line, csv);
    const wider = { ...csv, columns: [...csv.columns, ...newColumns] };
    return { removed, added: lineText(line, wider, removed[0]), newColumns };
  });
  const done = change?.removed.length === 0 ? 'accepted' : change ? 'replaced' : 'unchanged';
  return { done, lines: [line], before };
}

/** A line with what an earlier one says beyond it. Throws ReconError where that one has expired. */
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

/** The columns that a register from before they were known has to get for a line; mostly none. */
function columnsNeeded(line: AcceptedLine, { columns }: KeptCsv): readonly string[] {
  const unknown = registerColumns.filter(({ key }) => !columns.includes(key));
  const isNeeded = columns.length > 0 && unknown.some(({ value }) => value(line) !== '');
  return isNeeded ? unknown.map(({ key }) => key) : [];
}

/**
 * The line as CSV, in the columns and the dialect of the file; after its header where that is new. In
 * columns that people have added it says what the one before said.
 */
function lineText(
  line: AcceptedLine,
  { columns: keys, delimiter }: KeptCsv,
  before: KeptRecord | undefined,
): string {
  const dialect = delimiter === ';' ? 'excel-eu' : 'rfc';
  const known = new Map(registerColumns.map((column) => [column.key, column]));
  const added = (key: string) =>
    ({ key, kind: 'text', value: () => before?.cells.get(key) ?? '' }) as const;
  const columns =
    keys.length === 0 ? registerColumns : keys.map((key) => known.get(key) ?? added(key));
  const { header, lines } = csvText(columns, dialect);
  const record = lines([columns.map(({ value }) => value(line))]);
  return keys.length === 0 ? header + record : record;
}

/** Takes all lines of a kind that a settlement has out of the register, understood or not. */
async function remove(kind: LineKind, register: string, lock: LockOptions): Promise<Done> {
  let lines: readonly AcceptedLine[] = [];
  let isOtherThere = false;
  await changeKeptCsv(register, lock, (csv) => {
    const removed = recordsOf(csv, kind);
    isOtherThere = recordsOf(csv, { ...kind, isBank: !kind.isBank }).length > 0;
    if (removed.length === 0) throw notThere(kind, isOtherThere, register);
    lines = understandRegister({ ...csv, records: removed }).lines;
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
