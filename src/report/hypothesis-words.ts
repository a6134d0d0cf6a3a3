import type { Hypothesised } from '../reconcile/explain/explained.ts';
import { causeName } from './cause-words.ts';
import { type AmountForm, explanationText } from './explanation-words.ts';
import { obstacleText } from './obstacle-words.ts';
import { capitalised } from './phrase.ts';

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
