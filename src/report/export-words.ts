import type { Entry } from '../reconcile/entry.ts';
import type { ReconciledSettlement } from '../reconcile/reconciled.ts';
import { signedText } from './amount-text.ts';
import type { Problem, SettlementRestatement } from './export-report.ts';
import { enumerate, many } from './phrase.ts';
import type { SettlementsReport } from './settlements-report.ts';
import { sentence } from './wording.ts';

/** What is out of balance or could not be read whole, settlement by settlement, then across them. */
export function problemsOf({
  run,
  names,
  explanations,
}: Pick<SettlementsReport, 'run' | 'names' | 'explanations'>): readonly Problem[] {
  const settlements = run.settlements.filter(
    ({ verdict }) => verdict === 'out_of_balance' || verdict === 'incomplete',
  );
  return [
    ...settlements.map((one) => {
      const name = names.get(one.settlement.accountingToken);
      const of = name === undefined ? '' : ` (${name})`;
      const explanation = explanations?.get(one.settlement.id);
      const because = explanation === undefined ? '' : `. ${explanation}`;
      const text = `settlement ${one.settlement.id}${of}: ${found(one)}${because}`;
      return { text, obstacle: one.discrepancies.find(isObstacle)?.code };
    }),
    ...run.findings
      .filter(({ weight }) => weight !== 'ignored')
      .map((finding) => ({ text: sentence(finding) })),
  ];
}

/** What couldn't be read or the difference in pay-in leads; the entries say the rest. */
function found({ difference, discrepancies, settlement, scale }: ReconciledSettlement): string {
  const payIn = difference?.payIn;
  const money =
    payIn === undefined || payIn === 0n
      ? []
      : [`pay-in difference ${signedText(payIn, scale)} ${settlement.currency}`];
  const obstacles = discrepancies.filter(isObstacle);
  const others = discrepancies.filter((entry) => !isObstacle(entry));
  return [...money, ...[...obstacles, ...others].map(sentence)].join('; ');
}

function isObstacle({ weight }: Entry): boolean {
  return weight === 'incomplete';
}

/** What changed in a settlement since it was exported last, amount by amount. */
export function restatementText(restatement: SettlementRestatement): string {
  const { settlementId, change, fields, transactions } = restatement;
  const { added, removed, changed } = transactions;
  const rows = [
    ...(added > 0 ? [`${many(added, 'transaction')} added`] : []),
    ...(removed > 0 ? [`${many(removed, 'transaction')} removed`] : []),
    ...(changed > 0 ? [`${many(changed, 'transaction')} changed`] : []),
  ];
  const values = fields.map(
    ({ field, before, after }) => `${field} ${shown(before)} -> ${shown(after)}`,
  );
  const said =
    change === 'changed'
      ? [...values, ...rows]
      : [`${change}, with ${rows.length > 0 ? enumerate(rows) : 'no transactions'}`];
  return `settlement ${settlementId}: ${said.join('; ')}`;
}

function shown(value: string): string {
  return value === '' ? '(none)' : value;
}
