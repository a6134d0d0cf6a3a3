import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readRecords } from '../../cli/read-report.ts';
import { temporaryFolder } from '../../cli/temporary.ts';
import { parseCsv } from '../../render/parse-csv.ts';
import { type RunResult, runRecon } from '../../support/run-recon.ts';

/** What an acceptance says beside the reason. */
interface Said {
  readonly by?: string;
  readonly until?: string;
  readonly account?: string;
}

type Line = Readonly<Record<string, string>>;

/** The two differences of the sandbox that can be accepted: one of the pay-in, one on the bank. */
const kinds = {
  'pay-in': ['be678572-cc4e-5b84-ae52-bdd95f9ee0dd', '--difference', '82.79'],
  bank: ['aaec682c-1e81-5a13-8528-ea6e0f0c173c', '--bank', '--difference', '323136'],
} as const;

type Kind = keyof typeof kinds;

const earlier: Required<Said> = { by: 'Ann', until: '2026-12-31', account: '4970' };
const later: Required<Said> = { by: 'Bo', until: '2027-06-30', account: 'expenses:card fees' };

const parts = ['by', 'until', 'account'] as const;

/** All choices of the three: given or not. */
const choices: readonly (readonly (typeof parts)[number][])[] = Array.from(
  { length: 8 },
  (_, bits) => parts.filter((__, place) => bits & (1 << place)),
);

function only(said: Required<Said>, given: readonly (keyof Said)[]): Said {
  return Object.fromEntries(given.map((part) => [part, said[part]]));
}

const flags = (said: Said): readonly string[] =>
  parts.flatMap((part) => (said[part] === undefined ? [] : [`--${part}`, said[part]]));

function accept(
  register: string,
  kind: Kind,
  said: Said,
  ...more: readonly string[]
): Promise<RunResult> {
  return runRecon([
    ...['accept', '--sandbox', '--accepted', register, ...kinds[kind]],
    ...(more.includes('--reason') ? [] : ['--reason', 'known']),
    ...flags(said),
    ...more,
  ]);
}

/** What the register says of each settlement, however it is written. */
function readRegister(path: string, delimiter = ','): readonly Line[] {
  const text = readFileSync(path, 'utf8').replace(/^\ufeff/, '');
  const [columns = [], ...rows] = parseCsv(text.replace(/\r?\n/g, '\r\n'), delimiter);
  return rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at] ?? ''])));
}

function saidIn(record: Line | undefined): Said {
  return {
    by: record?.['accepted_by'] ?? '',
    until: record?.['accepted_until'] ?? '',
    account: record?.['books_account'] ?? '',
  };
}

const nothing: Required<Said> = { by: '', until: '', account: '' };

async function newRegister(): Promise<string> {
  return join(await temporaryFolder(), 'accepted.csv');
}

