import type { Code, Entry } from '../reconcile/entry.ts';
import type { ReconciledSettlement } from '../reconcile/reconciled.ts';
import { chargeRemarks } from './charge-evidence-words.ts';
import { answerText } from './explain-answer.ts';
import { causeBlocks } from './explain-causes.ts';
import { explainNext } from './explain-next.ts';
import type { ExplainedSettlement, ExplainReport } from './explain-report.ts';
import { waterfallSection } from './explain-sections.ts';
import { enumerate, many } from './phrase.ts';
import { remark } from './remarks.ts';
import type { Block, Remark, View } from './view.ts';
import { opinionWords, verdictTones, verdictWords } from './words.ts';

/** The report for a screen, a settlement after the other: the answer, the arithmetic, the causes. */
export function explainView(report: ExplainReport): View {
  return report.settlements.flatMap((one) => settlementBlocks(one, report));
}

/** What the waterfall shows, and what the facts say. */
const saidElsewhere: readonly Code[] = ['gross', 'fees', 'tax', 'count', 'reported_by_service'];

/** What was found beside the differences of the waterfall. */
export function otherEntries({ discrepancies, notices }: ReconciledSettlement): readonly Entry[] {
  return [...discrepancies, ...notices].filter(
    ({ code, weight }) => weight !== 'incomplete' && !saidElsewhere.includes(code),
  );
}

/** What forbids a conclusion. */
export function incompleteEntries({ discrepancies }: ReconciledSettlement): readonly Entry[] {
  return discrepancies.filter(({ weight }) => weight === 'incomplete');
}

function settlementBlocks(one: ExplainedSettlement, report: ExplainReport): readonly Block[] {
  const { reconciled } = one;
  const { verdict } = reconciled;
  const next = explainNext(one, report.flags);
  return [
    {
      kind: 'answer',
      label: verdictWords[verdict].toUpperCase(),
      tone: verdictTones[verdict],
      text: answerText(one),
    },
    ...remarks('Not read whole', incompleteEntries(reconciled).map(remark)),
    { kind: 'facts', facts: facts(one, report) },
    waterfallSection(reconciled, report.settings.identity),
    ...causeBlocks(one),
    ...remarks('Charges of the rows named', one.charges ? chargeRemarks(one.charges) : []),
    ...remarks('Found beside the sums', otherEntries(reconciled).map(remark)),
    ...remarks(
      'Next',
      next.map((text) => ({ mark: '>', tone: 'plain', text })),
    ),
  ];
}

function facts(
  { reconciled, neighbours }: ExplainedSettlement,
  { names, settings }: ExplainReport,
) {
  const { settlement, serviceSays, sumsSay, complete, computed } = reconciled;
  const { tolerance, ignored } = settings;
  const list: readonly (readonly [label: string, value: string | undefined])[] = [
    ['Settlement', `${settlement.id}, of ${settlement.date}`],
    ['Account', names.get(settlement.accountingToken) ?? settlement.accountingToken],
    ['The service says', `${opinionWords[serviceSays]} (${settlement.status})`],
    ['The sums say', opinionWords[sumsSay]],
    ['Tolerance', tolerance === 0n ? undefined : `${tolerance} in minor units, each amount`],
    ['Ignored checks', ignored.length === 0 ? undefined : enumerate(ignored)],
    ['Everything read', complete ? `yes: ${many(computed?.transactions ?? 0, 'row')}` : 'NO'],
    ['Around it', neighbours === undefined ? undefined : many(neighbours, 'settlement')],
  ];
  return list.flatMap(([label, value]) => (value === undefined ? [] : [[label, value] as const]));
}

function remarks(title: string, list: readonly Remark[]): readonly Block[] {
  return list.length === 0 ? [] : [{ kind: 'remarks', title, remarks: list }];
}
