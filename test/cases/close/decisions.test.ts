import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { describe, expect, test } from 'vitest';
import { accepting, statusesOf } from './adapter.ts';
import { ids, type March, openMarch } from './march.ts';

type Cells = Readonly<Record<string, string>>;
type Sheet = readonly Cells[];

const march = ['--month', '2026-03'];
/** CLOSING 7: what is printed, and the five columns that are typed. */
const seen = [
  ...['kind', 'settlement_id', 'date', 'account', 'currency', 'expected_seen', 'received_seen'],
  ...['difference_seen', 'codes_seen', 'cause'],
];
const typed = ['decision', 'reason', 'books_account', 'until', 'by'];

interface Decisions extends March {
  readonly register: string;
  /** The lines as the program writes them. */
  readonly sheet: Sheet;
  /** Accepts by a file of these bytes. */
  accept(bytes: Uint8Array | string, ...args: readonly string[]): ReturnType<March['run']>;
  kept(): string;
}

async function openDecisions(): Promise<Decisions> {
  const month = await openMarch('mt940', ['books_from = "2026-03-01"']);
  const [file, register] = [month.file('decisions.csv'), month.file('accepted.csv')];
  await month.run('close', month.bank, ...march, '--decisions', file);
  const sheet = parse(readFileSync(file), { columns: true, bom: true }) as Sheet;
  return {
    ...month,
    ...{ register, sheet },
    accept: (bytes, ...args) => {
      writeFileSync(file, bytes);
      const from = ['--from', file, '--accepted', register, '--bank', month.bank];
      return month.run('accept', ...from, '--format', 'json', ...args);
    },
    kept: () => (existsSync(register) ? readFileSync(register, 'utf8') : ''),
  };
}

const isOf = (id: string, kind: string) => (cells: Cells) =>
  cells['kind'] === kind && cells['settlement_id'] === id;
const missingRow = isOf(ids.missingRow, 'pay_in');
const charged = isOf(ids.charged, 'bank');

/** Fills in the five columns of the lines that are chosen. */
function decide(sheet: Sheet, ...chosen: readonly ((cells: Cells) => boolean)[]): Sheet {
  return sheet.map((cells) =>
    chosen.some((one) => one(cells)) ? { ...cells, ...accepting } : cells,
  );
}

const columnsOf = (sheet: Sheet) => Object.keys(sheet[0] ?? {});
const csv = (sheet: Sheet, delimiter = ',') =>
  stringify([...sheet], { header: true, columns: columnsOf(sheet), delimiter });
const edited = (sheet: Sheet, edit: (cells: Cells) => Cells): Sheet => sheet.map(edit);

/** The statuses of lines that say something. */
const told = (statuses: readonly string[]) => statuses.filter((status) => status !== 'not decided');

describe('the sheet of decisions', () => {
  test('has a line for each difference, the largest first, and five columns to fill in', async () => {
    const { sheet } = await openDecisions();
    expect(columnsOf(sheet).filter((name) => [...seen, ...typed].includes(name))).toEqual([
      ...[...seen, ...typed],
    ]);
    expect(sheet.flatMap((cells) => typed.map((name) => cells[name]))).toEqual(
      sheet.flatMap(() => typed.map(() => '')),
    );
    const of = (wanted: string) => sheet.filter(({ kind }) => kind === wanted);
    // 17 March of the stores is only called out of balance by the service; it has no difference.
    const payIns = of('pay_in').map((cells) => cells['difference_seen']?.replace('+', ''));
    for (const amount of ['82.79', '5.00', '-5.00', '-0.01']) expect(payIns).toContain(amount);
    const bank = of('bank').map((cells) => cells['difference_seen']?.replace('+', ''));
    expect(bank).toEqual(expect.arrayContaining(['-1.50', '323136']));
    expect(of('unknown').map((cells) => cells['received_seen'])).toEqual(['312.40']);
    const sizes = sheet
      .filter(({ currency }) => currency === 'EUR')
      .map((cells) => Math.abs(Number(cells['difference_seen'] || cells['received_seen'])));
    expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
  });

  test('accepts as one by one', async () => {
    const { sheet, accept, kept, run, register, bank, file } = await openDecisions();
    const bulk = await accept(csv(decide(sheet, missingRow, charged)));
    expect(told(statusesOf(bulk))).toEqual(['accepted', 'accepted']);
    expect(bulk.exitCode).toBe(0);
    const words = ['--reason', 'known', '--by', 'Ada', '--account', 'expenses:other'];
    const single = ['--accepted', file('one-by-one.csv'), ...words];
    await run('accept', ids.missingRow, '--difference', '82.79', ...single);
    await run('accept', ids.charged, '--bank', bank, '--difference', '-1.50', ...single);
    const lines = (text: string) =>
      (parse(text, { columns: true }) as Sheet).map((cells) => JSON.stringify(cells)).sort();
    expect(lines(kept())).toEqual(lines(readFileSync(file('one-by-one.csv'), 'utf8')));
    const args = ['--accepted', register, '--format', 'json'];
    const { stdout } = await run('settlements', '--on', '2026-03-10', ...args);
    expect(JSON.parse(stdout)).toMatchObject({ verdict: 'balanced' });
  });

  test('a difference of the other kind and an unknown receipt can be decided too', async () => {
    const { sheet, accept } = await openDecisions();
    const unknown = (cells: Cells) => cells['kind'] === 'unknown';
    const twice = (cells: Cells) => cells['kind'] === 'bank' && cells['currency'] === 'JPY';
    expect(told(statusesOf(await accept(csv(decide(sheet, unknown, twice)))))).toEqual([
      ...['accepted', 'accepted'],
    ]);
  });
});

