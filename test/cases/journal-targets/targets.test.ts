import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../cli/temporary.ts';
import { booked, swift } from '../bank/mt940-message.ts';
import { journal, postingsInCsv } from '../books-by-type/adapter.ts';
import type { Settlement } from '../books-by-type/month.ts';
import { type Profile, sandbox, serveMonth } from '../books-by-type/service.ts';
import { readers, type Target, type TargetLine, targets } from './readers.ts';

/** An account for each purpose, so that sums by account are sums by purpose. */
const purposes = [
  ...['in_transit', 'bank', 'fees', 'tax', 'receivable', 'suspense', 'accepted', 'bank_fees'],
  ...['overpaid', 'bank_difference', 'unknown_receipt'],
];
const accountsOf = (target: Target) =>
  Object.fromEntries(
    purposes.map((name, at) => [name, target === 'quickbooks' ? `Pay:${name}` : `6${100 + at}`]),
  );

type Sums = ReadonlyMap<string, bigint>;

function sumsOf(lines: readonly Omit<TargetLine, 'entry'>[]): Sums {
  const sums = new Map<string, bigint>();
  for (const { day, account, currency, amount } of lines) {
    const key = `${day} ${account} ${currency}`;
    sums.set(key, (sums.get(key) ?? 0n) + amount);
  }
  return new Map([...sums].sort());
}

const entriesOf = (lines: readonly { readonly entry: string }[]) =>
  new Set(lines.map(({ entry }) => entry)).size;

/** What `--for csv` has: the same columns, with the currency in each. */
async function inCsv({ run }: Profile, target: Target, flags: readonly string[]) {
  const { exitCode, stdout } = await run(journal('csv', ...flags), accountsOf(target));
  const days = stdout
    .split('\n')
    .slice(1)
    .map((line) => line.split(',')[1] ?? '');
  const lines = postingsInCsv({ stdout }).map((posting, at) => ({
    ...posting,
    day: days[at] ?? '',
  }));
  return {
    exitCode,
    lines,
    currencies: [...new Set(lines.map(({ currency }) => currency))].sort(),
  };
}

/** Writes a folder, and reads each file of it; its name says the currency if no column does. */
async function inFolder({ folder, run }: Profile, target: Target, flags: readonly string[]) {
  const output = join(folder, `${target} ${flags.join(' ').replaceAll('/', '_')}`);
  const args = journal(target, ...flags, '--output', `${output}/`);
  const { exitCode, stderr } = await run(args, accountsOf(target));
  const files = await readdir(output).catch(() => expect.unreachable(stderr));
  const read = await Promise.all(
    files.map(async (name) => {
      const [, inName = ''] = /-([A-Z]{3})(?:-\d+)?\.csv$/.exec(name) ?? [];
      const lines = readers[target](await readFile(join(output, name), 'utf8'));
      return lines.map((line) => ({ ...line, currency: line.currency || inName }));
    }),
  );
  return { exitCode, files, lines: read.flat() };
}

const id = (letter: string) => `${letter.repeat(8)}-1a2b-4c3d-8e4f-5a6b7c8d9e0f`;

function settlement(letter: string, day: string, currency: string, scale: number): Settlement {
  const row = (n: number, receivable: bigint) => ({
    ...{
      id: `${letter}${n}`,
      type: 'purchase',
      state: 'approved',
      currency,
      scale,
      isTwice: false,
    },
    ...{ receivable, fees: 105n, tax: 21n },
  });
  return {
    ...{ id: id(letter), day, token: id('f'), currency, scale, isPending: false },
    ...{ rows: [row(1, 12_345n), row(2, 67_891n), row(3, -1_000n)], grossWithoutRow: 0n },
  };
}

const rules = { isDeclinedLeftOut: false, isRefundTurned: false, isTaxInFees: false };
const euros = [settlement('a', '2026-03-10', 'EUR', 2), settlement('b', '2026-03-10', 'EUR', 2)];
const yens = [settlement('c', '2026-03-10', 'JPY', 0), settlement('d', '2026-03-12', 'JPY', 0)];
const dinars = settlement('e', '2026-03-12', 'KWD', 3);

const service = (...more: readonly Settlement[]) =>
  serveMonth({ settlements: [...euros, ...yens, ...more], rules });

/** A bank on which one pay-out of each currency has arrived, one of them with a unit more. */
async function statements(): Promise<string> {
  const file = join(await temporaryFolder(), 'march.sta');
  const euro = booked(11, 'C788,58', `E2E-${'a'.repeat(8)}`);
  const yen = booked(13, 'C78859,', `E2E-${'d'.repeat(8)}`);
  const yenAccount = { account: '12030000/0000202051', opening: 'C260302JPY0,' };
  const parts = [
    swift({ lines: [euro] }),
    swift({ ...yenAccount, lines: [yen], closing: 'C260331JPY78859,' }),
  ];
  await writeFile(file, parts.join(''));
  return file;
}

