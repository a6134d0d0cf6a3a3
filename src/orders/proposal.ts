import { ReconError } from '../base/errors.ts';
import { groupedBy, keysOf } from '../base/lists.ts';
import type { Beginning } from '../mapping/beginning.ts';
import { filledIn, type Inferred, inferred } from '../mapping/columns.ts';
import {
  columnSettings,
  currencySettings,
  formSettings,
  type Proposal,
  type Setting,
} from '../mapping/proposal.ts';
import { columnNames, type FileColumn } from '../mapping/table.ts';
import { dateFits, wordsIn } from '../mapping/values.ts';
import { type OrderField, orderFields } from './order-fields.ts';
import { orderPresets } from './presets.ts';
import { unusableExport } from './read-orders.ts';

/** A mapping for an order file that begins so; undefined without a table. ReconError `usage` if none can fit. */
export function proposedOrders(beginning: Beginning, where: string): Proposal | undefined {
  const file = inferred(beginning, orderFields, []);
  if (!file) return undefined;
  const { table } = file;
  const unusable = unusableExport(table.header ?? []);
  if (unusable !== undefined) throw new ReconError('usage', unusable, { where });
  const labels = table.columns.map(({ label }) => label);
  const preset = keysOf(orderPresets).find((name) => {
    const { order, date, total } = orderPresets[name];
    return [order, date, total].every((column) => labels.includes(column));
  });
  const column = (key: OrderField) => {
    const ofPreset: unknown = preset && new Map(Object.entries(orderPresets[preset])).get(key);
    const [found] = file.found.get(key)?.columns ?? [];
    return preset ? table.columns.find(({ label }) => label === ofPreset) : found;
  };
  const words = wordSettings(column('status'), column('method'), preset !== undefined);
  const settings = preset ? presetSettings(preset, beginning, file) : ownSettings(beginning, file);
  return {
    table: 'orders_csv',
    rows: table.rows.length,
    settings: [...settings, ...words],
    names: columnNames(table.header ?? labels.map(() => '')),
  };
}

/** What a file says beside its preset. */
function presetSettings(
  preset: keyof typeof orderPresets,
  beginning: Beginning,
  file: Inferred<OrderField>,
): readonly Setting[] {
  const own: Partial<Record<string, unknown>> = orderPresets[preset];
  const dates = file.table.columns.find(({ label }) => label === own['date']);
  const forms = dateFits(dates ? filledIn(dates) : []).map(({ form }) => form);
  const isAsPreset = ({ key, value }: Setting) =>
    (key === 'date_format' && (forms.length === 0 || forms.includes(String(own[key])))) ||
    (key === 'decimal' && value === '.');
  return [
    { key: 'preset', value: preset, notes: [] },
    ...formSettings(beginning, file, true).filter((one) => !isAsPreset(one)),
    ...('currency' in own ? [] : currencySettings('currency', file)),
  ];
}

function ownSettings(beginning: Beginning, file: Inferred<OrderField>): readonly Setting[] {
  const needed = (key: OrderField): readonly Setting[] => {
    const own = columnSettings(key, file);
    const open: Setting = { key, value: '', isOpen: true, notes: [{ code: 'not_found' }] };
    return own.length > 0 ? own : [open];
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
    ...formSettings(beginning, file, true),
    ...needed('order'),
    ...referenceSettings(file),
    ...needed('date'),
    ...needed('total'),
    ...currencySettings('currency', file),
    ...optional.flatMap((key) => columnSettings(key, file)),
    ...refundSettings(file),
    ...columnSettings('method', file),
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
    ...(isSeveral && !document
      ? [{ key: 'document', value: '', isOpen: true, notes: [{ code: 'not_found' } as const] }]
      : []),
  ];
}

const documentName =
  /(^| )(ids?|nr|no|number|nummer|numero|reference|document|invoice|transaction|payment|refund|beleg\w*)( |$)/;

/** Lines that are refunds, if a word says so. */
function refundSettings(file: Inferred<OrderField>): readonly Setting[] {
  const [kind] = file.found.get('kind')?.columns ?? [];
  const words = kind && wordsIn(filledIn(kind));
  const refunds = words?.flatMap(([word]) => (refundWord.test(word) ? [word] : [])) ?? [];
  if (!words || refunds.length === 0) return [];
  return [
    ...columnSettings('kind', file),
    { key: 'refund_words', value: refunds, notes: [{ code: 'words', words }] },
  ];
}

const refundWord =
  /refund|credit ?(note|memo)|erstattung|gutschrift|rembours|avoir|reembolso|devoluci|abono|rimborso|terugbetaling|creditnota/i;
const unpaidWord =
  /^(un-?paid|(wc-)?pending([ _-]payment)?|payment[ _]review|failed|authori[sz]ed|voided|expired|awaiting[ _]payment|(wc-)?on[ _-]hold|declined|incomplete|unbezahlt|offen|fehlgeschlagen|en attente( de paiement)?|echoue|echec|pendiente( de pago)?|fallido|in attesa( di pagamento)?|fallito|openstaand|mislukt)$/i;
const cancelledWord =
  /^((wc-)?cancell?ed|storniert|abgebrochen|annul[ée]e?|cancelad[oa]|annullato|geannuleerd)$/i;

/** What is paid, by the words of status and method: none of them is decided for the user. */
function wordSettings(
  status: FileColumn | undefined,
  method: FileColumn | undefined,
  hasPreset: boolean,
): readonly Setting[] {
  const ofStatus = status && wordsIn(filledIn(status));
  const ofMethod = method && wordsIn(filledIn(method));
  const among = (form: RegExp) =>
    ofStatus?.flatMap(([word]) => (form.test(word) ? [word] : [])) ?? [];
  const lists = [
    { key: 'unpaid_words', value: among(unpaidWord), notes: [] },
    { key: 'cancelled_words', value: among(cancelledWord), notes: [] },
  ].filter(({ value }) => value.length > 0);
  const counted = (words: typeof ofStatus) =>
    words && words.length > 0 ? [{ code: 'words', words } as const] : [];
  // Without words, a column of states means nothing. A preset has them.
  const known =
    status && !hasPreset
      ? [
          {
            key: 'status',
            value: status.label,
            isOpen: lists.length === 0,
            notes: counted(ofStatus),
          },
          ...lists,
        ]
      : [];
  const methods = {
    key: 'methods',
    value: ofMethod?.map(([word]) => word) ?? [],
    isOpen: true,
    notes: counted(ofMethod),
  };
  return [...known, methods];
}
