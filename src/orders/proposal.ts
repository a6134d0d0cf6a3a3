import { ReconError } from '../base/errors.ts';
import { groupedBy, keysOf } from '../base/lists.ts';
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
import { wordsIn } from '../mapping/values.ts';
import { type OrderField, orderFields } from './order-fields.ts';
import { orderPresets, presetIn } from './presets.ts';
import { unusableExport } from './read-orders.ts';

/** A mapping for an order file that begins so; undefined without a table. ReconError `usage` if none can fit. */
export function proposedOrders(beginning: Beginning, where: string): Proposal | undefined {
  const file = inferred(beginning, orderFields, []);
  if (!file) return undefined;
  const { header, columns, rows } = file.table;
  const unusable = unusableExport(header ?? []);
  if (unusable !== undefined) throw new ReconError('usage', unusable, { where });
  const preset = presetIn(header ?? []);
  const given = new Map<string, unknown>(preset ? Object.entries(orderPresets[preset]) : []);
  const isGiven = ({ key, value }: Setting) =>
    key === 'date_format'
      ? file.dates.forms.some((form) => form === given.get(key))
      : key === 'delimiter'
        ? value === given.get(key)
        : given.has(/^(unpaid|cancelled)_words$/.test(key) ? 'status' : key);
  const labels = columns.map(({ label }) => label);
  const lacking = [...keysOf(orderFields), 'only'].flatMap((key) => {
    const value = given.get(key) ?? [];
    const named = key === 'only' ? Object.keys(value) : [value].flat().map(String);
    const values = named.filter((column) => !labels.includes(column));
    if (values.length === 0) return [];
    const there = named.filter((column) => labels.includes(column));
    const notes = [{ code: 'lacks', values } as const];
    return [{ key, value: there.length > 0 ? there : '', notes }];
  });
  for (const { key } of lacking) given.delete(key);
  const all = [...formSettings(beginning, file, true), ...columnsOf(file)];
  // What only may be meant is not asked where the preset's column is said to be absent.
  const emptied = lacking.filter(
    ({ key }) => key !== 'currency' && !all.some((one) => one.key === key && !one.isOpen),
  );
  const own = all.filter(({ key }) => !emptied.some((one) => one.key === key));
  return {
    table: 'orders_csv',
    rows: rows.length,
    settings: [
      ...(preset ? [{ key: 'preset', value: preset, notes: [] }] : []),
      ...emptied,
      ...own.filter((one) => !isGiven(one)),
    ],
    names: columnNames(header ?? columns.map(() => '')),
  };
}

function columnsOf(file: Inferred<OrderField>): readonly Setting[] {
  const needed = (key: OrderField): readonly Setting[] => {
    const own = columnSettings(key, file);
    return own.length > 0 ? own : [notFound(key)];
  };
  const optional = [
    'paid_at',
    'not_due',
    'cancelled_at',
    'refunded',
    'refund_date',
    'charge',
  ] as const;
  return [
    ...needed('order'),
    ...referenceSettings(file),
    ...needed('date'),
    ...needed('total'),
    ...currencySettings('currency', file),
    ...optional.flatMap((key) => columnSettings(key, file)),
    ...refundSettings(file),
    ...columnSettings('method', file),
    ...statusSettings(file),
    methodsSetting(file),
  ];
}

/** What references begin with, and the column that tells the documents of one order apart. */
function referenceSettings({ found, table }: Inferred<OrderField>): readonly Setting[] {
  const [order] = found.get('order')?.columns ?? [];
  const [total] = found.get('total')?.columns ?? [];
  if (!order || !total) return [];
  const references = filledIn(order);
  const hasPrefix = references.length > 0 && references.every((cell) => /^#./.test(cell));
  const prefix: Setting = { key: 'strip_prefix', value: '#', notes: [] };
  const lines = table.rows.flatMap((_, at) => (total.cells[at] ? [at] : []));
  // Lines of one order with one total are its items.
  const isSeveral = [...groupedBy(lines, (at) => order.cells[at])].some(
    ([, ofOrder]) => new Set(ofOrder.map((at) => total.cells[at])).size > 1,
  );
  const documents = table.columns.filter(
    (one) =>
      documentName.test(one.name) &&
      new Set(lines.map((at) => one.cells[at])).size === lines.length,
  );
  const [document] = documents;
  return [
    ...(hasPrefix ? [prefix] : []),
    ...(isSeveral && document ? [{ key: 'document', value: document.label, notes: [] }] : []),
    ...(isSeveral && !document ? [notFound('document')] : []),
  ];
}

const documentName =
  /(^| )(ids?|nr|no|number|nummer|numero|reference|document|invoice|transaction|payment|refund|beleg\w*)( |$)/;

/** Lines that are refunds, if a word says so. */
function refundSettings(file: Inferred<OrderField>): readonly Setting[] {
  const { words, notes } = wordsOf('kind', file);
  const value = words.flatMap(([word]) => (refundWord.test(word) ? [word] : []));
  const lines = [...columnSettings('kind', file), { key: 'refund_words', value, notes }];
  return value.length > 0 ? lines : [];
}

const refundWord =
  /refund|credit ?(note|memo)|erstattung|gutschrift|rembours|avoir|reembolso|devoluci|abono|rimborso|terugbetaling|creditnota/i;
const unpaidWord =
  /^(un-?paid|(wc-)?pending([ _-]payment)?|payment[ _]review|failed|authori[sz]ed|voided|expired|awaiting[ _]payment|(wc-)?on[ _-]hold|declined|incomplete|unbezahlt|offen|fehlgeschlagen|en attente( de paiement)?|echoue|echec|pendiente( de pago)?|fallido|in attesa( di pagamento)?|fallito|openstaand|mislukt)$/i;
const cancelledWord =
  /^((wc-)?cancell?ed|storniert|abgebrochen|annul[ée]e?|cancelad[oa]|annullato|geannuleerd)$/i;

/** The words of a column with their numbers; none if they are no words. */
function wordsOf(key: OrderField, { found }: Inferred<OrderField>) {
  const [column] = found.get(key)?.columns ?? [];
  const words = (column && wordsIn(filledIn(column))) ?? [];
  return { words, notes: words.length > 0 ? [{ code: 'words', words } as const] : [] };
}

/** A column of states; open if none of its words is known, because without words it means nothing. */
function statusSettings(file: Inferred<OrderField>): readonly Setting[] {
  const { words, notes } = wordsOf('status', file);
  const among = (form: RegExp) => words.flatMap(([word]) => (form.test(word) ? [word] : []));
  const lists = [
    { key: 'unpaid_words', value: among(unpaidWord), notes: [] },
    { key: 'cancelled_words', value: among(cancelledWord), notes: [] },
  ].filter(({ value }) => value.length > 0);
  const isOpen = lists.length === 0;
  return [
    ...columnSettings('status', file).map(({ key, value }) => ({ key, value, isOpen, notes })),
    ...lists,
  ];
}

/** What the service pays is decided by the user. */
function methodsSetting(file: Inferred<OrderField>): Setting {
  const { words, notes } = wordsOf('method', file);
  return { key: 'methods', value: words.map(([word]) => word), isOpen: true, notes };
}
