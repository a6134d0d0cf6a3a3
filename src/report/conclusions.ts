import type { OddAnswer } from '../model/source.ts';
import type { Entry } from '../reconcile/entry.ts';
import { unusualAnswers } from '../reconcile/reconcile-run.ts';
import type { ChargeReport } from './charge-report.ts';
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

/** What was odd in the service's answers, for commands whose reports are about something else. */
export function answersConclusion(oddAnswers?: readonly OddAnswer[]): readonly string[] {
  return unusualAnswers(oddAnswers).map(sentenceOfItsOwn);
}

/** What `recon explain` comes to, settlement by settlement. */
export function explainConclusion({ settlements }: ExplainReport): readonly string[] {
  return settlements.flatMap((one) => {
    const label = verdictWords[verdictOfExplained(one)].toUpperCase();
    const { id } = one.reconciled.settlement;
    return [`${label}, ${id}. ${answerText(one)}`, ...one.findings.map(sentenceOfItsOwn)];
  });
}

/** What `recon charge` leaves open; nothing where it read everything that it looked for. */
export function chargeConclusion({ settled }: ChargeReport): readonly string[] {
  if (settled?.complete !== false) return [];
  return ['Not all settlements of the range were read whole: rows of the charges may be missing.'];
}

function sentenceOfItsOwn(entry: Entry): string {
  return `${capitalised(sentence(entry))}.`;
}
