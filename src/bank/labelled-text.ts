import type { PaymentDetails } from '../model/bank.ts';
import { accountNumber, noDetails, references } from './written.ts';

/** The labels of German banks, as `EREF+`. */
const plusLabel = /(?:^|\s)(EREF|KREF|MREF|CRED|DEBT|COAM|OAMT|SVWZ|ABWA|ABWE|PURP|IBAN|BIC)\+/;

/** What labels say that stand in a text, given in pieces; the texts themselves are not among it. */
export function labelledDetails(pieces: readonly string[]): PaymentDetails {
  if (!pieces.some((piece) => plusLabel.test(piece))) return noDetails;
  // A label begins a piece, or a word in it; its value goes on in the pieces after it.
  const marked = pieces
    .map((piece) => piece.replace(new RegExp(plusLabel, 'g'), '\n$1\n'))
    .join('');
  const [, ...words] = marked.split(/\n([A-Z]+)\n/);
  const values = new Map<string, string>();
  for (let index = 0; index < words.length; index += 2) {
    values.set(words[index] ?? '', words[index + 1] ?? '');
  }
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