const comma = (text = '') => text.replace('.', ',');
const amounts = ['expected_seen', 'received_seen', 'difference_seen'];
const withCommas = (sheet: Sheet) =>
  edited(sheet, (cells) => ({
    ...cells,
    ...Object.fromEntries(amounts.map((name) => [name, comma(cells[name])])),
  }));
const serial = (day = '') => String((Date.parse(day) - Date.parse('1899-12-30')) / 86_400_000);
const withUntil = (sheet: Sheet) =>
  edited(sheet, (cells) => (cells['by'] ? { ...cells, until: '2026-06-30' } : cells));
const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le');

/** What spreadsheets make of a file that is opened and saved. */
const habits: Readonly<Record<string, (sheet: Sheet) => Uint8Array | string>> = {
  'commas and semicolons': (sheet) => csv(withCommas(sheet), ';'),
  'commas in quotes': (sheet) => csv(withCommas(sheet)),
  'a byte order mark and CRLF': (sheet) => `\uFEFF${csv(sheet).replaceAll('\n', '\r\n')}`,
  'UTF-16 with tabs': (sheet) => utf16(csv(sheet, '\t')),
  'windows-1252': (sheet) =>
    Buffer.from(
      csv(edited(sheet, (cells) => (cells['by'] ? { ...cells, by: 'Jürgen' } : cells))),
      'latin1',
    ),
  'dates as serial numbers': (sheet) =>
    csv(
      edited(withUntil(sheet), (cells) => ({
        ...cells,
        date: serial(cells['date']),
        until: cells['until'] ? serial(cells['until']) : '',
      })),
    ),
  'zeros lost at the end': (sheet) =>
    csv(
      edited(sheet, (cells) => ({
        ...cells,
        difference_seen:
          cells['difference_seen']?.replace(/^\+/, '').replace(/(\.\d)0$/, '$1') ?? '',
      })),
    ),
  'sorted lines': (sheet) => csv([...sheet].reverse()),
  'other columns between, and in another order': (sheet) =>
    csv(
      edited(sheet, (cells) => ({
        mine: 'x',
        ...Object.fromEntries(Object.entries(cells).reverse()),
      })),
    ),
  'empty lines and cells at the end': (sheet) =>
    `${csv(sheet)
      .trimEnd()
      .split('\n')
      .map((line) => `${line},,`)
      .join('\n')}\n${','.repeat(16)}\n\n`,
};

describe('decisions as spreadsheets save them', () => {
  test.each(Object.keys(habits))('%s', async (name) => {
    const { sheet, accept, kept } = await openDecisions();
    const write = habits[name] ?? csv;
    const result = await accept(write(decide(sheet, missingRow, charged)));
    expect(told(statusesOf(result))).toEqual(['accepted', 'accepted']);
    expect(kept()).toContain(ids.missingRow);
    if (name === 'windows-1252') expect(kept()).toContain('Jürgen');
    if (name.includes('serial')) expect(kept()).toContain('2026-06-30');
  });

  test('a damaged workbook is refused, and nothing is accepted', async () => {
    const { accept, kept } = await openDecisions();
    const { exitCode, stderr } = await accept(Buffer.from('PK\u0003\u0004rest of a workbook'));
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/damaged/);
    expect(kept()).toBe('');
  });
});

