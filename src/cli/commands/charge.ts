import { findChargeRows } from '../../app/find-charge-rows.ts';
import { readCharges } from '../../app/read-charges.ts';
import { ReconError } from '../../base/errors.ts';
import { isChargeId } from '../../model/charge.ts';
import type { DateRange } from '../../model/source.ts';
import { render } from '../../render/index.ts';
import { renderRaw } from '../../render/raw.ts';
import { withoutSecrets } from '../../report/charge-raw.ts';
import type { ChargeReport } from '../../report/charge-report.ts';
import { chargeViews } from '../../report/charge-views.ts';
import type { Context } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import { failureText } from '../failure.ts';
import { withOutput, writeAll } from '../output.ts';
import { describeRange, type RangeFlags, resolveRange } from '../range.ts';
import { openService, type Service, type ServiceFlags, sandboxDefaults } from '../service.ts';
import { readSettings, type SettingFlags } from '../settings.ts';
import { Talk, type TalkFlags } from '../talk.ts';
import { resolveTarget, type Target, type TargetFlags } from '../target.ts';

export interface ChargeFlags
  extends SettingFlags,
    ServiceFlags,
    RangeFlags,
    TargetFlags,
    TalkFlags {
  /** Look for the charges' rows in the settlements of a range. */
  readonly settlements?: true;
  /** Show what came. */
  readonly raw?: true;
  /** With the people in it. */
  readonly personal?: true;
}

/** What a run asks, once its flags are understood. */
interface Question {
  readonly ids: readonly string[];
  /** Whose settlements are searched for rows; absent where none are. */
  readonly range: DateRange | undefined;
  readonly ahead: number;
}

/** `recon charge`: reads charges by their ids and says what has come of them. Never ends with 1. */
export async function charge(
  ids: readonly string[],
  flags: ChargeFlags,
  context: Context,
): Promise<number> {
  const { host } = context;
  refuseContradictions(ids, flags);
  const target = flags.raw ? rawTarget(flags, context) : resolveTarget(flags, host);
  const settings = await readSettings(flags, host);
  const defaults = await sandboxDefaults(flags);
  const { timeZone, concurrency, names } = settings.preferences;
  const when = { now: context.clock.now(), timeZone, otherwise: defaults?.period };
  const range = flags.settlements ? resolveRange(flags, when) : undefined;
  const question = { ids: [...new Set(ids)], range, ahead: concurrency };
  const talk = new Talk(flags, context);
  const observed = { ...context, observer: talk.observer };
  const uses = ['charges', ...(range ? (['settlements'] as const) : [])] as const;
  const service = await openService(flags, settings, observed, uses);
  try {
    if (flags.raw) return await writeRaw(question, flags, target, service, context);
    if (range) talk.say(describeRange(range));
    const read = await readAll(question.ids, question.ahead, service.source.charge, context);
    const report: ChargeReport = {
      charges: read.results.map(({ result }) => result),
      failures: read.failures.map(({ id, failure: { failure, message } }) => ({
        chargeId: id,
        cause: failure,
        message,
      })),
      settled:
        range &&
        (await findChargeRows(
          service.source,
          range,
          read.results.map(({ result }) => result.id),
          concurrency,
        )),
      verbose: flags.verbose ?? false,
      names: new Map([...(defaults?.names ?? []), ...names]),
    };
    await withOutput(target.path, host.stdout, (write) =>
      writeAll(write, render(target.format, chargeViews(report), target.options)),
    );
    const isWhole = read.failures.length === 0 && (report.settled?.complete ?? true);
    return isWhole ? exitCodes.ok : exitCodes.incomplete;
  } finally {
    await service.close();
  }
}

function refuseContradictions(ids: readonly string[], flags: ChargeFlags): void {
  const usage = (message: string, hint: string) => new ReconError('usage', message, { hint });
  for (const id of ids) {
    if (isChargeId(id)) continue;
    throw usage(`${JSON.stringify(id)} can't be the id of a charge.`, 'It is a UUID.');
  }
  if (flags.personal && !flags.raw) {
    throw usage('--personal is given without --raw.', 'Add --raw: nothing else shows people.');
  }
  if (flags.raw && flags.settlements) {
    throw usage('--raw and --settlements contradict each other.', 'Leave one of them out.');
  }
  const { from, to, on, month } = flags;
  const isRange = [from, to, on, month].some((day) => day !== undefined);
  if (isRange && !flags.settlements) {
    throw usage('A range is given without --settlements.', 'Add --settlements, or leave it out.');
  }
}

/** What came is JSON, and nothing else. */
function rawTarget(flags: ChargeFlags, { host }: Context): Target {
  const isFile = flags.output !== undefined && flags.output !== '-';
  const format = flags.format ?? (isFile ? undefined : 'json');
  if (format === 'table' || format === 'csv') {
    throw new ReconError('usage', `--raw is JSON, and can't be written as ${format}.`, {
      hint: 'Leave --format out, or use json or ndjson.',
    });
  }
  const offer = { formats: ['json', 'ndjson'] as const, piped: 'json' as const };
  return resolveTarget({ ...flags, ...(format && { format }) }, host, offer);
}

async function writeRaw(
  { ids, ahead }: Question,
  flags: ChargeFlags,
  { format, path }: Target,
  { source }: Service,
  context: Context,
): Promise<number> {
  const read = await readAll(ids, ahead, source.chargeDocument, context);
  const texts = read.results.map(({ result }) =>
    renderRaw(withoutSecrets(result, flags.personal ?? false), format === 'ndjson'),
  );
  await withOutput(path, context.host.stdout, (write) => writeAll(write, texts));
  return read.failures.length === 0 ? exitCodes.ok : exitCodes.incomplete;
}

interface Read<Result> {
  readonly results: readonly { readonly id: string; readonly result: Result }[];
  readonly failures: readonly { readonly id: string; readonly failure: ReconError }[];
}

/**
 * Asks for each charge. What fails is said on standard error, and the others are shown all the same;
 * where there are none, or where the credentials are refused, the failure is thrown.
 */
async function readAll<Result>(
  ids: readonly string[],
  ahead: number,
  ask: (id: string) => Promise<Result>,
  { host }: Context,
): Promise<Read<Result>> {
  const results: Read<Result>['results'][number][] = [];
  const failures: Read<Result>['failures'][number][] = [];
  for await (const reading of readCharges(ids, ahead, ask)) {
    if ('result' in reading) results.push(reading);
    else if (isFinal(reading.failure)) throw reading.failure;
    else failures.push(reading);
  }
  const [first] = failures;
  if (first && results.length === 0 && failures.length === 1) throw first.failure;
  for (const { failure } of failures) host.stderr.write(failureText(failure, host.argv));
  return { results, failures };
}

function isFinal({ endsRun, failure }: ReconError): boolean {
  return endsRun || failure === 'authentication';
}
