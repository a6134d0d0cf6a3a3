import { findChargeRows } from '../../../app/find-charge-rows.ts';
import type { FailedId } from '../../../app/read-settlements.ts';
import { ReconError } from '../../../base/errors.ts';
import { withoutSecrets } from '../../../model/charge.ts';
import { renderRaw } from '../../../render/json.ts';
import { chargeReport } from '../../../report/charge/view.ts';
import type { ContextOf } from '../../context.ts';
import { exitCodes } from '../../exit-codes.ts';
import { printFailures, readByIds } from '../../failure.ts';
import { rangeOf, resolveInputs } from '../../inputs.ts';
import { printReport, resolveTarget, type Target, withOutput } from '../../output.ts';
import { describeRange } from '../../range.ts';
import { withService } from '../../source.ts';
import type { chargeCommand } from './command.ts';

type ChargeContext = ContextOf<typeof chargeCommand>;

/** `recon charge`: reads charges by their ids. Never ends with 1. */
export async function charge(context: ChargeContext, ids: readonly string[]): Promise<number> {
  const { flags, messages } = context;
  const target = flags.raw ? rawTarget(context) : resolveTarget(context);
  const inputs = await resolveInputs(context);
  const { settings, names } = inputs;
  const range = flags.settlements && rangeOf(inputs, context);
  const ahead = settings.preferences.concurrency;
  const uses = range ? (['charges', 'settlements'] as const) : (['charges'] as const);
  return withService(settings, uses, context, async ({ source }) => {
    const answers = <Result>(ask: (id: string) => Promise<Result>) =>
      readByIds({ of: 'charge', ids, ahead, ask }, context);
    if (range) messages.say(`Settlements ${describeRange(range)}`);
    // Failures come after results.
    const ending = (failures: readonly FailedId[], isWhole = true) => {
      printFailures(failures, context);
      return failures.length === 0 && isWhole ? exitCodes.ok : exitCodes.incomplete;
    };
    if (flags.raw) {
      const isLine = target.format === 'ndjson';
      const { results, failures } = await answers(async (id) =>
        rawText(id, await source.chargeDocument(id), isLine, flags.personal),
      );
      await withOutput(target, context, async (write) => {
        for (const text of results) await write(text);
      });
      return ending(failures);
    }
    const { results: charges, failures } = await answers((id) => source.charge(id));
    const found = charges.map(({ id }) => id);
    const settled = range && (await findChargeRows(source, range, found, ahead));
    const { verbose = false } = flags;
    const { views, conclusion } = chargeReport({ charges, failures, settled, verbose, names });
    await printReport(target, views, context, conclusion, exitCodes.incomplete);
    return ending(failures, settled?.complete);
  });
}

function rawTarget(context: ChargeContext): Target {
  const { format } = context.flags;
  if (format === 'table' || format === 'csv') {
    throw new ReconError('usage', `--raw writes JSON, not ${format}.`, {
      hint: 'Remove --format, or use json or ndjson.',
    });
  }
  return resolveTarget(context, { formats: ['json', 'ndjson'], piped: 'json' });
}

/** The answer as text. Throws ReconError if it is nested too deeply. */
function rawText(id: string, document: unknown, isLine: boolean, keepsPersons?: boolean): string {
  try {
    return renderRaw(document, isLine, withoutSecrets(keepsPersons));
  } catch (error) {
    // The stack overflows.
    if (!(error instanceof RangeError)) throw error;
    throw new ReconError('service', `Charge ${id} is nested too deeply to display.`, {
      hint: 'Ask the service: its document describes no such charge.',
      reason: error,
    });
  }
}
