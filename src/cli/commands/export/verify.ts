import { verifyExport } from '../../../export/verify-export.ts';
import type { DateRange } from '../../../model/source.ts';
import { isSound, verifySentence, verifyViews } from '../../../report/verify/view.ts';
import type { Context } from '../../context.ts';
import { exitCodes } from '../../exit-codes.ts';
import { printReport } from '../../output.ts';
import { isRangeGiven, resolveRange } from '../../range.ts';
import { readSettings } from '../../settings.ts';
import { resolveTarget } from '../../target.ts';

/** `recon export --verify`: checks what is there. Returns the exit code. */
export async function verify(context: Context, folder: string): Promise<number> {
  const { flags } = context;
  const target = resolveTarget(context);
  const report = await verifyExport(folder, await rangeOf(context));
  const isGood = isSound(report);
  if (!flags.quiet || !isGood) {
    await printReport(target, verifyViews(report), context, [verifySentence(report)]);
  }
  return isGood ? exitCodes.ok : exitCodes.incomplete;
}

/** The range that is asked for, if one is. */
async function rangeOf(context: Context): Promise<DateRange | undefined> {
  const { flags, clock } = context;
  if (!isRangeGiven(flags)) return undefined;
  const { time_zone: timeZone } = (await readSettings(context)).preferences;
  return resolveRange(flags, { now: clock.now(), timeZone, otherwise: undefined });
}
