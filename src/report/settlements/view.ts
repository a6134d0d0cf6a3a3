import { plain, remark, remarks } from '../common/remarks.ts';
import { answerLabel, headline } from '../common/summary.ts';
import type { View } from '../common/view.ts';
import { whatNext } from '../common/what-next.ts';
import { verdictTones } from '../common/words.ts';
import { groupSections } from './group-section.ts';
import { settlementsNotes } from './notes.ts';
import type { SettlementsReport } from './report.ts';
import { runFacts } from './run-facts.ts';
import { settlementSections } from './sections.ts';

/** `group`: totals only, without the single settlements. */
export type By = 'settlement' | 'group';

/** The report for a screen: the answer, what it is about, the totals, what is off, what next. */
export function settlementsView(report: SettlementsReport, by: By): View {
  const { verdict, findings } = report.run;
  return [
    {
      kind: 'answer',
      label: answerLabel(report),
      tone:
        report.run.settlements.length === 0 && verdict === 'balanced'
          ? 'plain'
          : verdictTones[verdict],
      text: headline(report),
    },
    { kind: 'facts', facts: runFacts(report) },
    ...groupSections(report),
    ...(by === 'settlement' ? settlementSections(report) : []),
    ...remarks('Found across settlements', findings.map(remark)),
    ...remarks('Notes', plain('-', settlementsNotes(report))),
    ...remarks('Next', plain('>', whatNext(report))),
  ];
}
