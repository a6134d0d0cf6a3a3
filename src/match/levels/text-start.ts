import type { PaymentDetails } from '../../model/bank.ts';
import { isSameMoney } from '../finding.ts';
import type { KeyLevel } from './key-level.ts';

/** A text or a reference that was cut, and ends with the beginning of one settlement's id. */
export const textStart: KeyLevel = {
  by: 'text_start',
  isExact: true,
  find: (piece, { both }) => {
    const owners = new Set(endsOf(piece.details).map((text) => both.startedAtEndOf(text)));
    return [...owners].flatMap((one) => (one && isSameMoney(one, piece) ? [[one]] : []));
  },
};

function endsOf({ texts, references, endToEndIds }: PaymentDetails): readonly string[] {
  return [texts.join(' '), ...texts, ...references, ...endToEndIds];
}
