import { hash } from 'node:crypto';
import { join } from 'node:path';
import type { SettlementsReport } from '../app/settlements-report.ts';
import { microsecondsOf } from '../base/calendar.ts';
import { csvScanner } from '../base/csv-records.ts';
import { ReconError } from '../base/errors.ts';
import { readBlocks } from '../base/files.ts';
import { flushFolder, makeFolder } from '../base/folders.ts';
import { uuidLength } from '../base/uuid.ts';
import { startParquet } from '../lake/parquet-file.ts';
import {
  decimal,
  type LakeRow,
  type LakeTable,
  lakeFolder,
  stagedTablePath,
} from '../lake/tables.ts';
import type { Row } from '../model/row.ts';
import {
  figurePlace,
  figuresPerRow,
  placesPerRow,
  type RowBatch,
  type RowKind,
  type RowTexts,
  textPlace,
} from '../model/row-batch.ts';
import type { Settlement } from '../model/settlement.ts';
import { rescale } from '../money/money.ts';
import { allStated } from '../reconcile/computed.ts';
import { differenceIn, type Entry, type Measure } from '../reconcile/entry.ts';
import { payInOf } from '../reconcile/identity.ts';
import { type ReconciledRun, unreadPendings } from '../reconcile/reconcile-run.ts';
import type { ReconciledSettlement } from '../reconcile/reconcile-settlement.ts';
import type { ReconcileSettings } from '../reconcile/subject.ts';
import { verdictReason } from '../reconcile/verdict.ts';
import { notFullyReadText } from '../report/common/partial-words.ts';
import { entryClause } from '../report/common/words.ts';
import { findingsOf } from '../report/settlements/records.ts';
import type { DayBuild } from './export-folder.ts';
import {
  type DaySettings,
  type ManifestFile,
  reconcileSettings,
  settingsDigest,
} from './manifest.ts';
import type { SortedRows } from './row-store.ts';

interface DayContents {
  readonly report: Pick<SettlementsReport, 'run' | 'names' | 'explanations'>;
  readonly settings: DaySettings;
  readonly contentSha256: string;
  /** Of `changes.csv`, if there is one: its columns are those of the table. */
  readonly changesPath: string | undefined;
}

/** Starts the tables of a day; all but that of transactions are written at the end. `profile` may be empty. */
export async function startDayTables(build: DayBuild, profile: string) {
  await makeFolder(join(build.folder, lakeFolder));
  const start = async <Table extends LakeTable>(table: Table) => {
    const file = await build.file(stagedTablePath(table));
    const parquet = startParquet(table, profile, file.write);
    return {
      add: parquet.add,
      close: async (version: string): Promise<ManifestFile> => ({
        rows: await parquet.close(version),
        ...(await file.close()),
      }),
    };
  };
  const transactions = await start('transactions');

  return {
    add: (settlement: Settlement, rows: SortedRows) =>
      transactions.add(
        'texts' in rows ? batchRows(settlement, rows) : transactionRows(settlement, rows),
      ),
    /** Writes the other tables and closes all. Throws TooLargeError. */
    close: async ({
      report,
      settings,
      contentSha256,
      changesPath,
    }: DayContents): Promise<Readonly<Record<LakeTable, ManifestFile>>> => {
      const { run } = report;
      const version = hash('sha256', contentSha256 + settingsDigest(settings));
      const write = async <Table extends LakeTable>(
        table: Table,
        rows: readonly LakeRow<Table>[],
      ) => {
        const { add, close } = await start(table);
        await add(rows);
        return close(version);
      };
      const changesTable = await start('changes');
      if (changesPath !== undefined) {
        for await (const rows of changesIn(changesPath)) await changesTable.add(rows);
      }
      const settlements = run.settlements.map((one) => settlementRow(one, report));
      const files = {
        transactions: await transactions.close(version),
        settlements: await write('settlements', settlements),
        discrepancies: await write('discrepancies', findingsOf(run).map(findingRow)),
        days: await write('days', [dayRow(run, reconcileSettings(settings))]),
        changes: await changesTable.close(version),
      };
      await flushFolder(join(build.folder, lakeFolder));
      return files;
    },
  };
}

