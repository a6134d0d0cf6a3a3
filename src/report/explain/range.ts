import { answerBlock, facts, listed, remark, remarks, unsure } from '../common/blocks.ts';
import { incompleteSentences } from '../common/partial-words.ts';
import { enumerate, present, wholeRangeText } from '../common/phrase.ts';
import type { Block } from '../common/view.ts';
import { verdictTones } from '../common/words.ts';
import { openPendings } from '../settlements/notes.ts';
import { answerLabel, completenessText, headline } from '../settlements/summary.ts';
import type { ExplainReport } from './report.ts';

/** What was read of a range; nothing where settlements were asked for by their ids. */
export function rangeBlocks({ range, ...report }: ExplainReport): readonly Block[] {
  if (range === undefined) return [];
  const whole = { ...report, run: range.run };
  const filters = Object.entries(report.settings.filters).map(
    ([name, value]) => `${name} ${value}`,
  );
  const { settlements, counts, verdict, findings } = range.run;
  const isBalanced = settlements.length > 0 && counts.out_of_balance === 0;
  const answer = present(headline(whole), isBalanced && nothingToExplain).join(' ');
  return [
    answerBlock(answerLabel(whole), verdictTones[verdict], answer),
    facts([
      ['Range', wholeRangeText(range)],
      ['Filters', enumerate(filters)],
      ['Everything read', completenessText(whole)],
    ]),
    ...remarks('Not fully read', incompleteSentences(settlements).map(unsure)),
    ...remarks('Findings across settlements', findings.map(remark)),
    ...listed('Pending', openPendings(whole)),
  ];
}

const nothingToExplain = 'No settlement is out of balance, so there is nothing to explain.';
