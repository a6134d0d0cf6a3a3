import type { OrdersReport } from '../../app/orders-report.ts';
import type { ReferenceFit, ReferenceHintCode } from '../../match/orders/reference-fit.ts';
import { fewOf, grouped, many, present } from '../common/phrase.ts';

/** Why references of the files and of rows do not meet, each a sentence. */
export function referenceNotes({ fit, otherColumns, mapping }: OrdersReport): readonly string[] {
  const { joined, open, rows, references, hints } = fit;
  const none = joined === 0 && open > 0 && rows > 0;
  const [most = 0] = [...otherColumns.values()].sort((one, other) => other - one);
  const columns = [...otherColumns].filter(([, count]) => 2 * count > most);
  const of = `${grouped(open)} ${open === 1 ? 'order' : 'orders'} without a transaction`;
  return present(
    none &&
      (references.size > 0
        ? `No reference of the files occurs in the transactions. They have ${fewOf([...references])}.`
        : unnoted(fit, mapping.note)),
    ...hints.map(({ code, text, orders }) => {
      const [would, advice] = hintWords[code];
      return `${would.replace('TEXT', () => text)}, ${grouped(orders)} of ${of} would match${advice}.`;
    }),
    ...columns.map(
      ([column, count]) =>
        `Column ${column} has ${many(count, 'reference')} of these transactions: set order in orders_csv to it if the service was given this one.`,
    ),
  );
}

function unnoted({ otherNotes }: ReferenceFit, note: string): string {
  if (otherNotes.length === 0) return 'Transactions without an order have no notes.';
  return `Transactions without an order have no note ${note}. They have ${fewOf(otherNotes)}: set note in orders_csv.`;
}

/** What would have to be otherwise, and how to do it; TEXT is the prefix or suffix. */
const hintWords: Readonly<Record<ReferenceHintCode, readonly [would: string, advice: string]>> = {
  case: ['Without regard to upper and lower case', ''],
  zeros: ['Without zeros in front', ': set strip_zeros if the files have them'],
  long_digits: ['By their first 15 digits', ': a spreadsheet has changed the others'],
  row_prefix: ['With TEXT in front, as transactions have it', ''],
  row_suffix: ['With TEXT at the end, as transactions have it', ''],
  file_prefix: ['Without TEXT in front', ': set strip_prefix in orders_csv'],
  file_suffix: ['Without TEXT at the end', ''],
  several: ['As one of several references of a transaction', ''],
  account: ['Without account in orders_csv', ''],
};
