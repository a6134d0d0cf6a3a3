import type { Entry } from '../reconcile/entry.ts';
import { answerText } from './explain-answer.ts';
import { type ExplainReport, verdictOfExplained } from './explain-report.ts';
import { capitalised } from './phrase.ts';
import type { SettlementsReport } from './settlements-report.ts';
import { answerLabel, headline } from './summary.ts';
import { sentence } from './wording.ts';
import { verdictWords } from './words.ts';

/** What `recon settlements` comes to: the answer, then what was found across settlements. */
export function settlementsConclusion(report: SettlementsReport): readonly string[] {
  return [
    `${answerLabel(report)}. ${headline(report)}`,
    ...report.run.findings.map(sentenceOfItsOwn),
  ];
}

/** What `recon explain` comes to, settlement by settlement. */
export function explainConclusion({ settlements }: ExplainReport): readonly string[] {
  return settlements.flatMap((one) => {
    const label = verdictWords[verdictOfExplained(one)].toUpperCase();
    const { id } = one.reconciled.settlement;
    return [`${label}, ${id}. ${answerText(one)}`, ...one.findings.map(sentenceOfItsOwn)];
  });
}

function sentenceOfItsOwn(entry: Entry): string {
  return `${capitalised(sentence(entry))}.`;
}
