import { usualCsv } from '../base/csv-records.ts';
import type { Beginning } from '../mapping/beginning.ts';
import { filledIn, type Inferred, inferred } from '../mapping/columns.ts';
import {
  columnSettings,
  currencySettings,
  formSettings,
  type MappingNote,
  notFound,
  type Proposal,
  type Setting,
} from '../mapping/proposal.ts';
import { columnNames } from '../mapping/table.ts';
import { wordsIn } from '../mapping/values.ts';
import type { SettlementsCsv } from '../model/settlement-files.ts';
import { lineColumns, lineIn } from './lines.ts';
import { settlementPresetIn, settlementPresets } from './presets.ts';
import { type LineField, lineFields, type PayoutField, payoutFields } from './settlement-fields.ts';

/**
 * A mapping for the settlement files of a provider whose lines begin so, and another file that states what is paid out;
 * undefined without a table.
 */
export function proposedSettlements(
  lines: Beginning,
  payouts: Beginning | undefined,
  profile: string,
): Proposal | undefined {
  const file = inferred(lines, lineFields, []);
  if (!file) return undefined;
  const { header, columns, rows } = file.table;
  const names = columnNames(header ?? columns.map(() => ''));
  const form = formSettings(lines, file, true);
  const offer = { table: 'settlements_csv', rows: rows.length, names } as const;
  const preset = settlementPresetIn(header ?? []);
  if (preset !== undefined) {
    const given = new Map<string, unknown>(Object.entries(settlementPresets[preset]));
    const usual = new Map<string, unknown>(Object.entries(usualCsv));
    const own = form.filter(({ key, value }) => (given.get(key) ?? usual.get(key)) !== value);
    const more = (['order', 'charge'] as const).filter((key) => !given.has(key));
    const settings = [...own, ...more.flatMap((key) => columnSettings(key, file))];
    return { ...offer, settings: [{ key: 'preset', value: preset, notes: [] }, ...settings] };
  }
  const other = payouts && inferred(payouts, payoutFields, []);
  const named: Setting = { key: 'provider', value: profile, notes: [{ code: 'by_profile' }] };
  const rest = [
    ...form,
    ...linesOf(file, other, profile.replaceAll(' ', '-')),
    ...paidSettings(file, other),
  ];
  return { ...offer, settings: [named, ...withAmounts(file, rest)] };
}

type LinesFile = Inferred<LineField>;

function needed(key: LineField, file: LinesFile): readonly Setting[] {
  const own = columnSettings(key, file);
  return own.length > 0 ? own : [notFound(key)];
}

function linesOf(
  file: LinesFile,
  other: Inferred<PayoutField> | undefined,
  name: string,
): readonly Setting[] {
  const one: Setting = { key: 'account', value: name, notes: [{ code: 'by_profile' }] };
  // Both files must say it.
  const account = !other || other.found.has('account') ? columnSettings('account', file) : [];
  return [
    ...needed('payout', file),
    ...(account.length > 0 ? account : [one]),
    ...currencySettings('currency', file),
    ...needed('date', file),
    ...idSettings(file),
    ...(['order', 'charge', 'method', 'note'] as const).flatMap((key) => columnSettings(key, file)),
    ...statusSettings(file),
  ];
}

/** An id that two lines have would make them one. */
function idSettings(file: LinesFile): readonly Setting[] {
  const cells = file.found.get('id')?.columns.flatMap(filledIn) ?? [];
  const isRepeated = new Set(cells).size < cells.length;
  return columnSettings('id', file).map(({ notes, ...one }) =>
    isRepeated
      ? { ...one, isOpen: true, notes: [...notes, { code: 'repeated' }] }
      : { ...one, notes },
  );
}

function wordsOf(key: LineField, { found }: LinesFile) {
  const [column] = found.get(key)?.columns ?? [];
  return (column && wordsIn(filledIn(column))) ?? [];
}

const openWord = /pending|scheduled|in.?transit|open|unpaid|ausstehend|offen/i;

function statusSettings(file: LinesFile): readonly Setting[] {
  const open = wordsOf('status', file).flatMap(([word]) => (openWord.test(word) ? [word] : []));
  return open.length === 0
    ? []
    : [...columnSettings('status', file), { key: 'open_words', value: open, notes: [] }];
}

const kindsOfLines = [
  ['payout_types', /^(merchant ?)?pay-?outs?$|^(bank )?(transfer|deposit|withdrawal)$|auszahlung/i],
  ['fee_types', /\bfees?\b|_fees?$|commission|invoice|cost\b|gebühr/i],
  ['carried_types', /reserve|balance ?transfer|carr(y|ied)|holdback|release|rolling/i],
] as const;

