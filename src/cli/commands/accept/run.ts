import { type FoundNow, isDecided, isOfOrder } from '../../../app/accept-decisions.ts';
import {
  acceptedNow,
  acceptLine,
  acceptList,
  acceptOnBank,
  decideOnPayout,
  decisionsNow,
  isPayIn,
  type RegisterChange,
  removeLine,
} from '../../../app/accept-differences.ts';
import { isClosedWith } from '../../../app/books-so-far.ts';
import { acceptDifference, type PayoutRequest } from '../../../app/decisions.ts';
import { pastLastDay } from '../../../app/place-line.ts';
import { spanOf } from '../../../base/calendar.ts';
import { ReconError } from '../../../base/errors.ts';
import { isThere } from '../../../base/files.ts';
import type { AcceptedLine } from '../../../model/accepted-difference.ts';
import { isSettlementId } from '../../../model/settlement.ts';
import { minorUnitsOf } from '../../../money/minor-units.ts';
import { parseDecimal } from '../../../money/money.ts';
import {
  daysWritten,
  readDecisions,
  type WrittenDecision,
} from '../../../register/decisions-file.ts';
import { csvText } from '../../../render/csv.ts';
import {
  type AcceptReport,
  acceptConclusion,
  acceptViews,
  type DecisionsReport,
  decisionsConclusion,
  decisionsViews,
} from '../../../report/accept/view.ts';
import { readBank } from '../../bank.ts';
import type { ContextOf } from '../../context.ts';
import { exitCodes } from '../../exit-codes.ts';
import { isShortId } from '../../flag.ts';
import { announceExport, type Inputs, resolveInputs } from '../../inputs.ts';
import { filesAt } from '../../named-files.ts';
import { printReport, resolveTarget, type Target } from '../../output.ts';
import { lockOptions } from '../../processes.ts';
import { parseDay } from '../../range.ts';
import { booksOf, readRegister, registerAt, startOf } from '../../registers.ts';
import { wholeId, wholeIds } from '../../short-ids.ts';
import { withSource } from '../../source.ts';
import type { acceptCommand } from './command.ts';

type AcceptContext = ContextOf<typeof acceptCommand>;

/** `recon accept`: adds to the register of accepted differences, lists it, or removes from it. */
export async function accept(context: AcceptContext, [id]: readonly string[]): Promise<number> {
  const { from: list, ...flags } = context.flags;
  const target = resolveTarget(context);
  // Here `--from` is a file, and no day.
  const inputs = await resolveInputs({ ...context, flags });
  const register = await registerAt('accepted', inputs, context);
  const isKept = await isThere(register);
  const exitCode = await acceptInto(register, id, target, inputs, context);
  const { onStart } = startOf('accepted differences', undefined, { ...context, flags: {} });
  if (!isKept && (await isThere(register))) onStart(register);
  return exitCode;
}

