import type { Hypothesised } from '../../explain/explained.ts';
import { capitalised } from '../common/phrase.ts';
import { causeName } from './cause-words.ts';
import { obstacleText } from './obstacle-words.ts';
import { type AmountForm, explanationText } from './words.ts';

/** What became of a hypothesis, in a sentence or more. */
export function hypothesisText(one: Hypothesised, form: AmountForm): string {
  switch (one.outcome) {
    case 'explains':
    case 'partly':
      return explanationText(one, form);
    case 'ruled_out':
      return `${capitalised(causeName(one.codes[0]))}: ruled out, none of ${one.tried} tried fits.`;
    case 'not_searched':
      return `${capitalised(causeName(one.codes[0]))}: not searched, ${obstacleText(one.obstacle)}.`;
  }
}