describe.each<Kind>(['pay-in', 'bank'])('accepting a %s difference again', (kind) => {
  test.each(choices.map((given) => [given.join(', ') || 'nothing', given] as const))(
    'keeps the earlier values that are not given again; given: %s',
    async (_, given) => {
      const register = await newRegister();
      expect((await accept(register, kind, earlier)).exitCode).toBe(0);
      const again = await accept(register, kind, only(later, given), '--reason', 'looked at again');
      expect(again.exitCode).toBe(0);
      const [record, ...others] = readRegister(register);
      expect(others).toEqual([]);
      expect(saidIn(record)).toEqual({ ...earlier, ...only(later, given) });
      expect(record?.['accepted_reason']).toBe('looked at again');
      // It is said what changes, and nothing is said of what stays.
      for (const part of ['by', 'until'] as const) {
        if (given.includes(part)) expect(again.stderr).toContain(earlier[part]);
      }
      expect(again.stderr).not.toMatch(/without (an )?end|nobody|without an account/);
    },
  );

  test.each(choices.map((given) => [given.join(', ') || 'nothing', given] as const))(
    'drops all earlier values with --replace, and says so; given: %s',
    async (_, given) => {
      const register = await newRegister();
      expect((await accept(register, kind, earlier)).exitCode).toBe(0);
      const again = await accept(register, kind, only(later, given), '--replace');
      expect(again.exitCode).toBe(0);
      expect(readRegister(register).map(saidIn)).toEqual([{ ...nothing, ...only(later, given) }]);
      for (const part of parts) expect(again.stderr).toContain(earlier[part]);
      if (given.includes('until')) expect(again.stderr).not.toMatch(/without (an )?end/);
      else expect(again.stderr).toMatch(/without (an )?end/);
    },
  );

  test('adds values to an acceptance without any, and a third acceptance keeps them', async () => {
    const register = await newRegister();
    expect((await accept(register, kind, {})).exitCode).toBe(0);
    expect(readRegister(register).map(saidIn)).toEqual([nothing]);
    expect((await accept(register, kind, { by: 'Ann' })).exitCode).toBe(0);
    expect((await accept(register, kind, { until: '2026-12-31' })).exitCode).toBe(0);
    expect((await accept(register, kind, { account: '4970' })).exitCode).toBe(0);
    expect((await accept(register, kind, {})).exitCode).toBe(0);
    expect(readRegister(register).map(saidIn)).toEqual([earlier]);
  });

  test('is refused if the earlier one has ended and no new end is given', async () => {
    const register = await newRegister();
    expect((await accept(register, kind, earlier)).exitCode).toBe(0);
    const ended = (await readFile(register, 'utf8')).replace('2026-12-31', '2026-03-15');
    await writeFile(register, ended);
    const again = await accept(register, kind, { by: 'Bo' });
    expect(again.exitCode).toBe(2);
    expect(again.stderr).toContain('2026-03-15');
    expect(again.stderr).toContain('--until');
    expect(await readFile(register, 'utf8')).toBe(ended);
    // With a new last day, who accepted it and the account stay.
    const renewed = await accept(register, kind, { until: '2026-09-30' });
    expect(renewed.exitCode).toBe(0);
    expect(readRegister(register).map(saidIn)).toEqual([{ ...earlier, until: '2026-09-30' }]);
  });

  test('can have no end after the earlier one has ended, with --replace', async () => {
    const register = await newRegister();
    expect((await accept(register, kind, earlier)).exitCode).toBe(0);
    const ended = (await readFile(register, 'utf8')).replace('2026-12-31', '2026-03-15');
    await writeFile(register, ended);
    const again = await accept(register, kind, { by: 'Bo' }, '--replace');
    expect(again.exitCode).toBe(0);
    expect(again.stderr).toContain('2026-03-15');
    expect(readRegister(register).map(saidIn)).toEqual([{ ...nothing, by: 'Bo' }]);
  });

  test('is possible on the last day, and the last day of the sandbox is 1 April', async () => {
    const register = await newRegister();
    expect((await accept(register, kind, { ...earlier, until: '2026-04-01' })).exitCode).toBe(0);
    expect((await accept(register, kind, { by: 'Bo' })).exitCode).toBe(0);
    expect(readRegister(register).map(saidIn)).toEqual([
      { ...earlier, by: 'Bo', until: '2026-04-01' },
    ]);
  });

  test('changes nothing if the difference is no longer the one that was seen', async () => {
    const register = await newRegister();
    expect((await accept(register, kind, earlier)).exitCode).toBe(0);
    const before = await readFile(register, 'utf8');
    const [id] = kinds[kind];
    const bank = kind === 'bank' ? ['--bank'] : [];
    const { exitCode } = await runRecon([
      ...['accept', id, '--sandbox', '--accepted', register, ...bank],
      ...['--difference', '1.23', '--reason', 'known', '--replace'],
    ]);
    expect(exitCode).toBe(2);
    expect(await readFile(register, 'utf8')).toBe(before);
  });

  test('gives the same data as the first time', async () => {
    const register = await newRegister();
    await accept(register, kind, earlier);
    const { stdout } = await accept(register, kind, { by: 'Bo' }, '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      done: 'replaced',
      accepted: [{ by: 'Bo', acceptedUntil: '2026-12-31', booksAccount: '4970' }],
    });
    const lines = await accept(register, kind, { account: '4980' }, '--format', 'csv');
    expect(readRecords(lines.stdout).map(saidIn)).toEqual([
      { by: 'Bo', until: '2026-12-31', account: '4980' },
    ]);
  });
});

