import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { writeStatement } from '../../cli/statement.ts';
import { close, closesFlag, recording, reopening } from './adapter.ts';
import { dayAfter, lastOfMonth } from './calendar.ts';
import { type March, openMarch } from './march.ts';
import { openMerchant } from './merchant.ts';
import { knownAt, makeYear } from './year.ts';

const march = ['--month', '2026-03'];
const from = ['books_from = "2026-03-01"'];
const range = (first: string, last: string) => ['--from', first, '--to', last];

interface Closing extends March {
  readonly closes: string;
  /** Records with force; the range is March by default. */
  record(isFirst: boolean, ...args: readonly string[]): ReturnType<March['run']>;
  /** The bytes of the register; nothing where there is none. */
  kept(): string;
}

async function openClosing(): Promise<Closing> {
  const month = await openMarch('mt940', from);
  const closes = month.file('closes.csv');
  return {
    ...month,
    closes,
    record: (isFirst, ...args) => {
      const days = args.some((arg) => arg === '--from') ? [] : march;
      return month.run('close', month.bank, ...days, ...args, ...recording(closes, isFirst));
    },
    kept: () => (existsSync(closes) ? readFileSync(closes, 'utf8') : ''),
  };
}

/** The records of a register, without the lines that chain them. */
function recordsOf(text: string): readonly Readonly<Record<string, string>>[] {
  const lines = parse(text, { columns: true, relax_column_count: true }) as Record<
    string,
    string
  >[];
  return lines.filter((cells) => cells['closed_through'] !== '');
}

describe('recording a close', () => {
  test('writes what stood, once, for nobody else to read', async () => {
    const { record, kept, closes } = await openClosing();
    await record(true);
    const records = recordsOf(kept());
    expect(new Set(records.map((cells) => cells['closed_through']))).toEqual(
      new Set(['2026-03-31']),
    );
    expect(kept()).toContain('Ada');
    expect(kept()).toContain('checked by the judge');
    // Closing in transit and suspense, as in CLOSING 1 and 2.
    for (const figure of ['3059.32', '-393.68', '-323136']) expect(kept()).toContain(figure);
    expect(statSync(closes).mode & 0o777).toBe(0o600);
    expect(existsSync(join(closes, '..', '.closes.csv.last'))).toBe(true);
  });

  test('is refused without force, without a note and without a name', async () => {
    const { run, bank, closes, kept } = await openClosing();
    const tries = [
      ['--record', '--by', 'Ada'],
      ['--record', '--by', 'Ada', '--force'],
      ['--record', '--force', '--note', 'known'],
    ];
    const codes: number[] = [];
    for (const flags of tries) {
      const register = [closesFlag, closes, '--new-register'];
      const { exitCode } = await run('close', bank, ...march, ...flags, ...register);
      codes.push(exitCode);
      expect(recordsOf(kept())).toEqual([]);
    }
    expect(codes).toEqual([1, 2, 2]);
  });

  test('what is closed cannot be closed again, nor can a gap be left, whatever the force', async () => {
    const { record, kept } = await openClosing();
    await record(true, ...range('2026-03-01', '2026-03-10'));
    const once = kept();
    expect(recordsOf(once).length).toBeGreaterThan(0);
    for (const days of [
      range('2026-03-01', '2026-03-10'),
      range('2026-03-05', '2026-03-31'),
      range('2026-03-18', '2026-03-31'),
    ]) {
      expect((await record(false, ...days)).exitCode).not.toBe(0);
      expect(kept()).toBe(once);
    }
    await record(false, ...range('2026-03-11', '2026-03-31'));
    expect(recordsOf(kept()).length).toBeGreaterThan(recordsOf(once).length);
  });

  test('days that are not over are never closed', async () => {
    const { record, kept, close } = await openClosing();
    const days = range('2026-03-01', '2027-01-31');
    expect((await record(true, ...days)).exitCode).not.toBe(0);
    expect(recordsOf(kept())).toEqual([]);
    const { blockers } = await close(...days);
    expect(blockers.filter(({ forceable }) => !forceable).length).toBeGreaterThan(0);
  });
});

/** Statements that no force closes over. */
const damaged: Readonly<Record<string, (month: March) => string | Promise<string>>> = {
  balance_break: ({ bank }) => edited(bank, /:62F:C(\d{6}EUR\d+),20/, ':62F:C$1,21'),
  statement_gap: async ({ file }) => {
    mkdirSync(file('gap'));
    await writeStatement(file('gap/1.xml'), [1, 15], [[5, 'X', 100]]);
    await writeStatement(file('gap/2.xml'), [16, 31], [], 999);
    return file('gap');
  },
  'statements that end before the range': async ({ file }) => {
    await writeStatement(file('1.xml'), [1, 20], [[5, 'X', 100]]);
    return file('1.xml');
  },
  'an incomplete reading': ({ bank }) => edited(bank, 'C4197,18', 'C4197.18'),
};

function edited(bank: string, from: string | RegExp, to: string): string {
  const path = join(bank, 'month.mt940');
  const text = readFileSync(path, 'utf8');
  const other = text.replace(from, to);
  expect(other).not.toBe(text);
  writeFileSync(path, other);
  return bank;
}