/** What the types of lines mean, and what says how much is paid out: lines of a type, or another file. */
function paidSettings(
  file: LinesFile,
  other: Inferred<PayoutField> | undefined,
): readonly Setting[] {
  const words = wordsOf('type', file);
  const kinds = kindsOfLines.flatMap(([key, form]) => {
    const value = words.flatMap(([word]) => (form.test(word) ? [word] : []));
    return value.length > 0 ? [{ key, value, notes: [] }] : [];
  });
  const isStated = kinds.some(({ key }) => key === 'payout_types');
  const notes = words.length > 0 ? [{ code: 'words', words } as const] : [];
  const type = columnSettings('type', file).map(({ key, value }) => ({ key, value, notes }));
  const none: Setting = { key: 'payout_types', value: [], isOpen: true, notes: [] };
  return [...type, ...kinds, ...(other ? payoutSettings(file, other) : isStated ? [] : [none])];
}

function payoutSettings(file: LinesFile, other: Inferred<PayoutField>): readonly Setting[] {
  const [ofLines, ofPayouts] = [file.found.get('payout'), other.found.get('payout')].map(
    (found) => new Set(found?.columns.flatMap(filledIn)),
  );
  const shared = [...(ofLines ?? [])].filter((one) => ofPayouts?.has(one)).length;
  const pairs: MappingNote = { code: 'pairs', count: shared, of: ofLines?.size ?? 0 };
  const settings = (['payout', 'date', 'paid'] as const).flatMap((key) => {
    const own = columnSettings(key, other);
    return own.length > 0 ? own : [notFound(key)];
  });
  const all = [
    ...settings,
    ...currencySettings('currency', other),
    ...(file.found.has('account') ? columnSettings('account', other) : []),
    ...columnSettings('reference', other),
  ];
  return all.map((one) => ({
    ...one,
    key: `payouts.${one.key}`,
    notes: one.key === 'payout' ? [...one.notes, pairs] : one.notes,
  }));
}

/** With the columns of amounts of which the most lines can be read. */
function withAmounts(file: LinesFile, settings: readonly Setting[]): readonly Setting[] {
  const own = (...keys: readonly LineField[]) => keys.flatMap((key) => columnSettings(key, file));
  const two = own('net_debit', 'net_credit');
  const net = own('net').length > 0 || two.length < 2 ? needed('net', file) : two;
  const charged = own('fees', 'tax');
  // Without them, it is the net.
  const parts = charged.length > 0 ? [...own('gross'), ...charged] : [];
  const inverted: Setting = { key: 'inverted', value: true, notes: [] };
  const trials = [[...net, ...parts], [...net, ...parts, inverted], net].map((amounts) => {
    const all = [...settings, ...amounts];
    return { amounts, count: readableBy(all, file) };
  });
  const [first = { amounts: net, count: 0 }, ...others] = trials;
  const { amounts, count } = others.reduce(
    (most, one) => (one.count > most.count ? one : most),
    first,
  );
  const read: MappingNote = { code: 'lines', count, of: file.table.rows.length };
  const [sum, ...rest] = amounts;
  const left = parts.filter((one) => !amounts.includes(one));
  return [
    ...settings,
    ...(sum ? [{ ...sum, notes: [...sum.notes, read] }] : []),
    ...rest,
    ...left.map((one) => ({ ...one, isOpen: true, notes: [{ code: 'no_sum' } as const] })),
  ];
}

/** How many lines can be read, and say amounts that agree. */
function readableBy(settings: readonly Setting[], { table }: LinesFile): number {
  const known = settings.filter(({ isOpen, key }) => !isOpen || key === 'date_format');
  const none: SettlementsCsv = {
    ...usualCsv,
    provider: '',
    payout: '',
    account: '',
    date: '',
    currency: '',
    numbered: false,
    inverted: false,
    payout_unsigned: false,
    fee_ids: false,
    fees: [],
    open_words: [],
    payout_types: [],
    fee_types: [],
    carried_types: [],
  };
  const mapping: SettlementsCsv = {
    ...none,
    ...Object.fromEntries(known.map(({ key, value }) => [key, value])),
  };
  const { of, missing } = lineColumns(mapping, table.header);
  if (missing.size > 0) return 0;
  return table.rows.filter((cells) => !('expected' in lineIn(of(cells), mapping))).length;
}
