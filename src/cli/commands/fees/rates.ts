import { isWhole, readSettlements } from '../../../app/read-settlements.ts';
import type { SettlementQuery } from '../../../model/source.ts';
import { RatesShown } from '../../../reconcile/agreed/rates-shown.ts';
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
  const { settings } = asked;
  const shown = new RatesShown();
  await withSource(asked, context, async ({ source }) => {
    const { settlements } = await source.headers(query);
    const ahead = settings.preferences.concurrency;
    for await (const { settlement, rows, outcome } of readSettlements(settlements, {
      ...{ source, ahead },
    })) {
      if (!isWhole(outcome)) continue;
      rows.replace(outcome.corrections);
      shown.add(settlement, rows);
    }
  });
  const template = ratesTemplate(shown.found(), query.range, settings.profile ?? 'main');
  await print(context.host, template);
  return exitCodes.ok;
}