describe('the register', () => {
  test('keeps the acceptance of the other kind unchanged', async () => {
    const register = await newRegister();
    // The two are of different settlements here; the other's line does not change by a byte.
    await accept(register, 'pay-in', earlier);
    await accept(register, 'bank', later);
    const lines = (await readFile(register, 'utf8')).split('\n');
    const bank = lines.find((line) => line.includes(kinds.bank[0]));
    expect((await accept(register, 'pay-in', {}, '--replace')).exitCode).toBe(0);
    expect((await readFile(register, 'utf8')).split('\n')).toContain(bank);
  });

  test('has a bank difference beside a pay-in difference of one settlement, and keeps both', async () => {
    const register = await newRegister();
    await accept(register, 'bank', earlier);
    const [id] = kinds.bank;
    // A line of the other kind for the same settlement, as it would be written for a difference.
    const text = await readFile(register, 'utf8');
    const [head = '', line = ''] = text.split(/\r?\n/);
    const columns = head.split(',');
    const cells = line.split(',');
    const other = columns.map((name, at) => {
      if (name.startsWith('bank_')) return '';
      if (name === 'pay_in_difference') return '5.00';
      if (name === 'accepted_by') return 'Cy';
      if (name === 'accepted_until') return '';
      return cells[at] ?? '';
    });
    const separator = text.includes('\r\n') ? '\r\n' : '\n';
    await writeFile(register, [head, other.join(','), line, ''].join(separator));
    expect((await accept(register, 'bank', { account: '4980' })).exitCode).toBe(0);
    const records = readRegister(register).filter((record) => record['settlement_id'] === id);
    expect(records.map(saidIn).map(({ by }) => by)).toEqual(['Cy', 'Ann']);
    expect(saidIn(records[1])).toEqual({ ...earlier, account: '4980' });
  });

  test.each<Kind>(['pay-in', 'bank'])(
    'as saved by a spreadsheet, with semicolons and decimal commas, keeps its values (%s)',
    async (kind) => {
      const register = await newRegister();
      await accept(register, kind, { ...earlier, by: 'Ann; of finance' });
      await writeFile(register, asSpreadsheet(await readFile(register, 'utf8')));
      const again = await accept(register, kind, { until: '2027-06-30' });
      expect(again.exitCode).toBe(0);
      const text = await readFile(register, 'utf8');
      const delimiter = text.split(/\r?\n/)[0]?.includes(';') ? ';' : ',';
      const records = readRegister(register, delimiter);
      expect(records.map(saidIn)).toEqual([
        { ...earlier, by: 'Ann; of finance', until: '2027-06-30' },
      ]);
      // And it is still read: the difference is accepted.
      const listed = await runRecon(['accept', '--list', '--accepted', register, '--json']);
      expect(listed.exitCode).toBe(0);
      expect(JSON.parse(listed.stdout)).toMatchObject({
        accepted: [{ by: 'Ann; of finance', acceptedUntil: '2027-06-30' }],
      });
    },
  );

  test('with extra columns keeps them, and so does a register without accounts', async () => {
    const register = await newRegister();
    await accept(register, 'pay-in', { by: earlier.by, until: earlier.until });
    const [columns = [], ...rows] = parseCsv(
      (await readFile(register, 'utf8')).replace(/\r?\n/g, '\r\n'),
      ',',
    );
    // As it was before accounts were known, with a column of the user's.
    const end = columns.indexOf('books_account');
    const old = [
      columns.slice(0, end).concat('ticket'),
      ...rows.map((row) => row.slice(0, end).concat('T-7')),
    ];
    await writeFile(register, old.map((row) => `${row.join(',')}\r\n`).join(''));
    expect((await accept(register, 'pay-in', {})).exitCode).toBe(0);
    const [kept] = readRegister(register);
    expect(kept).toMatchObject({
      accepted_by: 'Ann',
      accepted_until: '2026-12-31',
      ticket: 'T-7',
    });
    expect((await accept(register, 'pay-in', { account: '4970' })).exitCode).toBe(0);
    expect(readRegister(register)).toMatchObject([
      { accepted_by: 'Ann', accepted_until: '2026-12-31', books_account: '4970', ticket: 'T-7' },
    ]);
  });

  test('accepts --replace for a difference that was never accepted', async () => {
    const register = await newRegister();
    expect((await accept(register, 'pay-in', { by: 'Ann' }, '--replace')).exitCode).toBe(0);
    expect(readRegister(register).map(saidIn)).toEqual([{ ...nothing, by: 'Ann' }]);
  });

  test('refuses a malformed earlier line, and does not lose its contents', async () => {
    const register = await newRegister();
    await accept(register, 'pay-in', earlier);
    const broken = (await readFile(register, 'utf8')).replace('2026-12-31', '31.12.2026');
    await writeFile(register, broken);
    const { exitCode, stderr } = await accept(register, 'pay-in', {});
    // Either it is refused and nothing changes, or it is said what was there.
    if (exitCode === 0) expect(stderr).toContain('31.12.2026');
    else expect(await readFile(register, 'utf8')).toBe(broken);
  });
});

/** What a spreadsheet with a decimal comma saves: semicolons, commas in amounts, a byte order mark. */
function asSpreadsheet(text: string): string {
  const rows = parseCsv(text.replace(/\r?\n/g, '\r\n'), ',');
  const lines = rows.map((row) =>
    row
      .map((cell) => (/^-?\d+\.\d+$/.test(cell) ? cell.replace('.', ',') : cell))
      .map((cell) => (/[;"]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
      .join(';'),
  );
  return `\ufeff${lines.join('\r\n')}\r\n`;
}