async function acceptInto(
  register: string,
  id: string | undefined,
  target: Target,
  inputs: Inputs,
  context: AcceptContext,
): Promise<number> {
  const { from: list, ...flags } = context.flags;
  const today = inputs.today();
  const changing = { register, lock: await lockOptions(context), csvText };
  if (list !== undefined && (id !== undefined || flags.by !== undefined)) {
    const message = '--from cannot be combined with a settlement or --by.';
    throw new ReconError('usage', message, { hint: 'The list says both.' });
  }
  if (list === undefined && flags.dryRun) {
    const hint = 'Add the list of decisions: --from FILE.';
    throw new ReconError('usage', '--dry-run needs --from.', { hint });
  }
  if (list !== undefined) return acceptFromFile(list, changing, target, inputs, context);
  const work = async (): Promise<RegisterChange> => {
    if (flags.list) {
      if (id !== undefined) {
        const hint = 'Remove the id: --list shows the whole register.';
        throw new ReconError('usage', '--list cannot be combined with a settlement.', { hint });
      }
      return { done: 'listed', lines: (await readRegister(register, context)).lines };
    }
    if (flags.order !== undefined) {
      if (id !== undefined) {
        const hint = 'Accept the one, then the other.';
        throw new ReconError('usage', '--order cannot be combined with a settlement.', { hint });
      }
      const how = { ...changing, ...(await howOf(inputs, context)) };
      if (flags.remove) return removeLine({ kind: 'order', id: flags.order }, how);
      const line = orderLine(flags.order, today, context);
      return acceptLine(line, how);
    }
    if (id === undefined) {
      throw new ReconError('usage', 'No settlement given.', {
        hint: 'Add the id of a settlement, or --list to see what is accepted.',
      });
    }
    const isSettlement = isSettlementId(id) || isShortId(id);
    if (flags.remove) {
      const kind = isSettlement ? (flags.bank ? 'bank' : 'pay_in') : 'unknown';
      const how = { ...changing, ...(await howOf(inputs, context)) };
      if (!isShortId(id)) return removeLine({ kind, id }, how);
      const { lines } = await readRegister(register, context);
      const known = lines.flatMap((line) => ('settlementId' in line ? line.settlementId : []));
      return removeLine({ kind, id: wholeId(id, known) }, how);
    }
    if (!isSettlement) {
      const hint = 'Add it to a file of decisions, and use --from FILE.';
      throw new ReconError('usage', 'A bank entry is accepted from a file.', { hint });
    }
    const line = await readDifference(id, today, inputs, context);
    return acceptLine(line, { ...changing, ...(await howOf(inputs, context)) });
  };
  const report: AcceptReport = { ...(await work()), register, today, names: inputs.names };
  return printReport(target, acceptViews(report), context, acceptConclusion(report));
}

/** The difference of an order as a person has seen it: it counts as long as `recon orders` finds the same. */
function orderLine(orderRef: string, today: string, { flags }: AcceptContext): AcceptedLine {
  const { difference = '', reason, by = '', until, account = '' } = flags;
  const [, amount = '', currency = ''] = /^(.+?) +([A-Z]{3})$/.exec(difference) ?? [];
  const scale = minorUnitsOf(currency) ?? 2;
  const settled = parseDecimal(amount, scale);
  if (settled === undefined || reason === undefined) {
    const message = `No ${settled === undefined ? '--difference with its currency' : '--reason'} given.`;
    const hint =
      'Add --difference and --reason, for example --difference "-0.01 EUR" --reason "rounded".';
    throw new ReconError('usage', message, { hint });
  }
  const last = until === undefined ? undefined : parseDay('--until', until, today);
  const refused = pastLastDay(last, today, '--until');
  if (refused) throw refused;
  const reasons = { reason, by, on: today, until: last, account };
  const order = { orderRef, orderDate: '', accountingToken: '', currency, scale };
  return { ...order, expected: 0n, settled, ...reasons };
}

async function readDifference(
  named: string,
  today: string,
  inputs: Inputs,
  context: AcceptContext,
): Promise<AcceptedLine> {
  const { difference, reason, by = '', until, account = '', bank } = context.flags;
  const { settledWith } = context.flags;
  const decided = decisionOf(named, settledWith, context);
  if (!decided && (difference === undefined || reason === undefined)) {
    const [flag, hint] =
      difference === undefined
        ? [
            '--difference',
            'Add the one that you have seen, and why: --difference -5.00 --reason "refunded in April".',
          ]
        : ['--reason', 'Add why, for example --reason "refunded in April".'];
    throw new ReconError('usage', `No ${flag} given.`, { hint });
  }
  const last = until === undefined ? undefined : parseDay('--until', until, today);
  const refused = pastLastDay(last, today, '--until');
  if (refused) throw refused;
  const { note = reason ?? '' } = context.flags;
  const reasons = { reason: decided ? note : (reason ?? ''), by, on: today, until: last, account };
  const paths = decided ? (bank ?? []) : bank;
  const statements = paths && (await readBank(paths, inputs, context));
  const { accepted: register = '' } = inputs.settings.preferences;
  const accepted = await acceptedNow(register, today);
  return withSource<AcceptedLine>(inputs, context, async ({ source }) => {
    announceExport(inputs, context);
    const ids = [named, settledWith ?? []].flat();
    const [settlementId = named, other] = await wholeIds(ids, source, inputs, context);
    const request = { settlementId, difference: difference ?? '', ...reasons };
    const decision = decisionOf(settlementId, other, context);
    if (!statements) return acceptDifference(request, source, inputs.judgement);
    const how = { source, bank: statements, filters: inputs.filters, accepted };
    return decision ? decideOnPayout({ ...decision, reasons }, how) : acceptOnBank(request, how);
  });
}

