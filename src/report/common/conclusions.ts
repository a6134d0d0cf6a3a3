import type { OddAnswer } from '../../model/source.ts';
import type { Entry } from '../../reconcile/entry.ts';
import { unusualAnswers } from '../../reconcile/reconcile-run.ts';
import type { ChargeReport } from '../charge/report.ts';
import { answerText } from '../explain/answer.ts';
import { explainNext } from '../explain/next.ts';
import { type ExplainReport, incompleteEntries, verdictOfExplained } from '../explain/report.ts';
import { ignoredChecks } from '../settlements/notes.ts';
import type { SettlementsReport } from '../settlements/report.ts';
import { incompleteSentences } from './partial-words.ts';
import { capitalised } from './phrase.ts';
import { answerLabel, headline } from './summary.ts';
import { readAgain } from './what-next.ts';
import { sentence } from './wording.ts';
import { verdictWords } from './words.ts';

/** What `recon settlements` comes to: the answer, what is wrong beside it, what to do. */
export function settlementsConclusion(report: SettlementsReport): readonly string[] {
  return [
    `${answerLabel(report)}. ${headline(report)}`,
    ...report.run.findings.map(sentenceOfItsOwn),
    ...incompleteSentences(report.run.settlements),
    ...ignoredChecks(report),
    ...readAgain(report).map(next),
  ];
}

/** What was odd in the service's answers, for commands whose reports are about something else. */
export function answersConclusion(oddAnswers?: readonly OddAnswer[]): readonly string[] {
  return unusualAnswers(oddAnswers).map(sentenceOfItsOwn);
}

/** What `recon explain` comes to, settlement by settlement. */
export function explainConclusion({ settlements, flags }: ExplainReport): readonly string[] {
  return settlements.flatMap((one) => {
    const verdict = verdictOfExplained(one);
    const { id } = one.reconciled.settlement;
    return [
      `${verdictWords[verdict].toUpperCase()}, ${id}. ${answerText(one)}`,
      ...incompleteEntries(one).map(sentenceOfItsOwn),
      ...(verdict === 'incomplete' ? explainNext(one, flags).map(next) : []),
    ];
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

function next(text: string): string {
  return `Next: ${text}`;
}