/** A line that must not be accepted, by the status that it gets. */
const bad: Readonly<Record<string, (line: Cells) => readonly Cells[]>> = {
  changed: (line) => [{ ...line, difference_seen: '-1.40' }],
  'changed: expected': (line) => [{ ...line, expected_seen: '5184.92' }],
  'changed: currency': (line) => [{ ...line, currency: 'USD' }],
  'not found': (line) => [{ ...line, settlement_id: '00000000-0000-4000-8000-000000000000' }],
  // 2 March: it has arrived in full.
  'not out of balance': (line) => [
    {
      ...line,
      settlement_id: 'dd4bcd07-2edb-5c6a-9e5c-5a1ea0ebf8fa',
      ...{ date: '2026-03-02', expected_seen: '4197.18', received_seen: '4195.68' },
    },
  ],
  'twice in the file': (line) => [line, line],
  'reason missing': (line) => [{ ...line, reason: ' ' }],
};

describe('one line that is wrong', () => {
  test.each(Object.keys(bad))('%s', async (name) => {
    const { sheet, accept, kept, run, bank, register } = await openDecisions();
    const status = name.replace(/:.*/, '');
    const good = decide(sheet.filter(missingRow), missingRow);
    const wrong = decide(sheet.filter(charged), charged).flatMap((line) => bad[name]?.(line) ?? []);
    const bytes = csv([...good, ...wrong]);
    // All or nothing.
    const whole = await accept(bytes);
    expect(statusesOf(whole)).toContain(status);
    expect(whole.exitCode).toBe(2);
    expect(kept()).toBe('');
    // Looked at, and nothing is written.
    const dry = await accept(bytes, '--partial', '--dry-run');
    expect(statusesOf(dry)).toContain(status);
    expect(kept()).toBe('');
    // What is right alone.
    const partial = await accept(bytes, '--partial');
    expect(statusesOf(partial)[0]).toBe('accepted');
    expect(statusesOf(partial).slice(1)).toEqual(wrong.map(() => status));
    expect(kept()).toContain(ids.missingRow);
    expect(kept()).not.toContain(ids.charged);
    const left = await run('bank', bank, ...march, '--accepted', register, '--format', 'json');
    expect(left.exitCode).toBe(1);
  });

  test('a column that is sorted apart from its ids accepts nothing', async () => {
    const { sheet, accept, kept } = await openDecisions();
    const all = decide(sheet, ({ kind }) => kind === 'pay_in').filter(
      ({ kind }) => kind === 'pay_in',
    );
    const sorted = all.map((cells) => cells['difference_seen'] ?? '').sort();
    const apart = all.map((cells, index) => ({ ...cells, difference_seen: sorted[index] ?? '' }));
    expect(apart).not.toEqual(all);
    expect(statusesOf(await accept(csv(apart)))).toContain('changed');
    expect(kept()).toBe('');
  });

  test('a file in which nothing is decided is an error', async () => {
    const { sheet, accept, kept } = await openDecisions();
    expect((await accept(csv(sheet))).exitCode).toBe(2);
    expect(kept()).toBe('');
  });

  test('the same decision again changes nothing', async () => {
    const { sheet, accept, kept } = await openDecisions();
    const bytes = csv(decide(sheet, missingRow, charged));
    await accept(bytes);
    const once = kept();
    expect(told(statusesOf(await accept(bytes)))).toEqual(['already accepted', 'already accepted']);
    expect(kept()).toBe(once);
  });

  test('after its decisions, a close counts less against it', async () => {
    const { sheet, accept, close, register } = await openDecisions();
    const before = await close(...march);
    await accept(csv(decide(sheet, missingRow, charged)));
    const after = await close(...march, '--accepted', register);
    expect(after.blockers.length).toBeLessThanOrEqual(before.blockers.length);
    const amounts = after.blockers.map(({ amount }) => amount?.amount.replace(/^[-+]/, ''));
    for (const gone of ['1.50', '82.79', '82.78']) expect(amounts).not.toContain(gone);
    // Accepting moves it on from suspense; in transit it changes nothing (CLOSING 3).
    expect(after.rollForward).toEqual(before.rollForward);
  });
});
