import { copyFile, cp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { partitionFolder, type Question, type Table, tables } from './adapter.ts';
import { days, rowOf, settlementOf, tokens } from './base.ts';
import type { Place } from './tables.ts';

/** A fault in the tables, and what is right to say of it. */
export interface Fault {
  readonly name: string;
  /** Settlements, rows and days. One of them is named, and nothing else is. */
  readonly about: readonly string[];
  /** Over the tables, which in both layouts have a column `day`. */
  readonly sql: readonly string[];
  /** Changes files. Returns texts of which one names the place. `aside` is another folder. */
  readonly files?: (place: Place, aside: string) => Promise<readonly string[]>;
  /** A second folder beside the first one, made from it. */
  readonly second?: readonly string[];
  readonly question: Question;
  /** Other questions that may answer too, whatever they name. */
  readonly also: readonly string[];
  /** A notice changes no exit code by itself. */
  readonly isNotice?: true;
  readonly args?: readonly string[];
  /** In words, why no query over the tables can find it. `--verify` finds it. */
  readonly undetectable?: string;
  /** Elsewhere it is another fault. */
  readonly only?: 'monthly';
}

function fault(
  name: string,
  about: string | readonly string[],
  sql: string | readonly string[],
  more: Partial<Fault> = {},
): Fault {
  return { name, about: [about].flat(), sql: [sql].flat(), question: 'any', also: [], ...more };
}

type Change = NonNullable<Fault['files']>;
const ofFile = (name: string, files: Change) => fault(name, [], [], { files });
const d = (short: string) => `2026-${short}`;
const web = (short: string) => settlementOf('web', short);
const stores = (short: string) => settlementOf('stores', short);
const japan = (short: string) => settlementOf('japan', short);
const kuwait = (short: string) => settlementOf('kuwait', short);
const dayIs = (short: string) => `day = DATE '2026-${short}'`;
const of = (id: string) => `settlement_id = '${id}'`;
const row = (id: string, n: number) => `transaction_id = '${rowOf(id, n)}'`;
const setRow = (id: string, n: number, set: string) =>
  `UPDATE transactions SET ${set} WHERE ${row(id, n)}`;
const setHeader = (id: string, set: string) => `UPDATE settlements SET ${set} WHERE ${of(id)}`;
const setDay = (short: string, set: string) => `UPDATE days SET ${set} WHERE ${dayIs(short)}`;
const loseDay = (short: string) =>
  tables.map((table) => `DELETE FROM ${table} WHERE ${dayIs(short)}`);
const loseRows = (id: string) => `DELETE FROM transactions WHERE ${of(id)}`;
const loseHeader = (id: string) => `DELETE FROM settlements WHERE ${of(id)}`;
const fewer = (short: string, rows: number) =>
  setDay(
    short,
    `settlements_balanced = settlements_balanced - 1, transactions = transactions - ${rows}`,
  );
/** One balanced settlement of a day counts as another verdict. */
const recount = (short: string, verdict: string) =>
  setDay(
    short,
    `verdict = '${verdict}', settlements_balanced = settlements_balanced - 1,
      settlements_${verdict} = settlements_${verdict} + 1`,
  );
/** More by some minor units, in both forms of an amount with two decimals. */
const add = (column: string, by: number) =>
  `${column}_minor = ${column}_minor + ${by}, ${column} = ${column} + ${by} / 100.0`;
const again = (table: Table, where: string, replaced: string) =>
  `INSERT INTO ${table} SELECT * REPLACE (${replaced}) FROM ${table} WHERE ${where}`;
/** What puts a record on another day. */
const version = (short: string) => `(SELECT day_version FROM days WHERE ${dayIs(short)})`;
/** Without a purchase, its refund has none. */
const refunds = { also: ['refund_without_purchase'] };

/** The rows of a settlement do not add up to its figures. */
const sums = Object.entries({
  'a row is lost': (id: string) => `DELETE FROM transactions WHERE ${row(id, 2)}`,
  'a row is there twice': (id: string) => again('transactions', row(id, 2), 'state AS state'),
  'an amount is one cent higher': (id: string) => setRow(id, 2, add('amount', 1)),
  'a fee is one cent lower': (id: string) => setRow(id, 1, add('fees', -1)),
  'a tax is one cent higher': (id: string) => setRow(id, 4, add('tax', 1)),
  'fees and tax of a row are swapped': (id: string) =>
    setRow(id, 1, 'fees_minor = tax_minor, tax_minor = fees_minor, fees = tax, tax = fees'),
  'a row is in another currency': (id: string) => setRow(id, 2, "currency = 'USD'"),
  'the sign of an amount is turned with its fee': (id: string) =>
    setRow(
      id,
      2,
      `amount_minor = -amount_minor, amount = -amount, fees_minor = -fees_minor, fees = -fees`,
    ),
  'a settlement has lost all rows': loseRows,
  'a computed pay-in and its difference are one off': (id: string) =>
    setHeader(
      id,
      'pay_in_computed_minor = pay_in_computed_minor + 1, pay_in_difference_minor = -1',
    ),
}).map(([name, plant], index) => {
  const id = web((days[index + 2] ?? '').slice(5));
  return fault(name, id, plant(id), { question: 'sums', ...refunds });
});

/** What the questions of docs/audit.md are there for. */
const known: readonly Fault[] = [
  ...sums,
  fault(
    'a row is under another settlement of its account',
    [stores('01-29'), stores('01-31')],
    setRow(stores('01-29'), 2, of(stores('01-31'))),
    { question: 'sums' },
  ),
  fault(
    'a table of a day is of another version',
    d('01-26'),
    `UPDATE settlements SET day_version = 'older' WHERE ${dayIs('01-26')}`,
    { question: 'mixedVersions' },
  ),
  fault('a day is missing from all tables', d('02-01'), loseDay('02-01'), {
    files: (place) => withoutDay(place, '02-01', tables),
    question: 'missingDay',
    ...refunds,
  }),
  fault(
    'a day is incomplete',
    d('01-27'),
    setDay('01-27', "complete = false, verdict = 'incomplete'"),
    { question: 'incompleteDay' },
  ),
  fault('two folders differ in a day', d('01-27'), [], {
    second: [`UPDATE days SET day_version = 'other' WHERE ${dayIs('01-27')}`],
    question: 'conflictingDay',
    also: ['repeated_day', 'mixed_versions'],
  }),
  fault('two folders have the same days', days, [], {
    second: [],
    question: 'repeatedDay',
    isNotice: true,
  }),
  fault('two profiles have the same settlements', days, [], {
    second: tables.map((table) => `UPDATE ${table} SET profile = 'other'`),
    question: 'repeatedTransaction',
  }),
  fault(
    'a day counts one more settlement',
    d('01-30'),
    setDay('01-30', 'settlements_balanced = settlements_balanced + 1'),
    { question: 'dayCounts' },
  ),
  fault(
    'a settlement is lost with its rows',
    d('01-30'),
    [loseHeader(kuwait('01-30')), loseRows(kuwait('01-30'))],
    { question: 'dayCounts' },
  ),
  fault(
    'one transaction is in two settlements',
    [web('02-01'), web('02-03')],
    setRow(web('02-03'), 2, row(web('02-01'), 2)),
    { question: 'repeatedTransaction' },
  ),
  fault(
    'a settlement is on two days',
    [kuwait('02-04'), d('02-05')],
    [
      again(
        'settlements',
        of(kuwait('02-04')),
        `DATE '2026-02-05' AS day, ${version('02-05')} AS day_version`,
      ),
      setDay('02-05', 'settlements_balanced = settlements_balanced + 1'),
    ],
    { question: 'repeatedSettlement' },
  ),
  fault(
    'a charge is refunded more than it was paid',
    ['often-refunded', web('02-01')],
    [
      setRow(web('02-01'), 3, "charge_id = 'often-refunded'"),
      ...['02-02', '02-03', '02-04'].map((short) =>
        setRow(web(short), 6, "charge_id = 'often-refunded'"),
      ),
    ],
    { question: 'overRefunded' },
  ),
  fault(
    'a refund names a charge that nobody paid',
    web('02-06'),
    setRow(web('02-06'), 6, "charge_id = 'nobody-paid-this'"),
    { question: 'refundWithoutPurchase', isNotice: true },
  ),
  fault(
    'refunds have another name',
    'refund',
    "UPDATE transactions SET transaction_type = 'REFUNDED' WHERE transaction_type = 'refund'",
    { question: 'missingType', isNotice: true },
  ),
  fault(
    'a settled settlement was changed by a restatement',
    kuwait('01-25'),
    `INSERT INTO changes BY NAME SELECT profile, day_version, day, settlement_id,
      '' AS transaction_id, 'settlement_changed' AS change, 'gross' AS field,
      '1.00' AS before, '2.00' AS after FROM settlements WHERE ${of(kuwait('01-25'))}`,
    { question: 'changedAfterSettled', isNotice: true },
  ),
  fault(
    'a settlement is pending for too long',
    stores('01-25'),
    [
      setHeader(
        stores('01-25'),
        "settlement_status = 'pending_settlement', service_says = 'pending', verdict = 'pending'",
      ),
      recount('01-25', 'pending'),
    ],
    { question: 'neverSettled', isNotice: true },
  ),
  fault(
    'an account has no more settlements',
    tokens.japan,
    ['02-03', '02-06'].flatMap((short) => [
      loseHeader(japan(short)),
      loseRows(japan(short)),
      fewer(short, 2),
    ]),
    { args: ['--silent-days', '6'], question: 'silentAccount', isNotice: true },
  ),
];

/** What the audit did not find in the tables of 70 days. */
const told: readonly Fault[] = [
  fault(
    'a row is of a settlement that is nowhere',
    ['orphan-1', 'orphan-row'],
    again(
      'transactions',
      row(kuwait('01-30'), 2),
      "'orphan-1' AS settlement_id, 'orphan-row' AS transaction_id, 'orphan-1' AS own_settlement_id",
    ),
  ),
  fault(
    'a settlement is lost without its rows, and the day agrees',
    [kuwait('02-04'), d('02-04')],
    [
      loseHeader(kuwait('02-04')),
      setDay('02-04', 'settlements_balanced = settlements_balanced - 1'),
    ],
  ),
  ...['gross', 'fees', 'tax', 'pay_in'].map((amount, index) => {
    const id = web((days[index] ?? '').slice(5));
    const set = setHeader(id, `${amount}_difference_minor = 500`);
    return fault(`${amount}: reported − computed is not the difference`, id, set);
  }),
  fault(
    'transactions: reported − computed is not the difference',
    stores('02-04'),
    setHeader(stores('02-04'), 'transactions_reported = transactions_reported + 2'),
  ),
  fault(
    'reported is 10,000 higher, the difference is not',
    web('02-03'),
    setHeader(web('02-03'), add('gross_reported', 10_000)),
  ),
  fault(
    'reported and difference are 10,000 higher, the verdict is balanced',
    web('02-05'),
    setHeader(
      web('02-05'),
      ['gross', 'pay_in']
        .map(
          (amount) =>
            `${amount}_reported_minor = ${amount}_reported_minor + 10000,
              ${amount}_reported = ${amount}_reported + 100, ${amount}_difference_minor = 10000`,
        )
        .join(', '),
    ),
  ),
  fault('out of balance, though all agrees', kuwait('02-04'), [
    setHeader(kuwait('02-04'), "verdict = 'out_of_balance', sums_say = 'out_of_balance'"),
    recount('02-04', 'out_of_balance'),
  ]),
  fault(
    'a decimal is not its minor units',
    web('01-31'),
    setRow(web('01-31'), 2, 'amount = amount + 1'),
  ),
  fault(
    'a decimal of a fee is not its minor units',
    web('02-02'),
    setRow(web('02-02'), 1, 'fees = fees * 10'),
  ),
  fault(
    'a decimal of a settlement is not its minor units',
    japan('01-31'),
    setHeader(japan('01-31'), 'pay_in_reported = pay_in_reported / 100'),
  ),
  fault(
    'a time is not its timestamp',
    stores('02-02'),
    setRow(stores('02-02'), 1, 'time = time + INTERVAL 1 HOUR'),
  ),
  fault(
    'the time of a settlement is not its timestamp',
    stores('02-06'),
    setHeader(stores('02-06'), 'settlement_time = settlement_time - INTERVAL 1 DAY'),
  ),
  fault('a row was listed no time', web('02-01'), setRow(web('02-01'), 1, 'listed = 0')),
  fault(
    'a scale is unlike the settlement’s, the amounts are not',
    web('02-05'),
    setRow(web('02-05'), 2, 'decimal_places = 3'),
  ),
  fault(
    'a day has more transactions than rows',
    d('02-07'),
    setDay('02-07', 'transactions = transactions + 1'),
  ),
];

/** Not from the issue: the SQL of tables alone. */
const own: readonly Fault[] = [
  fault(
    'equal rows of two settlements are swapped in every column that names them',
    [stores('01-27'), stores('02-02')],
    swapped(stores('01-27'), stores('02-02')),
    {
      undetectable:
        'Counts and sums stay, ids stay unique, and each row names the settlement that it is under.',
    },
  ),
  fault(
    'two amounts of a settlement are altered against each other',
    web('02-04'),
    [setRow(web('02-04'), 1, add('amount', 100)), setRow(web('02-04'), 2, add('amount', -100))],
    { undetectable: 'A settlement states only its sums, and they stay.' },
  ),
  fault(
    'a settlement is lost with its rows, and the day agrees',
    d('02-04'),
    [loseHeader(kuwait('02-04')), loseRows(kuwait('02-04')), fewer('02-04', 5)],
    { undetectable: 'Nothing that is left in the tables names it.' },
  ),
  fault(
    'a settlement and its rows are in another currency',
    stores('02-06'),
    ['settlements', 'transactions'].map(
      (table) => `UPDATE ${table} SET currency = 'USD' WHERE ${of(stores('02-06'))}`,
    ),
    { undetectable: 'No other column names the currency.' },
  ),
  fault(
    'a row is on another day than its settlement',
    [web('02-04'), d('02-04'), d('02-05')],
    setRow(web('02-04'), 2, `day = DATE '2026-02-05', day_version = ${version('02-05')}`),
  ),
  fault(
    'an amount went through a 32-bit float',
    japan('01-25'),
    setRow(
      japan('01-25'),
      1,
      `amount_minor = CAST(CAST(amount_minor AS FLOAT) AS BIGINT),
        amount = CAST(CAST(amount_minor AS FLOAT) AS BIGINT)`,
    ),
    { question: 'sums' },
  ),
  fault(
    'a decimal went through a 32-bit float',
    kuwait('01-30'),
    setRow(kuwait('01-30'), 1, 'amount = CAST(CAST(amount AS FLOAT) AS DECIMAL(38, 4))'),
  ),
  fault(
    'rows write the id of their settlement in other letters',
    [japan('01-31'), japan('01-31').toUpperCase()],
    `UPDATE transactions SET settlement_id = upper(settlement_id) WHERE ${of(japan('01-31'))}`,
  ),
  fault(
    'a settlement is there twice on its day',
    [kuwait('01-25'), d('01-25')],
    again('settlements', of(kuwait('01-25')), 'verdict AS verdict'),
  ),
  fault('a day is there twice', d('01-29'), again('days', dayIs('01-29'), 'verdict AS verdict')),
  fault(
    'a day has another verdict than its settlements',
    d('02-08'),
    setDay('02-08', "verdict = 'out_of_balance'"),
  ),
  fault(
    'a day is not complete, but all its settlements are',
    d('02-06'),
    setDay('02-06', 'complete = false'),
  ),
  fault(
    'a row names another settlement than the one it is under',
    stores('01-27'),
    setRow(stores('01-27'), 2, `own_settlement_id = '${stores('02-06')}'`),
  ),
  fault(
    'a row is of another account than its settlement',
    web('01-28'),
    setRow(web('01-28'), 2, `accounting_token = '${tokens.stores}'`),
  ),
  fault(
    'a row is of another profile than its settlement',
    [web('02-04'), d('02-04'), 'other'],
    setRow(web('02-04'), 2, "profile = 'other'"),
  ),
  ...['amount_minor', 'decimal_places', 'time', 'settlement_id', 'currency'].map((column) =>
    fault(
      `NULL for ${column}`,
      [web('02-02'), d('02-02')],
      setRow(web('02-02'), 2, `${column} = NULL`),
    ),
  ),
  fault('NULL for a fee of 0', web('02-03'), setRow(web('02-03'), 3, 'fees_minor = NULL')),
  fault(
    'NULL for a verdict',
    [web('02-04'), d('02-04')],
    setHeader(web('02-04'), 'verdict = NULL'),
  ),
  fault('a month lacks a day', d('01-29'), loseDay('01-29'), { only: 'monthly', ...refunds }),
  fault(
    'a day lacks its transactions alone',
    d('01-29'),
    `DELETE FROM transactions WHERE ${dayIs('01-29')}`,
    {
      files: (place) => withoutDay(place, '01-29', ['transactions']),
      ...refunds,
    },
  ),
];

/** Not from the issue: files. */
const ownFiles: readonly Fault[] = [
  ofFile('an older version is beside the new one', async (place) => {
    const name = await beside(place, 'transactions', 'older.parquet');
    await place.select(name, "* REPLACE ('v0' AS day_version)");
    return [basename(name)];
  }),
  ...['part-1.parquet', '_temporary.parquet'].map((name) =>
    ofFile(`an extra ${name} is beside the right one`, async (place) => {
      await beside(place, 'settlements', name);
      return [name];
    }),
  ),
  ofFile('a file is cut off', (place) =>
    damaged(place, 'transactions', (content) => content.subarray(0, -100)),
  ),
  ofFile('a file is empty', (place) => damaged(place, 'settlements', () => Buffer.alloc(0))),
  ofFile('a file is a symbolic link', async (place, aside) => {
    const file = place.file('transactions', d('02-03'));
    await linked(file, aside);
    return named(file);
  }),
  ofFile('a partition is a symbolic link', async (place, aside) => {
    const partition = dirname(place.file('settlements', d('02-03')));
    await linked(partition, aside);
    return [basename(partition)];
  }),
  ofFile('a partition has no day or month for a name', async (place) => {
    const partition = dirname(place.file('transactions', d('02-03')));
    await cp(partition, `${partition} (copy)`, { recursive: true });
    return [`${basename(partition)} (copy)`, '2026-02'];
  }),
  ofFile('amounts are doubles', (place) =>
    rewritten(place, '* REPLACE (CAST(amount_minor AS DOUBLE) AS amount_minor)'),
  ),
  ofFile('a column is missing', async (place) => [
    ...(await rewritten(place, '* EXCLUDE (fees_minor)')),
    '2026-02',
  ]),
];

export const faults = { known, told, own: [...own, ...ownFiles] } as const;

/** The statements that give each of two rows the settlement and the day of the other. */
function swapped(one: string, other: string): readonly string[] {
  const columns = ['settlement_id', 'own_settlement_id', 'day', 'day_version'];
  const keep = (id: string, as: string) =>
    `CREATE OR REPLACE TABLE ${as} AS SELECT * FROM transactions WHERE ${row(id, 2)}`;
  const take = (id: string, from: string) =>
    setRow(id, 2, columns.map((name) => `${name} = (SELECT ${name} FROM ${from})`).join(', '));
  return [keep(one, 'first'), keep(other, 'last'), take(one, 'last'), take(other, 'first')];
}

/** In days, a day without rows is a folder that is not there. */
async function withoutDay(
  { folder, layout }: Place,
  short: string,
  from: readonly Table[],
): Promise<readonly string[]> {
  if (layout.partition === 'month') return [];
  for (const table of from) {
    await rm(partitionFolder(folder, layout, table, d(short)), { recursive: true });
  }
  return [];
}

async function beside(place: Place, table: Table, name: string): Promise<string> {
  const file = place.file(table, d('02-03'));
  await copyFile(file, join(dirname(file), name));
  return join(dirname(file), name);
}

async function linked(path: string, aside: string): Promise<void> {
  await rename(path, join(aside, 'elsewhere'));
  await symlink(join(aside, 'elsewhere'), path);
}

async function rewritten(place: Place, columns: string): Promise<readonly string[]> {
  const file = place.file('transactions', d('02-03'));
  await place.select(file, columns);
  return named(file);
}

async function damaged(place: Place, table: Table, by: (content: Buffer) => Buffer) {
  const file = place.file(table, d('02-03'));
  const content = by(await readFile(file));
  await rm(file);
  await writeFile(file, content);
  return named(file);
}

/** A file is named by its partition, or by its name if no other file has it. */
function named(file: string): readonly string[] {
  return [basename(dirname(file)), basename(file)].filter((name) => name !== 'part-0.parquet');
}