const forms: readonly (readonly string[])[] = [
  [],
  ['--per', 'day'],
  ['--bank'],
  ['--bank', '--per', 'day'],
];

describe.each(targets)('%s', (target) => {
  test.each(forms.map((flags) => [flags.join(' ') || 'without flags', flags] as const))(
    'takes the sandbox, and every amount ties: %s',
    async (_, flags) => {
      const profile = await sandbox();
      const csv = await inCsv(profile, target, flags);
      expect(csv.currencies).toEqual(['EUR', 'JPY', 'USD']);
      const all = await inFolder(profile, target, flags);
      expect(all.exitCode).toBe(csv.exitCode);
      expect(sumsOf(all.lines)).toEqual(sumsOf(csv.lines));
      expect(entriesOf(all.lines)).toBe(entriesOf(csv.lines));
    },
  );

  test.each([[[]], [['--detail']], [['--per', 'day']], [['--detail', '--per', 'day']]])(
    'takes two currencies of a service, with and without the bank: %j',
    async (flags) => {
      const profile = await service();
      for (const bank of [[], ['--bank', await statements()]]) {
        const csv = await inCsv(profile, target, [...flags, ...bank]);
        expect(csv.currencies).toEqual(['EUR', 'JPY']);
        const all = await inFolder(profile, target, [...flags, ...bank]);
        expect(sumsOf(all.lines)).toEqual(sumsOf(csv.lines));
        expect(entriesOf(all.lines)).toBe(entriesOf(csv.lines));
        expect(all.files.length).toBe(target === 'netsuite' ? 1 : 2);
      }
    },
  );

  test('takes the currency that is chosen, and no other', async () => {
    const profile = await service(dinars);
    const { lines } = await inCsv(profile, target, []);
    for (const currency of ['EUR', 'JPY']) {
      const args = journal(target, '--currency', currency);
      const { exitCode, stdout } = await profile.run(args, accountsOf(target));
      expect(exitCode).toBe(0);
      const read = readers[target](stdout).map((line) => ({ ...line, currency }));
      expect(sumsOf(read)).toEqual(sumsOf(lines.filter((line) => line.currency === currency)));
    }
  });

  test('never adds two currencies', async () => {
    const { run } = await service();
    const { exitCode, stdout, stderr } = await run(journal(target), accountsOf(target));
    if (target === 'netsuite') {
      const found = readers.netsuite(stdout).map(({ currency }) => currency);
      expect(new Set(found)).toEqual(new Set(['EUR', 'JPY']));
      return;
    }
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain('EUR, JPY');
    expect(stderr).toContain('--currency EUR');
  });

  test('has all decimals of dinars, or no file', async () => {
    const profile = await service(dinars);
    const args = journal(target, '--currency', 'KWD');
    const { exitCode, stdout, stderr } = await profile.run(args, accountsOf(target));
    if (target === 'netsuite' || target === 'xero') {
      expect([exitCode, stdout]).toEqual([2, '']);
      expect(stderr).toContain('KWD');
      return;
    }
    const { lines } = await inCsv(profile, target, []);
    const read = readers[target](stdout).map((line) => ({ ...line, currency: 'KWD' }));
    expect(sumsOf(read)).toEqual(sumsOf(lines.filter(({ currency }) => currency === 'KWD')));
  });

  test('takes the sandbox in detail, or says what is too long', async () => {
    const profile = await sandbox();
    if (target === 'xero') {
      const output = join(profile.folder, 'out');
      await mkdir(output);
      const args = journal(target, '--detail', '--output', `${output}/`);
      const { exitCode, stderr } = await profile.run(args, accountsOf(target));
      expect([exitCode, await readdir(output)]).toEqual([2, []]);
      expect(stderr).toContain('300 lines');
      expect(stderr).toContain('--detail');
      return;
    }
    const csv = await inCsv(profile, target, ['--detail']);
    const all = await inFolder(profile, target, ['--detail']);
    expect(sumsOf(all.lines)).toEqual(sumsOf(csv.lines));
  });
});

test('a file of Xero ends at 300 lines, and no entry is cut', async () => {
  const many = Array.from({ length: 47 }, (_, at) => ({
    ...settlement('a', '2026-03-10', 'EUR', 2),
    id: id('a').replace('1a2b', String(1000 + at)),
  })).map((one, at) => ({
    ...one,
    rows: one.rows.map((row) => ({ ...row, id: `${row.id}-${at}` })),
  }));
  const profile = await serveMonth({ settlements: many, rules });
  const { files, lines } = await inFolder(profile, 'xero', ['--detail']);
  const csv = await inCsv(profile, 'xero', ['--detail']);
  expect(lines.length).toBe(csv.lines.length);
  expect(files.length).toBe(Math.ceil(lines.length / 300));
  expect(entriesOf(lines)).toBe(entriesOf(csv.lines));
});
