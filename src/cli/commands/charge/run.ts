import { findChargeRows } from '../../../app/find-charge-rows.ts';
import { ReconError } from '../../../base/errors.ts';
import { renderRaw } from '../../../render/json.ts';
import { withoutSecrets } from '../../../report/charge/document.ts';
import { type ChargeReport, chargeConclusion, chargeViews } from '../../../report/charge/view.ts';
import { type AnswersToIds, answersTo, tellFailures } from '../../answers.ts';
import { rangeAsked, whatIsAsked } from '../../asked.ts';
import type { Context, Host } from '../../context.ts';
import { exitCodes } from '../../exit-codes.ts';
import { withOutput, writeAll } from '../../output.ts';
import { printReport, sayConclusion } from '../../print-report.ts';
import { describeRange, type RangeFlags } from '../../range.ts';
import {
  openLiveService,
  type ServiceContext,
  type ServiceFlags,
  withSource,
} from '../../source.ts';
import { resolveTarget, type Target, type TargetFlags } from '../../target.ts';

export interface ChargeFlags extends ServiceFlags, RangeFlags, TargetFlags {
  /** Look for the charges' rows in the settlements of a range. */
  readonly settlements?: true;
  /** Show what came. */
  readonly raw?: true;
  /** With the people in it. */
  readonly personal?: true;
}

/** `recon charge`: reads charges by their ids and says what has come of them. Never ends with 1. */
export async function charge(
  ids: readonly string[],
  flags: ChargeFlags,
  context: Context,
): Promise<number> {
  const { host } = context;
  const target = flags.raw ? rawTarget(flags, context) : resolveTarget(flags, host);
  const asked = await whatIsAsked(flags, context);
  const range = flags.settlements ? rangeAsked(flags, asked, context) : undefined;
  const uses = ['charges', ...(range ? (['settlements'] as const) : [])] as const;
  const open = (given: ServiceContext) => openLiveService(flags, asked.settings, given, uses);
  return withSource(flags, context, open, async ({ source }, messages) => {
    const { concurrency } = asked.settings.preferences;
    const answers = <Result>(ask: (id: string) => Promise<Result>) =>
      answersTo({ of: 'charge', ids, ahead: concurrency, ask }, messages, host);
    if (range) messages.say(`Settlements ${describeRange(range)}`);
    if (flags.raw) {
      const read = await answers(async (id) =>
        rawText(id, await source.chargeDocument(id), flags, target),
      );
      await withOutput(target.path, host.stdout, (write) => writeAll(write, read.results));
      return ending(read.failures, host);
    }
    const read = await answers((id) => source.charge(id));
    const found = read.results.map(({ id }) => id);
    const report: ChargeReport = {
      charges: read.results,
      failures: read.failures,
      settled: range && (await findChargeRows(source, range, found, concurrency)),
      verbose: flags.verbose ?? false,
      names: asked.names,
    };
    await printReport(target, chargeViews(report), host);
    sayConclusion(chargeConclusion(report), target, exitCodes.incomplete, messages);
    const exitCode = ending(read.failures, host);
    return report.settled?.complete === false ? exitCodes.incomplete : exitCode;
  });
}

/** What came is JSON, and nothing else. */
function rawTarget(flags: ChargeFlags, { host }: Context): Target {
  if (flags.format === 'table' || flags.format === 'csv') {
    throw new ReconError('usage', `--raw writes JSON, not ${flags.format}.`, {
      hint: 'Remove --format, or use json or ndjson.',
    });
  }
  return resolveTarget(flags, host, { formats: ['json', 'ndjson'], piped: 'json' });
}

/** What came, as text. Throws ReconError where it can't be written out. */
function rawText(
  id: string,
  document: unknown,
  { personal }: ChargeFlags,
  { format }: Target,
): string {
  try {
    return renderRaw(withoutSecrets(document, personal ?? false), format === 'ndjson');
  } catch (error) {
    // There is no more room on the stack.
    if (!(error instanceof RangeError)) throw error;
    throw new ReconError('service', `Charge ${id} is nested too deeply to display.`, {
      hint: 'Ask the service: its document describes no such charge.',
      reason: error,
    });
  }
}

/** Says what could not be read, after what could; gives the exit code. */
function ending(failures: AnswersToIds<unknown>['failures'], host: Host): number {
  tellFailures(failures, host);
  return failures.length === 0 ? exitCodes.ok : exitCodes.incomplete;
}
