import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { bankOf, type Files, folderOf, runBank } from '../../bank/bank-report.ts';
import { document, entryOn } from '../../bank/camt-message.ts';
import { program } from '../../support/built-program.ts';
import { booked, swift } from './mt940-message.ts';

/** More than a call can have arguments. */
const many = 130_000;

const list = (count: number, one: (index: number) => string, between = '') =>
  Array.from({ length: count }, (_, index) => one(index)).join(between);
/** Cents that differ from one entry to the next. */
const cents = (index: number) => 100 + (index % 9_973);
const money = (index: number, point: string) =>
  `${Math.floor(cents(index) / 100)}${point}${String(cents(index) % 100).padStart(2, '0')}`;
const day = (index: number) => 2 + (index % 5);
const period = ['2026-03-02', '2026-03-06'] as const;
const csv = {
  date: 'Date',
  amount: 'Amount',
  currency: 'EUR',
  bank_reference: 'Reference',
  texts: ['Text'],
  account: 'DE89370400440532013000',
};

const csvOf = (count: number, text = 'x') =>
  `Date,Amount,Reference,Text\n${list(count, (index) => `2026-03-0${day(index)},${money(index, '.')},R${index},${text}`, '\n')}\n`;
interface Ended {
  readonly code: number | string | null;
  /** On standard output and standard error. */
  readonly said: string;
  /** The most memory that the process held, in megabytes; as far as the system tells. */
  readonly peak: number;
}

/** Runs the built program over one file, and watches how much memory it takes. */
async function bank(name: string, content: string, ...args: readonly string[]): Promise<Ended> {
  const folder = await folderOf({
    [name]: content,
    'config.toml': `[profiles.bank.bank_csv]\n${Object.entries(csv)
      .map(([key, value]) => `${key} = ${JSON.stringify(value)}\n`)
      .join('')}`,
  });
  const child = spawn(
    process.execPath,
    [
      ...[program, 'bank', join(folder, name), '--sandbox', '--scenario', 'empty'],
      ...['--config', join(folder, 'config.toml'), ...args],
    ],
    { env: { PATH: process.env['PATH'], HOME: '/nonexistent' }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk;
    });
  }
  const ended = new Promise<number | string | null>((resolve) => {
    child.on('close', (code, signal) => resolve(code ?? signal));
  });
  let peak = 0;
  const watch = setInterval(() => {
    readFile(`/proc/${child.pid}/status`, 'utf8').then(
      (status) => {
        peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
      },
      () => {},
    );
  }, 20);
  const code = await ended;
  clearInterval(watch);
  return { code, said, peak };
}

/** What a crash says. */
const crash = /call stack|bug in recon|RangeError/i;

/** Crashes end with exit code 70; whatever else is in the file, it is told. */
async function expectNoCrash(files: Files, format: string) {
  const folder = await folderOf(files);
  const paths = Object.keys(files).map((name) => join(folder, name));
  const run = await runBank(paths, ['--format', format], { csv });
  expect(run.stderr).not.toMatch(crash);
  return run;
}

describe('130,000 entries', () => {
  test('of no pay-out are read in little memory, and counted', async () => {
    // Ten megabytes: if they took more, a year of a busy account would take gigabytes. The engine, to which memory
    // is left, collects late: between 310 and 415 MB were measured.
    const content = csvOf(many, 'Payment of an order with thanks');
    const { code, said, peak } = await bank('a.csv', content, '--format', 'table');
    expect(said).not.toMatch(crash);
    expect(code).toBe(0);
    expect(said).toMatch(/130,?000 entries are unknown/);
    expect(said).toMatch(/130,?000 bank entries/);
    expect(peak).toBeLessThan(500);
  }, 60_000);

  test('that cannot be read are reported', async () => {
    const rows = list(many, (index) => `2026-03-05,x${index},R,x`, '\n');
    const text = `Date,Amount,Reference,Text\n${rows}\n`;
    const { exitCode, stdout, stderr } = await expectNoCrash({ 'a.csv': text }, 'csv');
    expect(exitCode).toBe(4);
    expect(stdout + stderr).toContain('a.csv');
  });
});

test('130,000 payments in one entry are read', async () => {
  const payments = list(
    many,
    () => '<TxDtls><Amt Ccy="EUR">1.00</Amt><CdtDbtInd>CRDT</CdtDbtInd></TxDtls>',
  );
  const rest = `<NtryDtls>${payments}</NtryDtls>`;
  const text = document({ period, entries: [entryOn('2026-03-05', '130000.00', rest)] });
  const { exitCode, stdout } = await expectNoCrash({ 'a.xml': text }, 'table');
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/130,?000\.00/);
});

describe('one value', () => {
  const long = 'y'.repeat(70_000);
  const short = 'y'.repeat(8_000);
  const inText = (text: string) =>
    document({
      period,
      entries: [
        entryOn(
          '2026-03-05',
          '77.00',
          `<NtryDtls><TxDtls><RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls></NtryDtls>`,
        ),
      ],
    });

  test('of 8,000 characters is read', async () => {
    const run = await bankOf({ 'a.xml': inText(short) });
    expect(run.money).toEqual(['2026-03-05 77.00 EUR']);
    expect(run.codes).toEqual([]);
    const rows = await bankOf({ 'a.csv': csvOf(1, short) }, { csv });
    expect(rows.money).toEqual(['2026-03-02 1.00 EUR']);
    expect(rows.codes).toEqual([]);
  });

  test('of more than 64 kB is reported in every format', async () => {
    const files = {
      'a.xml': inText(long),
      'a.csv': csvOf(1, long),
      'a.sta': swift({
        lines: [
          booked(
            5,
            'C77,00',
            list(1_100, () => 'y'.repeat(64), '\n'),
          ),
        ],
      }),
    };
    for (const [name, content] of Object.entries(files)) {
      const run = await bankOf({ [name]: content }, { csv });
      expect([2, 4], name).toContain(run.exitCode);
      expect(run.stdout + run.stderr).toContain(name);
    }
  });

  test('without an end, after an open quotation mark, is reported soon', async () => {
    const rows = list(100_000, () => '2026-03-05,1.00,R,abcdefghijklmnopqrstuvwxyz', '\n');
    const text = `Date,Amount,Reference,Text\n2026-03-04,5.00,R,"open\n${rows}\n`;
    const { exitCode, stdout, stderr } = await expectNoCrash({ 'a.csv': text }, 'table');
    expect([2, 4]).toContain(exitCode);
    expect(stdout + stderr).toMatch(/a\.csv:2\b/);
  });
});
