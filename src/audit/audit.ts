import {
  type Audit,
  type AuditAmounts,
  type AuditCode,
  type AuditCoverage,
  type AuditFeeRate,
  type AuditFinding,
  type AuditSettings,
  type AuditTotal,
  auditWeights,
  type FoundRow,
  mostFoundRows,
} from '../app/audit-result.ts';
import { addDays } from '../base/calendar.ts';
import { readProgramText } from '../base/files.ts';
import { keysOf, tableOf } from '../base/lists.ts';
import { type SqlDialect, sqlDialects } from './dialects.ts';
import type { Lake } from './find-lakes.ts';

/** Runs the SQL of an audit over the tables of lakes. */
export interface Engine {
  readonly dialect: SqlDialect;
  readonly lakes: readonly Lake[];
  /** How many ids it may hold at once; absent for no limit. */
  readonly idsAtOnce?: number;
  /** Runs queries: many at once, because an engine starts slowly. ReconError `damaged` if a table is unreadable. */
  ask(queries: readonly string[]): Promise<readonly (readonly AnswerRow[])[]>;
  close(): Promise<void>;
}

/** A row by its columns: exact digits, days as YYYY-MM-DD, `true` and `false`. */
export type AnswerRow = Readonly<Record<string, string | null>>;

/** The checks that need to know the types of refunds and purchases. */
const ofTypes: readonly AuditCode[] = ['over_refunded', 'refund_without_purchase', 'missing_type'];

/** The ids that a query holds in memory, if it is asked in parts of them. */
const idsHeldBy: Readonly<Partial<Record<AuditCode, 'transactions' | 'refunds'>>> = {
  repeated_transaction: 'transactions',
  over_refunded: 'refunds',
  refund_without_purchase: 'refunds',
};

/** Asks an engine all questions about its lakes. */
export async function audit(engine: Engine, settings: AuditSettings): Promise<Audit> {
  const { asked, others } = codesBy(settings);
  const values = sqlValues(settings, engine.dialect);
  const ids = engine.idsAtOnce === undefined ? noIds : await idsIn(engine, values);
  const searches = asked.map((code) => {
    const held = idsHeldBy[code];
    return { code, parts: held ? partsOfIds(partsNeeded(ids[held], engine)) : [{}] };
  });
  const [coverage = [], totals = [], feeRates = [], ...answers] = await engine.ask(
    await Promise.all([
      ...['coverage', 'totals', 'fee-rates'].map((name) => queryOf(name, values)),
      ...searches.flatMap(({ code, parts }) =>
        parts.map((part) => queryOf(queryName(code), { ...values, ...part })),
      ),
    ]),
  );
  const findings = searches.map(({ code, parts }) =>
    findingOf(code, answers.splice(0, parts.length)),
  );
  return {
    coverage: coverage.map(coverageOf),
    totals: totals.map(totalOf),
    feeRates: feeRates.map(feeRateOf),
    findings: [extraFiles(engine.lakes), ...findings].filter(({ count }) => count > 0),
    notChecked: others,
  };
}

async function queryOf(name: string, values: SqlValues): Promise<string> {
  return fillQuery(await readQuery(name), values);
}

/** Files that no query reads, but other readers of the tables do. */
function extraFiles(lakes: readonly Lake[]): AuditFinding {
  const rows = lakes.flatMap(({ extra }, index) =>
    extra.map((field) => ({ ...foundRow({ field }), lake: index + 1 })),
  );
  return foundAs('extra_file', rows.length, rows);
}

const noIds = { transactions: 0, refunds: 0 };

async function idsIn(engine: Engine, values: SqlValues): Promise<typeof noIds> {
  const names = ['coverage', ...(values['refund_types'] === '' ? [] : ['refund-count'])];
  const queries = await Promise.all(names.map((name) => queryOf(name, values)));
  const [coverage = [], refunds = []] = await engine.ask(queries);
  const transactions = coverage.map(coverageOf).reduce((sum, one) => sum + one.transactions, 0);
  return { transactions, refunds: foundCount(refunds) };
}

function findingOf(code: AuditCode, answers: readonly (readonly AnswerRow[])[]) {
  const count = answers.map(foundCount).reduce((sum, one) => sum + one, 0);
  return foundAs(code, count, answers.flat().slice(0, mostFoundRows).map(foundRow));
}

function foundAs(code: AuditCode, count: number, rows: readonly FoundRow[]): AuditFinding {
  return { code, weight: auditWeights[code], count, rows: rows.slice(0, mostFoundRows) };
}

function partsNeeded(ids: number, { idsAtOnce = Number.POSITIVE_INFINITY }: Engine) {
  return Math.min(256, Math.max(1, Math.ceil(ids / idsAtOnce)));
}

/** The audit as SQL for another program: the views, and a query for each question. */
export async function auditScript(
  name: keyof typeof sqlDialects,
  views: readonly string[],
  settings: AuditSettings,
): Promise<string> {
  const [wholeRange = {}] = partsOfIds(1);
  const dialect: SqlDialect = sqlDialects[name];
  const values = { ...sqlValues(settings, dialect), ...wholeRange };
  const queries = await Promise.all(
    ['coverage', ...codesBy(settings).asked.map(queryName), 'totals', 'fee-rates'].map(
      async (name) => `-- ${name}\n${await queryOf(name, values)};\n`,
    ),
  );
  return [
    ...(dialect.head ? [dialect.head] : []),
    ...views.map((view) => `${view};\n`),
    '',
    ...queries,
  ].join('\n');
}