/** What the flags decide of a pay-out, if anything. Throws ReconError `usage` unless they say by whom, and why. */
function decisionOf(
  settlementId: string,
  other: string | undefined,
  { flags: { writtenOff, entry: entries, by, note, reason } }: AcceptContext,
): PayoutRequest | undefined {
  const requests: readonly PayoutRequest[] = [
    ...(other === undefined ? [] : [{ settlementId, decision: 'settled_with', other } as const]),
    ...(writtenOff ? [{ settlementId, decision: 'written_off' } as const] : []),
    ...(entries ? [{ settlementId, decision: 'confirmed', entries } as const] : []),
  ];
  const [request, ...others] = requests;
  if (!request) return undefined;
  const isMissing = by === undefined || (writtenOff && (note ?? reason) === undefined);
  const isOne = others.length === 0;
  if (isMissing || !isOne) {
    const hint =
      'Use --entry PLACE --by NAME, --settled-with ID --by NAME, or --written-off --by NAME --note "WHY".';
    const message = isOne
      ? `No ${by === undefined ? '--by' : '--note'} given.`
      : 'Only one of --entry, --settled-with and --written-off can be given.';
    throw new ReconError('usage', message, { hint });
  }
  return request;
}

/** How lines are placed: on which day, and which of them a close rests on. */
export async function howOf(inputs: Inputs, { flags }: AcceptContext) {
  const { time_zone: zone } = inputs.settings.preferences;
  const isClosed = isClosedWith(await booksOf(inputs), zone);
  return { today: inputs.today(), replaces: flags.replace ?? false, isClosed };
}

/** `recon accept --from`: accepts a list of decisions, all at once or not at all. Returns the exit code. */
async function acceptFromFile(
  path: string,
  changing: Pick<Parameters<typeof acceptList>[1], 'register' | 'lock' | 'csvText'>,
  target: Target,
  inputs: Inputs,
  context: AcceptContext,
): Promise<number> {
  const { dryRun: isDryRun = false, partial: isPartial = false } = context.flags;
  const [file] = await filesAt([path], 'List of decisions');
  const written = file ? await readDecisions(file) : [];
  const now = await differencesNow(written.filter(isDecided), inputs, context);
  const how = { ...changing, ...(await howOf(inputs, context)), ...now };
  const done = await acceptList(written, { ...how, isPartial, isDryRun });
  const { register } = changing;
  const report: DecisionsReport = { ...done, file: path, register, isDryRun, names: inputs.names };
  const conclusion = decisionsConclusion(report);
  return printReport(target, decisionsViews(report), context, conclusion, exitCodeOf(report));
}

/** 2 if no line is accepted, 4 if one that could not be read stands against it. */
function exitCodeOf({ judged, isStopped }: DecisionsReport): number {
  const isAccepted = judged.some(({ status }) => /accepted$/.test(status));
  if (isAccepted && !isStopped) return exitCodes.ok;
  return judged.some(({ status }) => status === 'not_read')
    ? exitCodes.incomplete
    : exitCodes.usage;
}

/** Reads again what the lines are about. */
async function differencesNow(
  lines: readonly WrittenDecision[],
  inputs: Inputs,
  context: AcceptContext,
): Promise<FoundNow> {
  const { flags, messages } = context;
  const read = lines.filter((one) => !isOfOrder(one));
  const range = spanOf(read.flatMap(({ cells }) => daysWritten(cells.date)));
  if (!range) return { decisions: new Map(), matches: [] };
  const { filters, judgement, reading } = inputs;
  const bank = read.every(isPayIn) ? undefined : await readBank(flags.bank ?? [], inputs, context);
  const { accepted: register = '' } = inputs.settings.preferences;
  const accepted = await acceptedNow(register, inputs.today());
  return withSource(inputs, context, async ({ source }) => {
    announceExport(inputs, context);
    await messages.startProgress();
    const asked = { range, filters, bank, accepted, settings: judgement };
    return decisionsNow(read, { ...reading, ...asked, source });
  });
}
