import { ReconError } from '../../../base/errors.ts';
import { decodedBeginning } from '../../../base/text-reader.ts';
import { proposedMapping, unusableExport } from '../../../orders/header.ts';
import { ordersTemplate } from '../../../report/orders/mapping-template.ts';
import { exitCodes } from '../../exit-codes.ts';
import { print } from '../../host.ts';
import { filesAt } from '../../named-files.ts';
import type { OrdersContext } from './command.ts';

/** Headers are shorter. */
const mostBytes = 65_536;

/** `recon orders --init`: prints a first mapping for an order file. Returns the exit code. */
export async function printMapping(
  { flags, host }: OrdersContext,
  paths: readonly string[],
): Promise<number> {
  const [file] = await filesAt(paths, 'Order file');
  if (!file) {
    throw new ReconError('usage', 'No order file given.', {
      hint: 'Name the file to look at: recon orders --init orders.csv.',
    });
  }
  let beginning = Buffer.alloc(0);
  for await (const block of file.blocks()) {
    beginning = Buffer.concat([beginning, block]);
    if (beginning.length >= mostBytes) break;
  }
  const proposal = proposedMapping(decodedBeginning(beginning).replace(/^\ufeff/, ''));
  const unusable = unusableExport(proposal.names);
  if (unusable !== undefined) throw new ReconError('usage', unusable, { where: file.name });
  await print(host, ordersTemplate(proposal, flags.profile ?? 'main'));
  return exitCodes.ok;
}
