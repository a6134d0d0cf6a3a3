import { ReconError } from '../../../base/errors.ts';
import { exitCodes } from '../../exit-codes.ts';
import { print } from '../../host.ts';
import type { OrdersContext } from './command.ts';

/** `recon orders --init`: prints a mapping for the header of a file. Returns the exit code. */
export async function printMapping(
  { host }: OrdersContext,
  paths: readonly string[],
): Promise<number> {
  if (paths.length !== 1) throw new ReconError('usage', '--init needs one order file.', {});
  await print(host, '');
  return exitCodes.ok;
}
