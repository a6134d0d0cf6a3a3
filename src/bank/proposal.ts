import { usualCsv } from '../base/csv-records.ts';
import { ReconError } from '../base/errors.ts';
import type { Beginning } from '../mapping/beginning.ts';
import { filledIn, type Inferred, inferred } from '../mapping/columns.ts';
import {
  columnSettings,
  currencySettings,
  formSettings,
  notFound,
  type Proposal,
  type Setting,
} from '../mapping/proposal.ts';
import { columnNames } from '../mapping/table.ts';
import { amountFit, areMost, wordsIn } from '../mapping/values.ts';
import type { BankCsv } from '../model/bank.ts';
import { type BankField, bankFields } from './bank-fields.ts';
import { triedCsv } from './csv-choice.ts';
import { isStatement } from './read-statements.ts';
import type { Unreadable } from './written.ts';

type BankFile = Inferred<BankField>;

/** A mapping for a bank's file that begins so, tried on all of it; undefined without a table. ReconError `usage` if none is needed. */
export function proposedBank(beginning: Beginning, where: string): Proposal | undefined {
  if (isStatement(beginning.text)) {
    const hint = 'Read it without --init.';
    throw new ReconError('usage', 'This bank statement needs no mapping.', { where, hint });
  }
  const file = inferred(beginning, bankFields, [
    ...(['currency', 'date', 'amount', 'account', 'texts'] as const),
  ]);
  if (!file) return undefined;
  const form = formSettings(beginning, file, false);
  const trials = movementsIn(file).map((movement) =>
    tried(beginning.text, [...form, ...dateSettings(file), ...movement, ...otherSettings(file)]),
  );
  const best = trials.reduce((least, one) =>
    one.faults < least.faults && (isProved(one, file) || !needsProof(one, file)) ? one : least,
  );
  const { header, columns, rows } = file.table;
  return {
    table: 'bank_csv',
    rows: rows.length,
    settings: withBalance(best, file),
    names: columnNames(header ?? columns.map(() => '')),
    ...(best.isWhole && { reading: best }),
  };
}

const textKeys = [
  ...(['texts', 'references', 'bank_reference', 'end_to_end_id', 'name', 'counterparty'] as const),
];

function dateSettings(file: BankFile): readonly Setting[] {
  const own = (['date', 'value_date'] as const).flatMap((key) => columnSettings(key, file));
  return file.found.has('date') ? own : [notFound('date'), ...own];
}

function otherSettings(file: BankFile): readonly Setting[] {
  const account: Setting = { key: 'account', value: '', isOpen: true, notes: [] };
  const ofAccount = columnSettings('account', file);
  return [
    ...columnSettings('balance', file),
    ...balanceDecimal(file),
    ...currencySettings('currency', file),
    ...(ofAccount.length > 0 ? ofAccount : [account]),
    ...statusSettings(file),
    ...textKeys.flatMap((key) => columnSettings(key, file)),
  ];
}

/** The decimal sign of the balances, if it is not that of the amounts. */
function balanceDecimal({ found, amounts, currency }: BankFile): readonly Setting[] {
  const cells = found.get('balance')?.columns.flatMap(filledIn) ?? [];
  const decimal = amountFit(cells, currency?.code)?.form.decimal ?? amounts.form.decimal;
  // Without a fraction, balances have no sign.
  const isOwn = decimal !== amounts.form.decimal && cells.some((cell) => cell.includes(decimal));
  return isOwn ? [{ key: 'balance_decimal', value: decimal, notes: [] }] : [];
}

/** The words of a state; open if one of them is not known. */
function statusSettings(file: BankFile): readonly Setting[] {
  const [status] = file.found.get('status')?.columns ?? [];
  const words = status && wordsIn(filledIn(status));
  if (!status || !words) return [];
  const kinds = stateWords.map(([key]) => ({
    key,
    value: words.flatMap(([word]) => (stateOf(word) === key ? [word] : [])),
    notes: [],
  }));
  const known = kinds.flatMap(({ value }) => value);
  const isOpen = words.some(([word]) => !known.includes(word));
  return [
    { key: 'status', value: status.label, isOpen, notes: [{ code: 'words', words }] },
    ...(isOpen ? [] : kinds.filter(({ value }) => value.length > 0)),
  ];
}

