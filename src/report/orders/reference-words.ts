import type { OrdersReport } from '../../app/orders-report.ts';
import type { ReferenceFit, ReferenceHintCode } from '../../match/orders/reference-fit.ts';
import { fewOf, grouped, many, present } from '../common/phrase.ts';

/** Why references of the files and of rows do not meet, each a sentence. */
export function referenceNotes({ fit, otherColumns, mapping }: OrdersReport): readonly string[] {
  const { joined, open, rows, references, hints } = fit;
  const none = joined === 0 && open > 0 && rows > 0;
  const [most = 0] = [...otherColumns.values()].sort((one, other) => other - one);
  const columns = [...otherColumns].filter(([, count]) => 2 * count > most);
  const of = `${grouped(open)} ${open === 1 ? 'order' : 'orders'} without a row`;
  return present(
    none &&
      (references.size > 0
        ? `No reference of the files occurs in the rows. They have ${fewOf([...references])}.`
        : unnoted(fit, mapping.note)),
    ...hints.map(({ code, text, orders }) => {
      const [would, advice = ''] = hintWords(code, text);
      return `${would}, ${grouped(orders)} of ${of} would match${advice}.`;
    }),
    ...columns.map(
      ([column, count]) =>
        `Column ${column} has ${many(count, 'reference')} of these rows: set order in orders_csv to it if the service was given this one.`,
    ),
  );
}

function unnoted({ otherNotes }: ReferenceFit, note: string): string {
  if (otherNotes.length === 0) return 'Rows without an order have no notes.';
  return `Rows without an order have no note ${note}. They have ${fewOf(otherNotes)}: set note in orders_csv.`;
}

/** What would have to be otherwise, and how to do it. */
function hintWords(
  code: ReferenceHintCode,
  text: string,
): readonly [would: string, advice?: string] {
  switch (code) {
    case 'case':
      return ['Without regard to upper and lower case'];
    case 'zeros':
      return ['Without zeros in front', ': set strip_zeros if the files have them'];
    case 'long_digits':
      return ['By their first 15 digits', ': a spreadsheet has changed the others'];
    case 'row_prefix':
      return [`With ${text} in front, as rows have it`];
    case 'row_suffix':
      return [`With ${text} at the end, as rows have it`];
    case 'file_prefix':
      return [`Without ${text} in front`, `: set strip_prefix in orders_csv`];
    case 'file_suffix':
      return [`Without ${text} at the end`];
    case 'several':
      return ['As one of several references of a row'];
    case 'account':
      return ['Without account in orders_csv'];
  }
}
