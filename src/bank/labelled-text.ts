import { accountNumber, type PaymentDetails } from '../model/bank.ts';
import { noDetails, references } from './written.ts';

/** The labels in a text, each with what stands behind it. */
export function labelsIn(text: string, label: RegExp): readonly (readonly [string, string])[] {
  const [, ...words] = text.split(label);
  return words.flatMap((word, at) => (at % 2 === 0 ? [[word, words[at + 1] ?? ''] as const] : []));
}

/** The labels of German banks, as `EREF+`. */
const plusLabel = /(?:^|\s)(EREF|KREF|MREF|CRED|DEBT|COAM|OAMT|SVWZ|ABWA|ABWE|PURP|IBAN|BIC)\+/;

/** What labels say that stand in a text, given in pieces; the texts themselves are not among it. */
export function labelledDetails(pieces: readonly string[]): PaymentDetails {
  if (!pieces.some((piece) => plusLabel.test(piece))) return noDetails;
  // A label begins a piece, or a word in it; its value goes on in the pieces after it.
  const marked = pieces
    .map((piece) => piece.replace(new RegExp(plusLabel, 'g'), '\n$1\n'))
    .join('');
  const values = new Map(labelsIn(marked, /\n([A-Z]+)\n/));
  const named = (...labels: readonly string[]) =>
    references(labels.map((label) => values.get(label) ?? ''));
  return {
    ...noDetails,
    endToEndIds: named('EREF'),
    references: named('KREF', 'MREF', 'CRED'),
    names: named('ABWA', 'ABWE'),
    accounts: named('IBAN').map(accountNumber),
  };
}
