import { isWhole, readSettlements } from '../../../app/read-settlements.ts';
import type { SettlementQuery } from '../../../model/source.ts';
import { ratesShown } from '../../../reconcile/agreed/rates-shown.ts';
import type { RowColumns } from '../../../reconcile/row-columns.ts';
import { ratesTemplate } from '../../../report/fees/rates-template.ts';
import type { Asked } from '../../asked.ts';
import { exitCodes } from '../../exit-codes.ts';
import { print } from '../../host.ts';
import { withSource } from '../../source.ts';
import type { FeesContext } from './command.ts';

/** `recon fees --init`: prints the rates that the rows show. Returns the exit code. */
export async function printRates(
  asked: Asked,
  query: SettlementQuery,
  context: FeesContext,
): Promise<number> {
  const { profile = 'main', preferences } = asked.settings;
  const read: RowColumns[] = [];
  await withSource(asked, context, async ({ source }) => {
    const { settlements } = await source.headers(query);
    const reading = readSettlements(settlements, { source, ahead: preferences.concurrency });
    for await (const { rows, outcome } of reading) {
      if (!isWhole(outcome)) continue;
      rows.replace(outcome.corrections);
      read.push(rows);
    }
  });
  await print(context.host, ratesTemplate(ratesShown(read), query.range, profile));
  return exitCodes.ok;
}