const stateWords = [
  [
    'pending_words',
    /^no[nt] |pending|vorgemerkt|en attente|pendiente|in attesa|autorizzato|authori[sz]ed|gereserveerd/i,
  ],
  ['ignored_words', /revert|declin|fail|cancel|reject|storno|annul|rifiutat|rechazad|refus/i],
  [
    'booked_words',
    /booked|complete|posted|settled|executed|cleared|gebucht|contabilizzato|comptabilis|contabilizad|geboekt|verwerkt/i,
  ],
] as const;

/** By the first form that fits: `not booked` is pending. */
function stateOf(word: string) {
  return stateWords.find(([, form]) => form.test(word))?.[0];
}

/** What banks write beside an amount without a sign: money out and money in. */
const sides = [
  ...(['S H', 'Soll Haben', 'D C', 'DR CR', 'DBIT CRDT', 'Debit Credit', 'Débit Crédit'] as const),
  ...(['Debet Credit', 'Af Bij', 'Cargo Abono', 'Debe Haber', 'Dare Avere', '- +'] as const),
].map((pair) => pair.split(' '));

/** How the file may say which way money went, the most likely first. */
function movementsIn(file: BankFile): readonly (readonly Setting[])[] {
  const [amount] = file.found.get('amount')?.columns ?? [];
  const isSigned =
    amount && filledIn(amount).some((cell) => /[-−(]|\d\s*[A-Z]{1,2}\.?$/.test(cell));
  const signed = columnSettings('amount', file);
  const two = (['debit', 'credit'] as const).flatMap((key) => columnSettings(key, file));
  const inverted: Setting = { key: 'inverted', value: true, notes: [] };
  const directed = isSigned ? [] : directionSettings(file);
  const fee = columnSettings('fee', file);
  const unclear = signed.map((one) => ({
    ...one,
    notes: [...one.notes, { code: 'no_sign' } as const],
  }));
  const likely = [
    ...(amount && directed.length > 0 ? [[...signed, ...directed]] : []),
    ...(amount && isSigned ? [signed] : []),
    ...(two.length === 2 ? [two] : []),
    ...(amount && !isSigned ? [unclear] : []),
    ...(amount && file.found.has('balance') ? [[...signed, inverted]] : []),
  ];
  const all = [
    ...(likely.length > 0 ? likely : [signed.length > 0 ? signed : [notFound('amount')]]),
    ...(amount ? [] : amountsByBalance(file)),
  ];
  return all.flatMap((one) => (fee.length > 0 ? [[...one, ...fee], one] : [one]));
}

/** Each of the columns that could be the amounts, if balances can tell which is. */
function amountsByBalance({ found }: BankFile): readonly (readonly Setting[])[] {
  const { others = [] } = found.get('amount') ?? {};
  const labels = found.has('balance') ? others.map(({ label }) => label) : [];
  return labels.map((value) => [
    {
      key: 'amount',
      value,
      notes: [{ code: 'or', values: labels.filter((one) => one !== value) }],
    },
  ]);
}

/** The column with words for both sides: by its name or, if it has none, by its words. */
function directionSettings({ found, table }: BankFile): readonly Setting[] {
  const unnamed = table.columns.filter(({ label }) => /^\d+$/.test(label));
  const [direction] = (found.get('direction')?.columns ?? unnamed).flatMap((column) => {
    const words = wordsIn(filledIn(column)) ?? [];
    const pair = sides.find(
      (both) =>
        words.length > 0 && words.every(([word]) => both.some((side) => isSame(side, word))),
    );
    return pair ? [{ column, words, pair }] : [];
  });
  if (!direction) return [];
  const { column, words, pair } = direction;
  const [debit = [], credit = []] = pair.map((side) => {
    const own = words.flatMap(([word]) => (isSame(side, word) ? [word] : []));
    return own.length > 0 ? own : [side];
  });
  return [
    { key: 'direction', value: column.label, notes: [{ code: 'words', words }] },
    { key: 'debit_words', value: debit, notes: [] },
    { key: 'credit_words', value: credit, notes: [] },
  ];
}

function isSame(side: string, word: string): boolean {
  return side.toLowerCase() === word.toLowerCase();
}

/** Keys without which a row can still be read. */
const optional = ['value_date', 'fee', 'balance', 'status'];

interface Trial {
  readonly settings: readonly Setting[];
  readonly entries: number;
  readonly unreadable: readonly { readonly line: number; readonly element: string }[];
  readonly breaks: number;
  /** Whether the mapping has all that is needed to read. */
  readonly isWhole: boolean;
  readonly faults: number;
}

/** Reads the beginning by a mapping; what cannot be read by it and is not needed is left open. */
function tried(text: string, settings: readonly Setting[]): Trial {
  const unreadable: Unreadable[] = [];
  let [entries, breaks] = [0, 0];
  const mapping = mappingOf(settings);
  const isWhole = mapping.date !== '' && (mapping.amount ?? mapping.debit) !== undefined;
  if (isWhole) {
    const reader = triedCsv(mapping, text).reader('', {
      statement: (one) => {
        entries += one.entries.length;
        breaks += one.breaks?.length ?? 0;
      },
      unreadable: (fault) => unreadable.push(fault),
      other: () => {},
    });
    reader.push(text.slice(0, text.lastIndexOf('\n') + 1) || text);
    reader.end();
  }
  const rows = entries + unreadable.length;
  const key = optional.find((one) => {
    const faults = unreadable.filter((fault) => fault.key === one).length;
    return faults > 0 && !areMost(rows - faults, rows);
  });
  if (key !== undefined) {
    const without = settings.map(
      (one): Setting =>
        one.key === key
          ? { ...one, isOpen: true, notes: [...one.notes, { code: 'not_read' }] }
          : one,
    );
    return tried(
      text,
      without.filter((one) => key !== 'status' || !/_words$/.test(one.key)),
    );
  }
  const faults = isWhole ? breaks + unreadable.length : Number.POSITIVE_INFINITY;
  const named = unreadable.map(({ place, element }) => ({ line: place.line, element }));
  return { settings, entries, unreadable: named, breaks, isWhole, faults };
}

function mappingOf(settings: readonly Setting[]): BankCsv {
  const known = settings.filter(({ isOpen, key }) => !isOpen || key === 'date_format');
  const none: BankCsv = {
    ...usualCsv,
    date: '',
    inverted: false,
    debit_words: [],
    credit_words: [],
    booked_words: [],
    pending_words: [],
    ignored_words: [],
    opening_words: [],
    closing_words: [],
    // Of a currency with decimals, so that amounts can be tried.
    currency: 'EUR',
    texts: [],
    references: [],
  };
  return { ...none, ...Object.fromEntries(known.map(({ key, value }) => [key, value])) };
}

/** Of the balances, how many follow from the row before. */
function balancesOf({ breaks }: Trial, { found }: BankFile) {
  const of = found.get('balance')?.columns.flatMap(filledIn).length ?? 0;
  return { count: Math.max(of - breaks, 0), of };
}

function isProved(trial: Trial, file: BankFile): boolean {
  const { count, of } = balancesOf(trial, file);
  return areMost(count, of);
}

/** Whether only the balances can say that a trial is right: another sign, or one of several columns of amounts. */
function needsProof({ settings }: Trial, { found }: BankFile): boolean {
  const isUnclear = found.get('amount')?.columns.length === 0;
  return settings.some(({ key }) => key === 'inverted' || (isUnclear && key === 'amount'));
}

/** A balance that does not follow from the rows is none, or rows are missing. */
function withBalance(trial: Trial, file: BankFile): readonly Setting[] {
  const balances = balancesOf(trial, file);
  return trial.settings.map((one) =>
    one.key === 'balance' && !one.isOpen && balances.of > 1
      ? { ...one, isOpen: !isProved(trial, file), notes: [{ code: 'balances', ...balances }] }
      : one,
  );
}
