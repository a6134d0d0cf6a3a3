import type { FieldChange, SettlementRestatement } from '../app/export-result.ts';
import { contentsOf } from '../app/read-settlements.ts';
import { byText } from '../base/texts.ts';
import type { Row } from '../model/row.ts';
import { byDateThenId, type Settlement } from '../model/settlement.ts';
import { formatMinor } from '../money/money.ts';
import { amountsBy } from '../reconcile/sums.ts';
import { type Column, field } from '../report/common/columns.ts';
import { DaySource } from './day-source.ts';
import type { ListedTransaction, RowsEnd, SourceHeaders } from './source-line.ts';

interface Change extends FieldChange {
  readonly settlementId: string;
  readonly transactionId?: string | undefined;
  readonly change:
    | `${'settlement' | 'transaction'}_${'added' | 'removed' | 'changed'}`
    | 'day_changed';
}

export const changeColumns: readonly Column<Change>[] = [
  field.text('settlement_id', ({ settlementId }) => settlementId),
  field.text('change', ({ change }) => change),
  field.text('field', ({ field }) => field),
  field.value('before', ({ before }) => before),
  field.value('after', ({ after }) => after),
  field.text('transaction_id', ({ transactionId = '' }) => transactionId),
];

/** Yields the changes between two sources, and returns the settlements that differ. Throws ReconError `damaged`. */
export async function* compareVersions(
  pathBefore: string,
  pathAfter: string,
): AsyncGenerator<readonly Change[], readonly SettlementRestatement[], void> {
  const before = await DaySource.open(pathBefore);
  const after = await DaySource.open(pathAfter);
  try {
    const restatements: SettlementRestatement[] = [];
    const lists = { before: before.headers, after: after.headers };
    const listed = changes(lists, readingValues('settlements_listed'), () => ({}));
    yield listed.map((field) => ({ settlementId: '', change: 'day_changed', ...field }));
    const [was, is] = [listedById(before.headers), listedById(after.headers)];
    const settlements = [...new Map([...was, ...is]).values()].map((one) => one.settlement);
    // In the order of the files, so each is read once.
    for (const settlement of settlements.sort(byDateThenId)) {
      const pair = { before: was.get(settlement.id), after: is.get(settlement.id) };
      const restatement = yield* compareSettlement(settlement, pair, before, after);
      if (restatement) restatements.push(restatement);
    }
    return restatements;
  } finally {
    await before.close();
    await after.close();
  }
}

interface Pair<Value> {
  readonly before?: Value | undefined;
  readonly after?: Value | undefined;
}

interface ListedSettlement {
  readonly settlement: Settlement;
  readonly others: readonly Settlement[];
}

function listedById(headers: SourceHeaders) {
  return new Map<string, ListedSettlement>(
    contentsOf(headers).flatMap(([settlement, ...others]) =>
      settlement ? [[settlement.id, { settlement, others }]] : [],
    ),
  );
}

async function* compareSettlement(
  { id: settlementId, date, accountingToken, currency }: Settlement,
  { before, after }: Pair<ListedSettlement>,
  sourceBefore: DaySource,
  sourceAfter: DaySource,
): AsyncGenerator<readonly Change[], SettlementRestatement | undefined, void> {
  const pairs = transactionPairs(
    before && oneByOne(sourceBefore.rows(settlementId)),
    after && oneByOne(sourceAfter.rows(settlementId)),
  );
  const counts = { added: 0, removed: 0, changed: 0 };
  let step = await pairs.next();
  for (; !step.done; step = await pairs.next()) {
    const pair = step.value;
    const fields = changes(pair, transactionValues, ({ row }) => rowAmounts(row));
    if (fields.length === 0) continue;
    const change = whatHappened(pair);
    counts[change] += 1;
    const transactionId = (pair.after ?? pair.before)?.row.id;
    const what = { settlementId, transactionId, change: `transaction_${change}` } as const;
    yield fields.map((field) => ({ ...what, ...field }));
  }
  const fields = [
    ...changes({ before, after }, listedValues, ({ settlement }) => settlementAmounts(settlement)),
    ...changes(step.value, readingValues('rows_read'), () => ({})),
  ];
  const change = whatHappened({ before, after });
  yield fields.map((field) => ({ settlementId, change: `settlement_${change}`, ...field }));
  const isSame = fields.length === 0 && Object.values(counts).every((count) => count === 0);
  const settlement = { id: settlementId, date, accountingToken, currency };
  return isSame ? undefined : { settlement, change, fields, transactions: counts };
}