describe('what no force lifts', () => {
  test.each(Object.keys(damaged))('%s', async (name) => {
    const month = await openClosing();
    const statements = (await damaged[name]?.(month)) ?? month.bank;
    const asked = ['close', statements, ...march];
    const recorded = await month.run(...asked, ...recording(month.closes, true));
    expect([1, 4]).toContain(recorded.exitCode);
    expect(recordsOf(month.kept())).toEqual([]);
    const { stdout } = await month.run(...asked, '--format', 'json');
    const { blockers } = JSON.parse(stdout) as { blockers: { code: string; forceable: boolean }[] };
    const never = blockers.filter(({ forceable }) => !forceable).map(({ code }) => code);
    expect(never.length).toBeGreaterThan(0);
    if (/^[a-z_]+$/.test(name)) expect(never).toContain(name);
    // What no force lifts stands first.
    expect(blockers.slice(0, never.length).map(({ code }) => code)).toEqual(never);
  });

  test('batches that are missing, where a register of bookings is set', async () => {
    const { run, bank, file, closes, kept } = await openClosing();
    const register = ['--booked', file('booked.csv')];
    const book = (last: string, output: string, ...args: readonly string[]) =>
      run(
        ...['journal', ...range('2026-03-01', last), '--for', 'csv', '--bank', bank],
        ...[...register, '--output', file(output), '--fail-on', 'none', ...args],
      );
    await book('2026-03-17', '1.csv', '--new-register');
    const record = () =>
      run('close', bank, ...march, ...register, ...recording(closes, !existsSync(closes)));
    expect((await record()).exitCode).not.toBe(0);
    expect(recordsOf(kept())).toEqual([]);
    await book('2026-03-31', '2.csv');
    await record();
    expect(recordsOf(kept()).length).toBeGreaterThan(0);
  });
});

describe('a register of closes', () => {
  test('that was altered is noticed by every command that knows it', async () => {
    const { record, run, closes, kept, bank } = await openClosing();
    await record(true);
    const whole = kept();
    const lines = whole.trimEnd().split('\n');
    const damages = [
      whole.replace('3059.32', '3059.33'),
      whole.replace('Ada', 'Bob'),
      `${lines.slice(0, -1).join('\n')}\n`,
      `${[lines[0], ...lines.slice(1).reverse()].join('\n')}\n`,
    ];
    const commands = [
      ['close', bank, ...march],
      ['settlements', ...march],
      ['journal', ...march, '--for', 'csv'],
    ];
    for (const damage of damages) {
      writeFileSync(closes, damage);
      for (const command of commands) {
        const { exitCode, stderr } = await run(...command, closesFlag, closes);
        expect(`${command[0]} ${exitCode > 1} ${stderr.includes('closes.csv')}`).toBe(
          `${command[0]} true true`,
        );
      }
      expect(kept()).toBe(damage);
    }
  });

  test('that is lost is not begun again in silence', async () => {
    const { record, closes, kept } = await openClosing();
    await record(true);
    rmSync(closes);
    expect((await record(false)).exitCode).toBeGreaterThan(1);
    expect(kept()).toBe('');
  });

  test('is reopened at its end only, with a note, and keeps both records', async () => {
    const { record, run, closes, kept } = await openClosing();
    const reopen = (...flags: readonly string[]) => run('close', ...flags, closesFlag, closes);
    await record(true, ...range('2026-03-01', '2026-03-10'));
    await record(false, ...range('2026-03-11', '2026-03-31'));
    const twice = recordsOf(kept());
    expect((await reopen('--reopen', '--by', 'Ada')).exitCode).toBe(2);
    expect((await reopen(...reopening)).exitCode).toBe(0);
    const reopened = recordsOf(kept());
    expect(reopened.slice(0, twice.length)).toEqual(twice);
    expect(kept()).toContain('an entry was missed');
    // Now the second range is open again, the first one is closed still.
    await record(false, ...range('2026-03-05', '2026-03-31'));
    expect(recordsOf(kept())).toHaveLength(reopened.length);
    await record(false, ...range('2026-03-11', '2026-03-31'));
    expect(recordsOf(kept()).length).toBeGreaterThan(reopened.length);
  });
});

describe('after a close', () => {
  /** A year whose January has a settlement that is restated after its close. */
  function restatedYear() {
    for (let seed = 1; ; seed += 2) {
      const year = makeYear(seed);
      const end = lastOfMonth(`${year.year}-01`);
      const evening = dayAfter(end, 6);
      const isRestated = year.payouts.some(
        ({ day, restated }) =>
          day <= end && restated && restated.on > evening && restated.on < dayAfter(end, 40),
      );
      if (isRestated) return { year, end, evening };
    }
  }

  test('reports and nights say by whom, and what has changed since', async () => {
    const { year, end, evening } = restatedYear();
    const merchant = await openMerchant(year);
    await merchant.becomes(evening);
    const closes = join(merchant.folder, 'closes.csv');
    await close(merchant, year.from, end, recording(closes, true));
    const out = ['--out', join(merchant.folder, 'out'), '--since', year.from];
    const night = async () => {
      const args = [...out, closesFlag, closes];
      const { stdout } = await merchant.run(['nightly', ...args, '--format', 'json']);
      const { news } = JSON.parse(stdout) as { news: readonly { readonly kind: string }[] };
      return news.filter(({ kind }) => /clos/.test(kind)).length;
    };
    const said = async (command: string) => {
      const args = ['--from', year.from, '--to', end, closesFlag, closes];
      const { stdout, stderr } = await merchant.run([
        command,
        ...args,
        ...(command === 'journal' ? ['--for', 'csv'] : ['--format', 'table']),
      ]);
      const lines = `${stdout}\n${stderr}`.split('\n');
      return lines.filter((line) => /closed/i.test(line) && line.includes('Ada')).join('\n');
    };
    expect(await night()).toBe(0);
    expect(await said('settlements')).toContain('Ada');
    const later = dayAfter(end, 40);
    const changed = knownAt(year, later).settled.some(
      ({ payout }) => payout.day <= end && payout.restated,
    );
    expect(changed).toBe(true);
    await merchant.becomes(later);
    for (const command of ['settlements', 'journal']) expect(await said(command)).toMatch(/since/i);
    expect(await night()).toBeGreaterThan(0);
    expect(await night()).toBe(0);
  });
});
