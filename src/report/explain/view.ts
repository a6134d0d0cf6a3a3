import type { SettlementExplanation } from '../../app/explain-settlement.ts';
import { answerBlock, facts, listed, remark, remarks } from '../common/blocks.ts';
import { records } from '../common/columns.ts';
import { jsonViews } from '../common/json.ts';
import { enumerate, many } from '../common/phrase.ts';
import type { Block, View, Views } from '../common/view.ts';
import { expectedScalesText, opinionWords, verdictTones, verdictWords } from '../common/words.ts';
import { answerText } from './answer.ts';
import { causeBlocks } from './causes.ts';
import { chargeRemarks } from './charge-evidence-words.ts';
import { hypothesisColumns, hypothesisRecords } from './columns.ts';
import { jsonExplanations } from './document.ts';
import { explainNext } from './next.ts';
import { explainForProvider } from './provider-case.ts';
import {
  type ExplainReport,
  incompleteEntries,
  otherEntries,
  verdictOfExplained,
} from './report.ts';
import { waterfallSection } from './waterfall.ts';
import { daysNotSearched } from './words.ts';

/** The report of `recon explain`. A record is a hypothesis; `forProvider` is the case to hand to the provider. */
export function explainViews(report: ExplainReport): Views {
  return {
    view: () => explainView(report),
    forProvider: () => explainForProvider(report),
    records: () => records(hypothesisColumns(report), hypothesisRecords(report)),
    ...jsonViews(() => jsonExplanations(report)),
  };
}

/** The report for a screen, a settlement after the other: the answer, the arithmetic, the causes. */
export function explainView(report: ExplainReport): View {
  return report.settlements.flatMap((one) => settlementBlocks(one, report));
}

function settlementBlocks(one: SettlementExplanation, report: ExplainReport): readonly Block[] {
  const { reconciled } = one;
  const verdict = verdictOfExplained(one);
  return [
    answerBlock(verdictWords[verdict].toUpperCase(), verdictTones[verdict], answerText(one)),
    ...remarks('Not fully read', incompleteEntries(one).map(remark)),
    about(one, report),
    waterfallSection(reconciled, report.settings.identity),
    ...causeBlocks(one),
    ...remarks('Charges of the rows above', one.charges ? chargeRemarks(one.charges) : []),
    ...remarks('Other findings', otherEntries(reconciled).map(remark)),
    ...listed('Next', explainNext(one, report.flags), '>'),
  ];
}

function about(one: SettlementExplanation, { names, settings }: ExplainReport): Block {
  const { reconciled, neighbours } = one;
  const { settlement, serviceSays, sumsSay } = reconciled;
  const { tolerance, ignored, expectedScales } = settings;
  return facts([
    ['Settlement', `${settlement.id} (${settlement.date})`],
    ['Account', names.get(settlement.accountingToken) ?? settlement.accountingToken],
    ['The service says', `${opinionWords[serviceSays]} (${settlement.status})`],
    ['The sums say', opinionWords[sumsSay]],
    ['Tolerance', tolerance === 0n ? undefined : `${tolerance} minor units per amount`],
    ['Ignored checks', ignored.length === 0 ? undefined : enumerate(ignored)],
    ['Decimal places', expectedScalesText(expectedScales)],
    ['Everything read', whatWasRead(one)],
    ['Neighbours', neighbours === undefined ? undefined : many(neighbours, 'settlement')],
    ['Not searched', daysNotSearched(one)],
  ]);
}

function whatWasRead({ reconciled, findings }: SettlementExplanation): string {
  const { complete, computed } = reconciled;
  if (findings.length > 0) return 'NO: its header is uncertain';
  return complete ? `yes: ${many(computed?.transactions ?? 0, 'row')}` : 'NO';
}
