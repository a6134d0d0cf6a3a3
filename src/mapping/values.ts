import { dayIn } from '../base/calendar.ts';
import { largestOf } from '../base/lists.ts';
import { type AmountForm, writtenAmount } from '../money/decimal.ts';
import { minorUnitsOf } from '../money/minor-units.ts';

const amountForms: readonly AmountForm[] = [
  { decimal: '.' },
  { decimal: ',' },
  { decimal: '.', thousands: ',' },
  { decimal: ',', thousands: '.' },
  { decimal: '.', thousands: "'" },
  { decimal: '.', thousands: '’' },
  { decimal: ',', thousands: ' ' },
  { decimal: '.', thousands: ' ' },
];

const dateForms: readonly string[] = [
  ...['YYYY-MM-DD', 'YYYY/MM/DD', 'YYYY.MM.DD', 'YYYY.MM.DD.', 'YYYYMMDD', 'DDMMYYYY'],
  ...['.', '/', '-', ' '].flatMap((sign) =>
    ['YYYY', 'YY'].flatMap((year) =>
      [
        ...[`DD.MM.${year}`, `D.M.${year}`, `DD.MMM.${year}`, `D.MMM.${year}`],
        // With dots, the day comes first.
        ...(sign === '.' ? [] : [`MM.DD.${year}`, `M.D.${year}`, `MMM.D.${year}`]),
      ].map((form) => form.replaceAll('.', sign)),
    ),
  ),
  ...['MMM D, YYYY', 'MMM DD, YYYY', 'D. MMM YYYY', 'YYYY-MMM-DD', 'YYYY MMM DD'],
];

/** What a date in a form looks like: to read it takes much longer. */
function shapeOf(form: string): RegExp {
  const shape = form.replace(/YYYY|MMM|YY|MM|DD|M|D|\./g, (part) =>
    part === '.'
      ? '\\.'
      : part === 'MMM'
        ? '\\p{L}+\\.?'
        : part.length > 1
          ? `\\d{${part.length}}`
          : '\\d{1,2}',
  );
  return new RegExp(`^\\s*${shape}(?!\\d)`, 'u');
}

/** What all cells of a column can be, and how many are. */
export interface FormFit<Form> {
  readonly form: Form;
  readonly count: number;
}

/** Whether so many of the cells are enough to be of a kind: others may be totals, or words such as `pending`. */
export function areMost(count: number, of: number): boolean {
  const others = of - count;
  return of > 0 && others * 4 <= of && others <= Math.max(3, of / 10);
}

function fitsOf<Form>(
  forms: readonly Form[],
  cells: readonly string[],
  fits: (cell: string, form: Form) => boolean,
): readonly FormFit<Form>[] {
  const countIn = (some: readonly string[], form: Form) =>
    some.filter((cell) => fits(cell, form)).length;
  const first = cells.slice(0, 20);
  const likely = forms.filter((form) => areMost(countIn(first, form), first.length));
  const all = likely.map((form) => ({ form, count: countIn(cells, form) }));
  const most = largestOf(all.map(({ count }) => count));
  return all.filter(({ count }) => count === most && areMost(count, cells.length));
}

/** The forms in which most of the cells are dates, the best only; none if they are no dates. */
export function dateFits(cells: readonly string[]): readonly FormFit<string>[] {
  const shapes = new Map(dateForms.map((form) => [form, shapeOf(form)]));
  return fitsOf(
    dateForms,
    cells,
    (cell, form) => shapes.get(form)?.test(cell) === true && dayIn(cell, form) !== undefined,
  );
}

/** The form in which most of the cells are amounts; undefined if they are none. */
export function amountFit(
  cells: readonly string[],
  currency: string | undefined,
): FormFit<AmountForm> | undefined {
  const own =
    currency ?? currencyIn(cells) ?? (cells.some((one) => one.includes('$')) ? 'USD' : 'EUR');
  const forms = amountForms.filter(({ thousands = '' }) =>
    cells.some((cell) => cell.includes(thousands)),
  );
  const [best] = fitsOf(forms, cells, (cell, form) => isAmount(cell, form, own));
  return best;
}

function isAmount(cell: string, form: AmountForm, currency: string): boolean {
  const bare = cell.replace(/\s*\b(CR|DR|DB|[CDHS])\.?$/i, '');
  return writtenAmount(bare, form, currency) !== undefined;
}

/** The currency by the sign or code in amounts; undefined if they have none, or one of several. */
export function currencyIn(amounts: readonly string[]): string | undefined {
  const [sign = '', ...others] = new Set(
    amounts.flatMap((cell) => /[\p{L}\p{Sc}]+/u.exec(cell)?.[0] ?? []),
  );
  const code = { '€': 'EUR', '£': 'GBP' }[sign] ?? sign;
  return others.length === 0 && isCurrency(code) ? code : undefined;
}

export function isCurrency(cell: string): boolean {
  return minorUnitsOf(cell.toUpperCase()) !== undefined;
}

/** Words with their numbers, the most frequent first; undefined if the cells are no words, which may be personal. */
export function wordsIn(cells: readonly string[]) {
  const counts = new Map<string, number>();
  for (const cell of cells) counts.set(cell, (counts.get(cell) ?? 0) + 1);
  const words = [...counts].sort(([, one], [, other]) => other - one);
  const areFew = words.length <= 5 || (words.length <= 20 && words.length * 3 <= cells.length);
  const areWords = words.every(([word]) => /^(?!.*(@|\d{4}))[^\n]{1,40}$/.test(word));
  return areFew && areWords ? words : undefined;
}