function whatHappened({ before, after }: Pair<unknown>): 'added' | 'removed' | 'changed' {
  if (before === undefined) return 'added';
  return after === undefined ? 'removed' : 'changed';
}

type Transactions = AsyncGenerator<ListedTransaction, RowsEnd, void>;

async function* oneByOne(batches: ReturnType<DaySource['rows']>): Transactions {
  let step = await batches.next();
  for (; !step.done; step = await batches.next()) yield* step.value;
  return step.value;
}

/** Pairs transactions by id; returns how reading the rows of each version ended. */
async function* transactionPairs(
  before: Transactions | undefined,
  after: Transactions | undefined,
): AsyncGenerator<Pair<ListedTransaction>, Pair<RowsEnd>, void> {
  let was = await before?.next();
  let is = await after?.next();
  for (;;) {
    const one = was?.done === false ? was.value : undefined;
    const other = is?.done === false ? is.value : undefined;
    if (!one && !other) break;
    const order = one && other ? byText(one.row.id, other.row.id) : one ? -1 : 1;
    yield { before: order > 0 ? undefined : one, after: order < 0 ? undefined : other };
    if (order <= 0) was = await before?.next();
    if (order >= 0) is = await after?.next();
  }
  return {
    before: was?.done === true ? was.value : undefined,
    after: is?.done === true ? is.value : undefined,
  };
}

type Values = Readonly<Record<string, string>>;

/** The values that differ; of something added or removed, its amounts. */
function changes<One>(
  { before, after }: Pair<One>,
  valuesOf: (one: One) => Values,
  amountsOf: (one: One) => Values,
): readonly FieldChange[] {
  const values = before && after ? valuesOf : amountsOf;
  const was = before ? values(before) : {};
  const is = after ? values(after) : {};
  return Object.keys({ ...was, ...is })
    .map((field) => ({ field, before: was[field] ?? '', after: is[field] ?? '' }))
    .filter((change) => change.before !== change.after);
}

function listedValues({ settlement, others }: ListedSettlement): Values {
  const other_contents = contentsText(others, settlementValues);
  return { ...settlementValues(settlement), other_contents };
}

function settlementValues(one: Settlement): Values {
  return {
    ...settlementAmounts(one),
    settlement_timestamp: one.timestamp,
    accounting_token: one.accountingToken,
    merchant_id: one.merchantId,
    payment_service: one.paymentService,
    currency: one.currency,
    decimal_places: String(one.scale),
    payment_references: one.paymentReferences.join(' | '),
    payment_end_to_end_ids: one.paymentEndToEndIds.join(' | '),
  };
}

function settlementAmounts(one: Settlement): Values {
  return {
    settlement_status: one.status,
    transactions: String(one.transactions),
    ...amountsBy((name) => formatMinor(one[name] ?? 0n, one.scale)),
    pay_in: formatMinor(one.payIn, one.scale),
  };
}

function transactionValues({ row, listed, others }: ListedTransaction): Values {
  const other_contents = contentsText(others, rowValues);
  return { ...rowValues(row), listed: String(listed), other_contents };
}

function contentsText<One>(others: readonly One[], valuesOf: (one: One) => Values): string {
  return others.map((other) => Object.values(valuesOf(other)).join(' ')).join(' | ');
}

function rowValues(one: Row): Values {
  return {
    ...rowAmounts(one),
    currency: one.currency,
    decimal_places: String(one.scale),
    state: one.state,
    transaction_type: one.type,
    payment_type: one.paymentType,
    timestamp: one.timestamp,
    charge_id: one.chargeId,
    order_id: one.orderId,
    own_settlement_id: one.settlementId,
    notes: JSON.stringify(one.notes),
  };
}

function rowAmounts({ amount, fees, tax, scale }: Row): Values {
  return {
    amount: formatMinor(amount, scale),
    fees: formatMinor(fees, scale),
    tax: formatMinor(tax, scale),
  };
}

/** A field with this name: `yes`, or why the list was not fully read. */
function readingValues(name: string): (end: RowsEnd) => Values {
  return ({ unsteady, unreadable, notRead }) => {
    if (notRead !== undefined)
      return { [name]: `no: ${[notRead.code, ...Object.values(notRead.facts)].join(' ')}` };
    const reasons = [
      ...(unsteady === undefined ? [] : [unsteady]),
      ...unreadable.map(({ record, field, found }) => `${record} ${field} ${found}`),
    ];
    return { [name]: reasons.length === 0 ? 'yes' : `not whole: ${reasons.join('; ')}` };
  };
}
