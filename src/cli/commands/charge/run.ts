import { findChargeRows } from '../../../app/find-charge-rows.ts';
import { ReconError } from '../../../base/errors.ts';
import { withoutSecrets } from '../../../model/charge.ts';
import { renderRaw } from '../../../render/json.ts';
import { type ChargeReport, chargeConclusion, chargeViews } from '../../../report/charge/view.ts';
import { rangeAsked, whatIsAsked } from '../../asked.ts';
import type { ContextOf } from '../../context.ts';
import { exitCodes } from '../../exit-codes.ts';
import { answersTo, tellFailures } from '../../failure.ts';
import { printReport, resolveTarget, type Target, withOutput } from '../../output.ts';
import { describeRange } from '../../range.ts';
import { withService } from '../../source.ts';
import type { chargeCommand } from './command.ts';

type ChargeContext = ContextOf<typeof chargeCommand>;

/** `recon charge`: reads charges by their ids and says what has come of them. Never ends with 1. */
export async function charge(context: ChargeContext, ids: readonly string[]): Promise<number> {
  const { flags, messages } = context;
  const target = flags.raw ? rawTarget(context) : resolveTarget(context);
  const asked = await whatIsAsked(context);
  const range = flags.settlements && rangeAsked(asked, context);
  const uses = ['charges', ...(range ? (['settlements'] as const) : [])] as const;
  return withService(asked.settings, uses, context, async ({ source }) => {
    const { concurrency } = asked.settings.preferences;
    const answers = <Result>(ask: (id: string) => Promise<Result>) =>
      answersTo({ of: 'charge', ids, ahead: concurrency, ask }, context);
    if (range) messages.say(`Settlements ${describeRange(range)}`);
    // What could not be read is said after what could.
    const ending = (failures: ChargeReport['failures'], isWhole = true) => {
      tellFailures(failures, context);
      return failures.length === 0 && isWhole ? exitCodes.ok : exitCodes.incomplete;
    };
    if (flags.raw) {
      const isLine = target.format === 'ndjson';
      const read = await answers(async (id) =>
        rawText(id, await source.chargeDocument(id), isLine, flags.personal),
      );
      await withOutput(target, context, async (write) => {
        for (const text of read.results) await write(text);
      });
      return ending(read.failures);
    }
    const { results: charges, failures } = await answers((id) => source.charge(id));
    const found = charges.map(({ id }) => id);
    const settled = range && (await findChargeRows(source, range, found, concurrency));
    const { verbose = false } = flags;
    const report: ChargeReport = { charges, failures, settled, verbose, names: asked.names };
    const conclusion = chargeConclusion(report);
    await printReport(target, chargeViews(report), context, conclusion, exitCodes.incomplete);
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

/** What came, as text. Throws ReconError where it can't be written out. */
function rawText(id: string, document: unknown, isLine: boolean, keepPersons?: boolean): string {
  try {
    return renderRaw(document, isLine, withoutSecrets({ keepPersons }));
  } catch (error) {
    // There is no more room on the stack.
    if (!(error instanceof RangeError)) throw error;
    throw new ReconError('service', `Charge ${id} is nested too deeply to display.`, {
      hint: 'Ask the service: its document describes no such charge.',
      reason: error,
    });
  }
}
