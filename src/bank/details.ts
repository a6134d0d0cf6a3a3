import { accountNumber, detailsBy, type PaymentDetails } from '../model/bank.ts';

export const noDetails = detailsBy(() => []);

/** The details of one payment from several descriptions, each value once. */
export function joinedDetails(all: readonly PaymentDetails[]): PaymentDetails {
  return detailsBy((field) => {
    const [only = [], ...others] = all.map((one) => one[field]).filter(({ length }) => length > 0);
    return others.length === 0 ? only : [...new Set([only, ...others].flat())];
  });
}

/** References without blanks around them, each once, without placeholders such as `NOTPROVIDED`. */
export function references(written: readonly string[]): readonly string[] {
  const all = written
    .map((reference) => reference.trim())
    .filter((reference) => !/^(not[ _]?provided|nonref|not[ _]?available|)$/i.test(reference));
  return all.length > 1 ? [...new Set(all)] : all;
}

export function labelsIn(text: string, label: RegExp): readonly (readonly [string, string])[] {
  const [, ...words] = text.split(label);
  const labels: (readonly [string, string])[] = [];
  for (let at = 0; at < words.length; at += 2) labels.push([words[at] ?? '', words[at + 1] ?? '']);
  return labels;
}

/** The labels of German banks, such as `EREF+`. Some exports write no blank before them. */
const plusLabel =
  /\s?(EREF|KREF|MREF|CRED|DEBT|COAM|OAMT|SVWZ|ABWA|ABWE|PURP|(?<![A-Z])(?:IBAN|BIC))\+/;
const plusLabels = new RegExp(plusLabel, 'g');

/** The values of labels in the pieces of a text; the texts themselves are not included. */
export function labelledDetails(pieces: readonly string[]): PaymentDetails {
  if (!pieces.some((piece) => plusLabel.test(piece))) return noDetails;
  // Labels start a piece or a word, and values may continue in the next pieces.
  const marked = pieces.map((piece) => piece.replace(plusLabels, '\n$1\n')).join('');
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
