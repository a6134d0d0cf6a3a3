import { whatIsAsked } from '../../asked.ts';
import type { Context } from '../../context.ts';
import { exitCodes } from '../../exit-codes.ts';

/** `recon journal`: books settlements. Returns the exit code. */
export async function journal(context: Context): Promise<number> {
  await whatIsAsked(context);
  return exitCodes.ok;
}