/** The codes with and without a query. */
function codesBy({ refundTypes, purchaseTypes }: AuditSettings) {
  const hasTypes = refundTypes.length > 0 && purchaseTypes.length > 0;
  const codes = keysOf(auditWeights).filter((code) => code !== 'extra_file');
  const asked = codes.filter((code) => hasTypes || !ofTypes.includes(code));
  return { asked, others: codes.filter((code) => !asked.includes(code)) };
}

const queryName = (code: AuditCode): string => code.replaceAll('_', '-');

/** A query with its placeholders: a file of `sql/`, which the build puts beside the program. */
async function readQuery(name: string): Promise<string> {
  return (await readProgramText(`sql/${name}.sql`, import.meta.url)).trimEnd();
}

/** The values of placeholders. Some have an argument: an SQL expression. */
type SqlValues = Readonly<Record<string, string | ((argument: string) => string)>>;

function fillQuery(query: string, values: SqlValues): string {
  return query.replace(/\{\{(\w+)(?: ([^{}]+))?\}\}/g, (_, name: string, argument = '') => {
    const value = values[name];
    if (value === undefined) throw new Error(`The query needs ${name}.`);
    return typeof value === 'string' ? value : value(argument);
  });
}

function sqlValues(settings: AuditSettings, { timeOf, hashOf }: SqlDialect): SqlValues {
  const { today, pendingDays, silentDays, refundTypes, purchaseTypes } = settings;
  return {
    time_of: timeOf,
    hash_of: hashOf,
    most: String(mostFoundRows),
    overdue_before: `DATE '${addDays(today, -pendingDays)}'`,
    silent_days: String(silentDays),
    refund_types: sqlTexts(refundTypes),
    purchase_types: sqlTexts(purchaseTypes),
  };
}

/** Settings cannot contain quotes and backslashes, which engines read in different ways. */
function sqlTexts(texts: readonly string[]): string {
  return texts.map((text) => `'${text}'`).join(', ');
}

/** Parts of all ids, by their hashes: unsigned in engines that hold a number of ids at once. */
function partsOfIds(count: number): readonly SqlValues[] {
  return Array.from({ length: count }, (_, part) => ({
    is_in_part: (hash: string) => (count === 1 ? 'TRUE' : `${hash} % ${count} = ${part}`),
  }));
}

function foundRow(answer: AnswerRow): FoundRow {
  return {
    ...texts(answer, 'profile', 'day', 'accountingToken', 'settlementId', 'transactionId'),
    ...texts(answer, 'chargeId', 'currency', 'field', 'change', 'before', 'after', 'lastDay'),
    ...counts(answer, 'decimalPlaces', 'days', 'longestBefore', 'lake', 'firstLake'),
    amount: minor(answer, 'amount_minor'),
    expected: minor(answer, 'expected_minor'),
  };
}

function foundCount([answer]: readonly AnswerRow[]): number {
  return answer ? count(answer, 'found') : 0;
}

function coverageOf(answer: AnswerRow): AuditCoverage {
  return {
    ...texts(answer, 'profile', 'firstDay', 'lastDay'),
    ...counts(answer, 'days', 'transactions'),
    settlements: settlementsOf(answer),
  };
}

function totalOf(answer: AnswerRow): AuditTotal {
  const payIn = amounts(answer, 'pay_in');
  const net = minor(answer, 'pay_in_difference_minor') ?? 0n;
  const absolute = minor(answer, 'pay_in_absolute_minor') ?? 0n;
  return {
    ...texts(answer, 'profile', 'accountingToken', 'accountingName', 'currency'),
    ...counts(answer, 'decimalPlaces', 'transactions'),
    settlements: settlementsOf(answer),
    gross: amounts(answer, 'gross'),
    fees: amounts(answer, 'fees'),
    tax: amounts(answer, 'tax'),
    payIn,
    outOfBalance: payIn.computed === undefined ? undefined : { net, absolute },
    pendingPayIn: minor(answer, 'pay_in_pending_minor') ?? 0n,
  };
}

function feeRateOf(answer: AnswerRow): AuditFeeRate {
  return {
    ...texts(answer, 'profile', 'paymentType', 'currency'),
    ...counts(answer, 'decimalPlaces', 'transactions'),
    month: (answer['month'] ?? '').slice(0, 7),
    gross: minor(answer, 'gross_minor') ?? 0n,
    fees: minor(answer, 'fees_minor') ?? 0n,
  };
}

function settlementsOf(answer: AnswerRow): AuditTotal['settlements'] {
  return counts(answer, 'balanced', 'out_of_balance', 'pending', 'incomplete');
}

function amounts(answer: AnswerRow, measure: string): AuditAmounts {
  return {
    reported: minor(answer, `${measure}_reported_minor`) ?? 0n,
    computed: minor(answer, `${measure}_computed_minor`),
  };
}

function texts<Field extends string>(answer: AnswerRow, ...fields: readonly Field[]) {
  return tableOf(fields, (field) => answer[columnOf(field)] ?? '');
}

function counts<Field extends string>(answer: AnswerRow, ...fields: readonly Field[]) {
  return tableOf(fields, (field) => count(answer, columnOf(field)));
}

function columnOf(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function count(answer: AnswerRow, column: string): number {
  return Number(answer[column] ?? 0);
}

function minor(answer: AnswerRow, column: string): bigint | undefined {
  const digits = answer[column];
  return digits === null || digits === undefined ? undefined : BigInt(digits);
}
