import { describe, expect, test } from 'vitest';
import { Random } from '../../support/random.ts';
import { csv } from './forms/csv.ts';
import { forms } from './forms.ts';
import { comparedMoney, openDesk } from './judge.ts';
import { seeds } from './seeds.ts';
import { type Truth, truthOf } from './truth.ts';
import { bytesOf, type Form, type Written } from './written.ts';

function begin(form: Form, seed: number) {
  const random = new Random(seed * 100 + 50 + forms.indexOf(form));
  const truth = truthOf(random, form.country);
  return { random, truth, written: form.write(truth, random) };
}

const copied = (written: Written, name: string) => ({ name, bytes: bytesOf(written) });

describe.each(forms)('$name in several files', (form) => {
  test.each(seeds)('bank %i: a file and its copy are one', async (seed) => {
    const { truth, written } = begin(form, seed);
    const { runAll } = await openDesk(truth);
    const files = [copied(written, written.name), copied(written, `copy-${written.name}`)];
    const told = comparedMoney(await runAll(files, written.settings), { ...truth, ...written });
    expect(told.length > 0 ? [written.how, ...told] : []).toEqual([]);
  });
});

describe('CSV that overlaps', () => {
  test.each(seeds)('bank %i: days that are in two files count once', async (seed) => {
    const { random, truth, written } = begin(csv, seed);
    const days = [...new Set(written.lines.flatMap(({ day }) => day ?? []))].sort();
    const from = days[random.int(0, days.length - 1)] ?? '';
    const to = days[random.int(days.indexOf(from), days.length - 1)] ?? '';
    const part = (isWanted: (day: string) => boolean) => ({
      ...written,
      lines: written.lines.filter(
        ({ day, kind }) => kind !== 'balance' && (day === undefined || isWanted(day)),
      ),
    });
    const { runAll } = await openDesk(truth);
    const files = [
      copied(
        part((day) => day <= to),
        'early.csv',
      ),
      copied(
        part((day) => day >= from),
        'late.csv',
      ),
    ];
    const told = comparedMoney(await runAll(random.shuffled(files), written.settings), {
      ...truth,
      ...written,
    });
    expect(told.length > 0 ? [written.how, ...told] : []).toEqual([]);
  });
});

describe.each(
  forms.filter(({ name }) => ['Norma 43', 'CFONB 120', 'CODA', 'MT940'].includes(name)),
)('CSV beside $name', (form) => {
  test.each(seeds)('bank %i: a month in both counts once', async (seed) => {
    const { random, truth, written } = begin(form, seed);
    // A table of one of the accounts.
    const byName = truth.accounts
      .slice(0, 1)
      .map((account) => ({ ...account, number: account.name }));
    const table = csv.write({ ...truth, accounts: byName }, random);
    const { runAll } = await openDesk(truth);
    const files = random.shuffled([copied(written, written.name), copied(table, table.name)]);
    const told = comparedMoney(await runAll(files, table.settings), truth);
    expect(told.length > 0 ? [written.how, table.how, ...told] : []).toEqual([]);
  });
});

/** A table with a header, of another language than the one before. */
function tableOf(truth: Truth, random: Random, before = ''): Written {
  for (;;) {
    const written = csv.write(truth, random);
    const [date = ''] = written.settings?.filter((line) => line.startsWith('date =')) ?? [];
    if (!written.settings?.includes('header = false') && date !== before) return written;
  }
}

describe('CSV of two banks in one profile', () => {
  const named = ({ settings = [] }: Written, name: string) =>
    settings.map((line) => (line.startsWith('[') ? `[profiles.main.bank_csv.${name}]` : line));

  test.each(seeds)('bank %i: each file is read by the mapping of its columns', async (seed) => {
    const random = new Random(seed * 100 + 70);
    const truth = truthOf(random, csv.country);
    const [own = [], others = []] = [truth.accounts.slice(0, 1), truth.accounts.slice(1)];
    const one = tableOf({ ...truth, accounts: own }, random);
    const date = one.settings?.find((line) => line.startsWith('date ='));
    const tables =
      others.length > 0 ? [one, tableOf({ ...truth, accounts: others }, random, date)] : [one];
    const { runAll } = await openDesk(truth);
    const files = tables.map((table, at) => copied(table, `bank-${at}.csv`));
    const settings = tables.flatMap((table, at) => named(table, `bank${at}`));
    const told = comparedMoney(await runAll(random.shuffled(files), settings), truth);
    expect(told.length > 0 ? [...told, ...settings] : []).toEqual([]);
  });
});
