import { verifyExport } from '../../../export/verify-export.ts';
import type { DateRange } from '../../../model/source.ts';
import { isSound, verifySentence, verifyViews } from '../../../report/verify/view.ts';
import type { Context } from '../../context.ts';
import { exitCodes } from '../../exit-codes.ts';
import { Messages } from '../../messages.ts';
import { printReport, sayConclusion } from '../../print-report.ts';
import { resolveRange } from '../../range.ts';
import { readSettings } from '../../settings.ts';
import { resolveTarget } from '../../target.ts';
import type { ExportFlags } from './run.ts';

/** `recon export --verify`: checks what is there. Returns the exit code. */
export async function verify(flags: ExportFlags, context: Context): Promise<number> {
  const target = resolveTarget(flags, context.host);
  const report = await verifyExport(flags.out, await rangeOf(flags, context));
  const isGood = isSound(report);
  if (!flags.quiet || !isGood) {
    await printReport(target, verifyViews(report), context.host);
    sayConclusion([verifySentence(report)], target, exitCodes.ok, new Messages(flags, context));
  }
  return isGood ? exitCodes.ok : exitCodes.incomplete;
}

/** The range that is asked for, if one is. */
async function rangeOf(flags: ExportFlags, context: Context): Promise<DateRange | undefined> {
  const { from, to, on, month } = flags;
  if ([from, to, on, month].every((flag) => flag === undefined)) return undefined;
  const { preferences } = await readSettings(flags, context.host);
  const { time_zone: timeZone } = preferences;
  return resolveRange(flags, { now: context.clock.now(), timeZone, otherwise: undefined });
}
