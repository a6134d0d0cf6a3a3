import { ReconError } from '../base/errors.ts';
import { groupedBy } from '../base/lists.ts';
import { uuidInText } from '../base/uuid.ts';
import {
  type CsvField,
  csvFieldPattern,
  csvFields,
  type JournalCsv,
} from '../model/account-mapping.ts';
import type { JournalEntry, Posting } from '../model/journal-entry.ts';
import { formatMinor, magnitude } from '../money/money.ts';
import type { AccountForm } from './accounts.ts';
import { pairsOf } from './datev.ts';
import type { JournalFile } from './journal-file.ts';

/** The accounts of any software. */
export const csvAccounts: AccountForm = {
  pattern: /^[^\p{Cc}]+$/u,
  says: 'text on one line',
};

/** Without the signed amount, which debit and credit have already. */
const usualColumns = Object.fromEntries(
  csvFields.filter((name) => name !== 'amount').map((name) => [name, `{${name}}`]),
);

const usual = {
  date: 'YYYY-MM-DD',
  columns: usualColumns,
  first_line: [],
  words: {},
  names: {},
  sides: ['D', 'C'],
  delimiter: ',',
  decimal: '.',
  most_decimals: 18,
  encoding: 'utf-8',
  header: true,
  longest: {},
  most_lines: Number.POSITIVE_INFINITY,
} as const satisfies JournalCsv;

/** A layout with all that it leaves open. */
export type CsvLayout = { readonly [Key in keyof JournalCsv]-?: NonNullable<JournalCsv[Key]> };

/** The layout of a journal: what the mapping sets, else what the preset says, else the usual. */
export function csvLayout(own: JournalCsv = {}, preset: JournalCsv = {}): CsvLayout {
  const words = { ...preset.words, ...own.words };
  return { ...usual, ...withoutUnset(preset), ...withoutUnset(own), words };
}

function withoutUnset(layout: JournalCsv): Partial<CsvLayout> {
  return Object.fromEntries(Object.entries(layout).filter(([, value]) => value !== undefined));
}

/**
 * The files that a journal needs: one for each currency if no column has the currency, and each with at most as many
 * lines as the target takes. One file without a name if all fits into it. Throws ReconError `usage` if an entry alone
 * is too long: an entry is never cut.
 */
export function csvFiles(
  file: JournalFile,
  layout: CsvLayout,
): readonly { readonly name: string; readonly file: JournalFile }[] {
  const hasCurrency = Object.values(layout.columns).some((text) => text.includes('{currency}'));
  const currencies = groupedBy(file.entries, ({ currency }) => (hasCurrency ? '' : currency));
  const byCurrency = currencies.size > 1 ? [...currencies] : [['', file.entries] as const];
  return byCurrency.flatMap(([currency, entries]) => {
    const parts = partsOf(entries, layout);
    return parts.map((part, at) => ({
      name: [currency, parts.length > 1 ? String(at + 1) : ''].filter(Boolean).join('-'),
      file: { ...file, entries: part },
    }));
  });
}

function partsOf(entries: readonly JournalEntry[], layout: CsvLayout) {
  const parts: JournalEntry[][] = [[]];
  let lines = 0;
  for (const entry of entries) {
    const own = linesOf(entry, layout).length;
    if (own > layout.most_lines) {
      const message = `A file takes ${layout.most_lines} lines; one entry has ${own}.`;
      const hint = 'An entry is never cut: leave out --detail or --per day.';
      throw new ReconError('usage', message, { where: entry.text, hint });
    }
    if (lines > 0 && lines + own > layout.most_lines) {
      parts.push([]);
      lines = 0;
    }
    lines += own;
    parts.at(-1)?.push(entry);
  }
  return parts;
}

/** Throws ReconError `usage` if a journal does not fit into one file. A batch cannot have several. */
export function requireOneFile(
  files: ReturnType<typeof csvFiles>,
  layout: CsvLayout,
  isBatch: boolean,
): void {
  if (files.length === 1) return;
  const currencies = new Set(files.map(({ file }) => file.entries[0]?.currency ?? ''));
  const folder = isBatch ? '' : ' For a file each, name a folder: --output FOLDER/.';
  const register = isBatch ? ', with a register of its own' : '';
  if (currencies.size > 1) {
    const [first = ''] = currencies;
    const message = `No column has the currency, and there are entries in ${[...currencies].join(', ')}.`;
    throw new ReconError('usage', message, {
      hint: `Choose one, such as --currency ${first}${register}.${folder}`,
    });
  }
  throw new ReconError('usage', `A file takes ${layout.most_lines} lines; there are more.`, {
    hint: `Use a shorter range, or --per day.${folder}`,
  });
}