/** The rows of a file of changes, as many at once as a block of the file holds. */
async function* changesIn(path: string): AsyncGenerator<readonly LakeRow<'changes'>[]> {
  let columns: readonly string[] | undefined;
  let rows: LakeRow<'changes'>[] = [];
  const reader = csvScanner(
    { delimiter: ',', trims: false },
    {
      record: ({ cells }) => {
        if (columns) {
          const row = Object.fromEntries(columns.map((name, at) => [name, cells[at] ?? '']));
          rows.push(row as LakeRow<'changes'>);
        } else columns = cells;
      },
      broken: (line) => {
        throw new ReconError('damaged', 'A quotation mark is never closed.', {
          where: `${path}:${line}`,
        });
      },
    },
  );
  const decoder = new TextDecoder();
  for await (const block of readBlocks(path)) {
    reader.push(decoder.decode(block, { stream: true }));
    yield rows;
    rows = [];
  }
  reader.push(decoder.decode());
  reader.end();
  yield rows;
}

/** The rows of `transactions`, from objects. `listed` is how often the service lists a transaction. */
export function* transactionRows(
  settlement: Settlement,
  transactions: Iterable<{ readonly row: Row; readonly listed: number }>,
): Generator<LakeRow<'transactions'>> {
  for (const { row, listed } of transactions) {
    yield transactionRow(settlement, row, {
      transaction_id: row.id,
      charge_id: row.chargeId,
      order_id: row.orderId,
      timestamp: row.timestamp,
      notes: JSON.stringify(row.notes),
      amount_minor: row.amount,
      fees_minor: row.fees,
      tax_minor: row.tax,
      listed,
    });
  }
}

/** The same from columns, of transactions that are listed once. A row is valid until the next one. */
export function* batchRows(
  settlement: Settlement,
  { length, kinds, figures, texts }: BatchWithTexts,
): Generator<LakeRow<'transactions'>> {
  const { page, places } = texts;
  for (let index = 0; index < length; index += 1) {
    const kind = kinds[index];
    if (!kind) throw new RangeError(`No row ${index}`);
    const place = index * placesPerRow;
    const at = (of: number) => places[place + of] ?? 0;
    const uuid = (start: number) => ({ view: page, start, end: start && start + uuidLength });
    const timestamp = at(textPlace.timestamp);
    const timestampLength = at(textPlace.timestampEnd) - timestamp;
    const figure = (of: number) => BigInt(figures[index * figuresPerRow + of] ?? 0);
    yield transactionRow(settlement, kind, {
      transaction_id: uuid(at(textPlace.id)),
      charge_id: uuid(at(textPlace.chargeId)),
      order_id: uuid(at(textPlace.orderId)),
      timestamp: Buffer.from(page.buffer, page.byteOffset + timestamp, timestampLength).toString(
        'latin1',
      ),
      notes: { view: page, start: at(textPlace.notes), end: at(textPlace.notesEnd) },
      amount_minor: figure(figurePlace.amount),
      fees_minor: figure(figurePlace.fees),
      tax_minor: figure(figurePlace.tax),
      listed: 1,
    });
  }
}

type BatchWithTexts = Pick<RowBatch, 'length' | 'kinds' | 'figures'> & { readonly texts: RowTexts };

type PerRowCells = Pick<
  LakeRow<'transactions'>,
  | ('transaction_id' | 'charge_id' | 'order_id' | 'notes')
  | ('amount_minor' | 'fees_minor' | 'tax_minor' | 'listed')
> & { readonly timestamp: string };

function transactionRow(
  { id, accountingToken }: Settlement,
  { settlementId, type, paymentType, state, currency, scale }: RowKind,
  own: PerRowCells,
): LakeRow<'transactions'> {
  return {
    ...own,
    settlement_id: id,
    accounting_token: accountingToken,
    time: microsecondsOf(own.timestamp) ?? null,
    transaction_type: type,
    payment_type: paymentType,
    state,
    currency,
    decimal_places: scale,
    amount: decimalOf(own.amount_minor, scale),
    fees: decimalOf(own.fees_minor, scale),
    tax: decimalOf(own.tax_minor, scale),
    own_settlement_id: settlementId,
  };
}