/** The lines of an entry: a posting each or, if a column has the counter account, a pair of accounts each. */
function linesOf({ postings }: JournalEntry, { columns }: CsvLayout) {
  const isPaired = Object.values(columns).some((text) => text.includes('{counter_account}'));
  return isPaired ? pairsOf(postings) : postings.map((posting) => ({ posting, against: '' }));
}

/** A record for each line of the entries. Debits are positive amounts. */
export function csvRecords({ entries }: Pick<JournalFile, 'entries'>, layout: CsvLayout) {
  const columns = Object.entries(layout.columns);
  function* rows() {
    for (const [number, entry] of entries.entries()) {
      for (const [line, { posting, against }] of linesOf(entry, layout).entries()) {
        const place = { number: number + 1, line: line + 1, against };
        const fields = fieldsOf(entry, posting, place, layout);
        yield columns.map(([column, template]) => {
          if (line > 0 && layout.first_line.includes(column)) return '';
          return filled(template, fields, layout.longest[column]);
        });
      }
    }
  }
  return {
    columns: columns.map(([key, template]) => ({
      key,
      kind: amountsOnly.test(template) ? ('amount' as const) : ('value' as const),
    })),
    rows: rows(),
  };
}

/** A decimal sign of another kind must not look like a formula. */
const amountsOnly = /^\{(?:debit|credit|amount|unsigned_amount)\}$/;

type Fields = Readonly<Record<string, string>>;

interface Place {
  readonly number: number;
  readonly line: number;
  readonly against: string;
}

function fieldsOf(
  entry: JournalEntry,
  posting: Posting,
  { number, line, against }: Place,
  layout: CsvLayout,
): Fields {
  const { minor, purpose, account } = posting;
  const written = (date: string) => {
    const [year = '', month = '', day = ''] = date.split('-');
    const { date: form } = layout;
    return form
      .replace('YYYY', year)
      .replace('YY', year.slice(2))
      .replace('MM', month)
      .replace('DD', day);
  };
  const amount = (units: bigint) => amountText(entry, units, layout);
  const [debit, credit] = layout.sides;
  const fields: Record<CsvField, string> = {
    entry_id: entry.id,
    date: written(entry.date),
    account,
    debit: minor > 0n ? amount(minor) : '',
    credit: minor < 0n ? amount(-minor) : '',
    amount: amount(minor),
    currency: entry.currency,
    text: entry.text,
    settlement_id: posting.settlementId,
    purpose,
    transaction_id: posting.transactionId,
    accounting_token: entry.accountingToken,
    status: entry.isPending ? 'pending' : 'booked',
    reverses: entry.reverses ?? '',
    of_date: entry.bookingDate === entry.date ? '' : written(entry.bookingDate),
    entry_number: String(number),
    line_number: String(line),
    account_name: layout.names[account] ?? account,
    counter_account: against,
    side: minor > 0n ? debit : credit,
    unsigned_amount: amount(magnitude(minor)),
  };
  const words = Object.entries(layout.words).map(
    ([name, texts]) => [name, texts[purpose] ?? texts.other ?? ''] as const,
  );
  return { ...Object.fromEntries(words), ...fields };
}

function amountText(
  { scale, currency, settlementIds }: JournalEntry,
  minor: bigint,
  layout: CsvLayout,
) {
  const { decimal, most_decimals: most } = layout;
  const factor = 10n ** BigInt(Math.max(0, scale - most));
  if (minor % factor === 0n) {
    return formatMinor(minor / factor, Math.min(scale, most)).replace('.', decimal);
  }
  const message = `The target takes ${most} decimals: it cannot hold ${formatMinor(minor, scale)} ${currency}.`;
  throw new ReconError('usage', message, {
    where: `settlement ${settlementIds[0] ?? ''}`,
    hint: 'Leave this currency out: choose another with --currency.',
  });
}

/** A template with its fields. If it gets too long, the name at the end of `{text}` goes first, the id in it last. */
function filled(template: string, fields: Fields, longest = Number.POSITIVE_INFINITY): string {
  const fill = (own: Fields) =>
    template.replace(csvFieldPattern, (_, name: string) => own[name] ?? '');
  const whole = fill(fields);
  if (whole.length <= longest) return whole;
  const { text = '' } = fields;
  const id = uuidInText.exec(text);
  const least = id ? id.index + id[0].length : 0;
  const kept = Math.max(least, text.length - (whole.length - longest));
  return fill({ ...fields, text: text.slice(0, kept).trimEnd() }).slice(0, longest);
}