function settlementRow(one: ReconciledSettlement, { names, explanations }: DayContents['report']) {
  const { settlement, scale, computed } = one;
  const [reported, difference] = [
    allStated(one.reported),
    one.difference && allStated(one.difference),
  ];
  if (!reported) throw new RangeError(`Figures of ${settlement.id} are not stated`);
  return {
    settlement_id: settlement.id,
    settlement_timestamp: settlement.timestamp,
    settlement_time: microsecondsOf(settlement.timestamp) ?? null,
    accounting_token: settlement.accountingToken,
    accounting_name: names.get(settlement.accountingToken) ?? '',
    merchant_id: settlement.merchantId,
    payment_service: settlement.paymentService,
    currency: settlement.currency,
    decimal_places: scale,
    settlement_status: settlement.status,
    service_says: one.serviceSays,
    sums_say: one.sumsSay,
    verdict: one.verdict,
    verdict_reason: verdictReason(one) ?? '',
    complete: one.complete,
    transactions_reported: BigInt(reported.transactions),
    transactions_computed: computed ? BigInt(computed.transactions) : null,
    transactions_difference: difference ? BigInt(difference.transactions) : null,
    ...amounts('gross', 'gross', one),
    ...amounts('fees', 'fees', one),
    ...amounts('tax', 'tax', one),
    ...amounts('pay_in', 'payIn', one),
    ...byRule(one),
    discrepancies: codes(one.discrepancies),
    notices: codes(one.notices),
    payment_references: JSON.stringify(settlement.paymentReferences),
    payment_end_to_end_ids: JSON.stringify(settlement.paymentEndToEndIds),
    explanation: notFullyReadText(one) || (explanations?.get(settlement.id) ?? ''),
  };
}

function amounts<Key extends string>(
  key: Key,
  measure: Measure,
  { scale, reported, computed, difference }: ReconciledSettlement,
) {
  const minor = reported[measure];
  if (minor === undefined) throw new RangeError(`No reported ${measure}`);
  return {
    [`${key}_reported_minor`]: minor,
    [`${key}_computed_minor`]: computed?.[measure] ?? null,
    [`${key}_difference_minor`]: difference?.[measure] ?? null,
    [`${key}_reported`]: decimalOf(minor, scale),
  } as Record<`${Key}_reported_minor`, bigint> &
    Record<`${Key}_${'computed_minor' | 'difference_minor' | 'reported'}`, bigint | null>;
}

/** What the rules add to the computed figures; 0 without rules. */
function byRule({ byRule: effects, computed }: ReconciledSettlement) {
  const changes = effects.flatMap(({ change }) => change ?? []);
  const transactions = changes.reduce((total, change) => total + change.transactions, 0);
  const sum = (measure: Measure) =>
    changes.reduce((total, change) => total + (change[measure] ?? 0n), 0n);
  return {
    by_rule_transactions: BigInt(transactions),
    by_rule_gross_minor: sum('gross'),
    by_rule_fees_minor: sum('fees'),
    by_rule_tax_minor: sum('tax'),
    by_rule_pay_in_minor: computed?.payIn === undefined ? null : sum('payIn'),
  };
}

function codes(entries: readonly Entry[]): string {
  return JSON.stringify(entries.map(({ code }) => code));
}

function findingRow({
  settlement,
  entry,
}: ReturnType<typeof findingsOf>[number]): LakeRow<'discrepancies'> {
  const difference = differenceIn(entry);
  return {
    settlement_id: settlement?.id ?? '',
    accounting_token: settlement?.accountingToken ?? '',
    currency: settlement?.currency ?? '',
    weight: entry.weight,
    code: entry.code,
    count: BigInt(entry.count),
    decimal_places: difference?.scale ?? null,
    difference_minor: difference?.minor ?? null,
    difference: difference ? decimalOf(difference.minor, difference.scale) : null,
    message: entryClause(entry),
  };
}

function dayRow(
  { verdict, complete, counts, transactions, settlements }: ReconciledRun,
  { identity, tolerance, ignored, rules }: ReconcileSettings,
): LakeRow<'days'> {
  // The sign of fees or tax in the identity is the pay-in of an amount of 1.
  const sign = (fees: bigint, tax: bigint) =>
    identity === 'off' ? null : Number(payInOf(identity, 0n, fees, tax));
  return {
    verdict,
    complete: complete && unreadPendings(settlements).length === 0,
    settlements_balanced: BigInt(counts.balanced),
    settlements_out_of_balance: BigInt(counts.out_of_balance),
    settlements_pending: BigInt(counts.pending),
    settlements_incomplete: BigInt(counts.incomplete),
    transactions: BigInt(transactions),
    identity,
    fees_sign: sign(1n, 0n),
    tax_sign: sign(0n, 1n),
    tolerance,
    ignored: JSON.stringify(ignored),
    rules: JSON.stringify(rules),
  };
}

/** An amount for a decimal column; null if that would round it. */
function decimalOf(minor: bigint, scale: number): bigint | null {
  return scale > decimal.scale ? null : rescale(minor, scale, decimal.scale);
}
