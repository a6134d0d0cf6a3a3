import { copyFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  books,
  type Company,
  endToEndIdOf,
  openCompany,
  stores,
  sumsOf,
  textOf,
  usual,
  web,
  writeStatement,
} from './company.ts';
import { transactionsOf } from './ledger.ts';
import { april, aprilComes, closedMarch, held, march, more } from './two-months.ts';
import {
  booked,
  close,
  codes,
  entriesOf,
  forcing,
  journal,
  recording,
  said,
  since,
} from './words.ts';

const restated = (a: number, f: number, t = 60, type?: string) => ({
  ...march,
  rows: [{ a, f, t, ...(type && { type }) }],
});

/** `up` of W1: two euros less in fees, which arrive in April. */
async function raised(settings?: readonly string[]): Promise<Company> {
  const company = await closedMarch(settings);
  company.lists(restated(20_000, 100));
  await aprilComes(company, [more(200)]);
  return company;
}

/** Who speaks of closed days. The journals look back, so they come last: what they write is booked. */
const speakers = {
  settlements: ['settlements', '--month', '2026-03', '--format', 'table'],
  bank: ['bank', '--month', '2026-03', '--format', 'table'],
  'close of the next month': ['close', '--month', '2026-04', '--format', 'table'],
  'journal of the next month': ['journal', '--month', '2026-04', '--for', 'hledger', '--bank'],
  journal: ['journal', '--month', '2026-03', '--for', 'hledger', '--bank'],
} as const;

type Speaker = keyof typeof speakers;

const allSpeakers = Object.keys(speakers) as readonly Speaker[];

async function saidBy(company: Company, speaker: Speaker): Promise<string> {
  const [command] = speakers[speaker];
  const flags = command === 'journal' || command === 'close' ? booked(company) : [];
  const file = company.file(`${speaker.replaceAll(' ', '-')}.journal`);
  const output = command === 'journal' ? ['--output', file] : [];
  return said(await company.run(...speakers[speaker], ...flags, ...output));
}

describe('a paid settlement of a closed month that is restated upwards', () => {
  test('is booked by the journal of the next month, without a range that looks back', async () => {
    const company = await raised();
    const run = await journal(company, '2026-04', '2.journal');
    expect(run.exitCode).toBe(0);
    expect(held(company, '1.journal', '2.journal')).toEqual({
      'assets:bank EUR': 29_660n,
      'assets:receivable EUR': -30_000n,
      'assets:tax EUR': 90n,
      'expenses:fees EUR': 250n,
    });
  });

  test('is posted on the first day after the close, and never touches suspense', async () => {
    const company = await raised();
    await journal(company, '2026-04', '2.journal');
    const entries = transactionsOf(textOf(company.file('2.journal')));
    expect(entries.filter(({ day }) => day <= '2026-03-31')).toEqual([]);
    expect(entries.filter(({ day }) => day === '2026-04-01')).toHaveLength(2);
    const accounts = entries.flatMap(({ postings }) => postings.map(({ account }) => account));
    expect(accounts).not.toContain('assets:suspense');
  });

  test('stands in changed, and nothing is over', async () => {
    const company = await raised();
    await journal(company, '2026-04', '2.journal');
    const { verdict, lines, checks, changes } = await close(company, '2026-04');
    expect(lines['Web shop EUR']).toMatchObject({
      ...{ opening: 0n, changed: 200n, settled: 9820n, received: 10_020n },
      ...{ over: 0n, short: 0n, closing: 0n },
    });
    expect(changes).toMatchObject([{ id: march.id, reason: 'restated' }]);
    expect(changes[0]?.figures).toMatchObject({
      ...{ difference: 200n, gross: 0n, fees: -200n, tax: 0n, payIn: 200n },
    });
    expect(checks['EUR']).toMatchObject({ closing: 0n, inTransit: 0n, suspense: 0n });
    expect(verdict).toBe('ready');
  });

  test('leaves April not ready until it is booked, with the count of what is owed', async () => {
    const company = await raised();
    const before = await close(company, '2026-04');
    expect(before.verdict).toBe('not_ready');
    expect(before.exitCode).toBe(1);
    const owed = before.blockers.find(({ code }) => code === 'not_booked');
    expect(owed?.forceable).toBe(false);
    expect(owed?.amounts.length).toBeGreaterThan(0);
    const run = await journal(company, '2026-04', '2.journal');
    expect(owed?.count).toBe(entriesOf(run));
    expect(codes(await close(company, '2026-04'))).toEqual([]);
  });

  test('blocks April though all of April itself is booked', async () => {
    const company = await closedMarch();
    await aprilComes(company);
    await journal(company, '2026-04', '2.journal');
    expect((await close(company, '2026-04')).verdict).toBe('ready');
    company.lists(restated(20_000, 100));
    await aprilComes(company, [more(200)]);
    const owing = await close(company, '2026-04');
    expect([owing.verdict, codes(owing)]).toEqual(['not_ready', ['not_booked']]);
    const run = await journal(company, '2026-04', '3.journal');
    expect(entriesOf(run)).toBe(3);
    const then = await close(company, '2026-04');
    expect([then.verdict, then.totals['EUR']?.['changed']]).toEqual(['ready', 200n]);
  });

  test('is not recorded by force while an entry is owed', async () => {
    const company = await closedMarch();
    await aprilComes(company);
    await journal(company, '2026-04', '2.journal');
    company.lists(restated(20_000, 100));
    const { exitCode } = await company.run(
      ...['close', '--month', '2026-04', ...booked(company), ...forcing],
    );
    expect(exitCode).not.toBe(0);
    expect(textOf(company.file('closes.csv'))).not.toContain('2026-04-30');
  });

  test('is to be posted until it is in the register, and posted then', async () => {
    const company = await raised();
    for (const speaker of ['settlements', 'bank', 'close of the next month'] as const) {
      const words = await saidBy(company, speaker);
      expect(words, speaker).toMatch(since.toBePosted);
      expect(words, speaker).not.toMatch(since.posted);
    }
    await journal(company, '2026-04', '2.journal');
    const words = await saidBy(company, 'close of the next month');
    expect(words).toMatch(since.posted);
    expect(words).not.toMatch(since.toBePosted);
  });

  test('is booked no second time by a run that looks back by hand', async () => {
    const company = await raised();
    await journal(company, '2026-04', '2.journal');
    const again = await company.run(
      ...['journal', '--from', '2026-03-01', '--to', '2026-04-30', '--for', 'hledger', '--bank'],
      ...[...booked(company), '--output', company.file('3.journal')],
    );
    expect(again.exitCode).toBe(0);
    expect(textOf(company.file('3.journal'))).toBe('');
  });

  test('is in no close of a later month again', async () => {
    const company = await raised();
    await journal(company, '2026-04', '2.journal');
    const recorded = await company.run(
      ...['close', '--month', '2026-04', ...booked(company), ...recording],
    );
    expect(recorded.exitCode).toBe(0);
    company.becomes('2026-06-02');
    await writeStatement(company.file('bank/2026-05.xml'), {
      ...{ period: ['2026-05-01', '2026-05-31'], opening: 129_660, entries: [] },
    });
    const may = await close(company, '2026-05');
    expect([may.verdict, may.changes, may.totals['EUR']?.['changed'] ?? 0n]).toEqual([
      'ready',
      [],
      0n,
    ]);
  });

  test('two closes later, when it is restated and paid, it is seen as well', async () => {
    const company = await closedMarch();
    await aprilComes(company);
    await journal(company, '2026-04', '2.journal');
    await company.run('close', '--month', '2026-04', ...booked(company), ...recording);
    company.becomes('2026-06-02');
    company.lists(restated(20_000, 100));
    await writeStatement(company.file('bank/2026-05.xml'), {
      period: ['2026-05-01', '2026-05-31'],
      opening: 129_460,
      entries: [more(200, '2026-05-20')],
    });
    expect(codes(await close(company, '2026-05'))).toContain('not_booked');
    await journal(company, '2026-05', '3.journal');
    expect(textOf(company.file('3.journal'))).not.toMatch(/^2026-0[34]/m);
    expect(held(company, '1.journal', '2.journal', '3.journal')).toEqual({
      'assets:bank EUR': 29_660n,
      'assets:receivable EUR': -30_000n,
      'assets:tax EUR': 90n,
      'expenses:fees EUR': 250n,
    });
    const may = await close(company, '2026-05');
    expect([may.verdict, codes(may)]).toEqual(['ready', []]);
    expect(may.totals['EUR']).toMatchObject({
      ...{ opening: 0n, changed: 200n, received: 200n, over: 0n, closing: 0n },
    });
  });

  test('control: a run that looks back by hand books it right', async () => {
    const company = await raised();
    const run = await company.run(
      ...['journal', '--from', '2026-03-01', '--to', '2026-04-30', '--for', 'hledger', '--bank'],
      ...[...booked(company), '--output', company.file('2.journal')],
    );
    expect(run.exitCode).toBe(0);
    expect(held(company, '1.journal', '2.journal')).toEqual({
      'assets:bank EUR': 29_660n,
      'assets:receivable EUR': -30_000n,
      'assets:tax EUR': 90n,
      'expenses:fees EUR': 250n,
    });
  });
});

describe('a settlement of a closed month with the same pay-in and other figures', () => {
  const changes = {
    'gross and fees': { now: restated(20_100, 400), words: [/gross \+1\.00/, /fees \+1\.00/] },
    'fees and tax': { now: restated(20_000, 290, 70), words: [/fees -0\.10/, /tax \+0\.10/] },
    'the type of a row': { now: restated(20_000, 300, 60, 'refund'), words: [] },
  } as const;

  test.each(Object.entries(changes))('%s: is told by every report', async (_, { now, words }) => {
    const company = await closedMarch();
    company.lists(now);
    await aprilComes(company);
    for (const speaker of allSpeakers) {
      const text = await saidBy(company, speaker);
      expect.soft(text, speaker).not.toMatch(since.nothing);
      expect.soft(text, speaker).toMatch(since.restated);
      for (const word of words) expect.soft(text, speaker).toMatch(word);
    }
  });

  // A night reads the rows of a published day again only if its headers have changed.
  const seenAtNight = Object.entries(changes).filter(([, { words }]) => words.length > 0);

  test.each(seenAtNight)('%s: a night tells it as news', async (_, { now }) => {
    const company = await closedMarch([
      ...['statements = "bank"', 'closes = "closes.csv"', 'books_from = "2026-03-01"'],
      'restated_days = 366',
    ]);
    await aprilComes(company);
    const night = async () => {
      const args = ['--out', company.file('out'), '--since', '2026-03-01', '--format', 'json'];
      const { stdout } = await company.run('nightly', ...args);
      const { news } = JSON.parse(stdout) as { news: readonly { readonly kind: string }[] };
      return news.filter(({ kind }) => kind === 'closed_changed').length;
    };
    expect(await night()).toBe(0);
    company.lists(now);
    expect(await night()).toBe(1);
    expect(await night()).toBe(0);
  });

  test('gross and fees: are booked, and changed is 0.00 with one change', async () => {
    const company = await closedMarch();
    company.lists(restated(20_100, 400));
    await aprilComes(company);
    const before = await close(company, '2026-04');
    expect([before.verdict, codes(before)]).toEqual(['not_ready', ['not_booked']]);
    await journal(company, '2026-04', '2.journal');
    expect(held(company, '1.journal', '2.journal')).toEqual({
      'assets:bank EUR': 29_460n,
      'assets:receivable EUR': -30_100n,
      'assets:tax EUR': 90n,
      'expenses:fees EUR': 550n,
    });
    const then = await close(company, '2026-04');
    expect(then.verdict).toBe('ready');
    expect(then.lines['Web shop EUR']).toMatchObject({ changed: 0n, over: 0n, closing: 0n });
    expect(then.changes).toMatchObject([{ id: march.id, reason: 'restated' }]);
    expect(then.changes[0]?.figures).toMatchObject({
      ...{ difference: 0n, gross: 100n, fees: 100n, tax: 0n, payIn: 0n },
    });
  });

  test('the type of a row: is booked to the accounts of its type', async () => {
    const company = await closedMarch(usual, [
      ...books,
      '[profiles.main.books.type.refund]',
      'receivable = "revenues:refunds"',
    ]);
    company.lists(restated(20_000, 300, 60, 'refund'));
    await aprilComes(company);
    expect(codes(await close(company, '2026-04'))).toContain('not_booked');
    await journal(company, '2026-04', '2.journal');
    expect(held(company, '1.journal', '2.journal')).toEqual({
      'assets:bank EUR': 29_460n,
      'assets:receivable EUR': -10_000n,
      'assets:tax EUR': 90n,
      'expenses:fees EUR': 450n,
      'revenues:refunds EUR': -20_000n,
    });
    const april = await close(company, '2026-04');
    expect([april.verdict, codes(april)]).toEqual(['ready', []]);
    expect(april.changes).toMatchObject([{ id: march.id, reason: 'restated' }]);
  });

  test('control: no report says that anything has changed if nothing has', async () => {
    const company = await closedMarch();
    await aprilComes(company);
    for (const speaker of allSpeakers) {
      const text = await saidBy(company, speaker);
      expect(text, speaker).not.toMatch(/restated|no longer listed/);
      if (speaker === 'settlements') expect(text).toMatch(since.nothing);
    }
  });
});

describe('a paid settlement of a closed month that is no longer listed', () => {
  async function vanished(): Promise<Company> {
    const company = await closedMarch();
    company.forgets(march.id);
    await aprilComes(company);
    return company;
  }

  test('stands in changed, and leaves April not ready while it is booked', async () => {
    const company = await vanished();
    await journal(company, '2026-04', '2.journal');
    const { verdict, totals, changes } = await close(company, '2026-04');
    expect(verdict).toBe('not_ready');
    expect(totals['EUR']).toMatchObject({ changed: -19_640n });
    expect(changes).toMatchObject([{ id: march.id, reason: 'gone' }]);
    expect(changes[0]?.figures).toMatchObject({
      ...{ gross: -20_000n, fees: -300n, tax: -60n, payIn: -19_640n },
    });
  });

  test('is told by every report alike', async () => {
    const company = await vanished();
    for (const speaker of allSpeakers) {
      const text = await saidBy(company, speaker);
      expect.soft(text, speaker).toMatch(since.gone);
      expect.soft(text, speaker).toMatch(/-196\.40/);
    }
  });

  test('is named by the journal of the next month, and reversed only when asked to', async () => {
    const company = await vanished();
    const named = await journal(company, '2026-04', '2.journal');
    expect(named.exitCode).toBe(1);
    expect(said(named)).toMatch(/no longer listed/);
    expect(held(company, '1.journal', '2.journal')['expenses:fees EUR']).toBe(450n);
    const reversed = await journal(company, '2026-04', '3.journal', '--reverse-missing');
    expect(reversed.exitCode).toBe(0);
    const balances = held(company, '1.journal', '2.journal', '3.journal');
    expect(balances).toMatchObject({
      'assets:bank EUR': 29_460n,
      'assets:receivable EUR': -10_000n,
      'assets:tax EUR': 30n,
      'expenses:fees EUR': 150n,
    });
    // Where it stands is open; that it is there is not.
    const [transit = 0n, suspense = 0n] = ['transit', 'suspense'].map(
      (name) => balances[`assets:${name} EUR`],
    );
    expect(transit + suspense).toBe(-19_640n);
    const { checks, totals, blockers } = await close(company, '2026-04');
    expect(checks['EUR']).toMatchObject({ inTransit: transit, suspense });
    expect(totals['EUR']).toMatchObject({ changed: -19_640n, closing: transit });
    expect(blockers.map(({ code }) => code)).not.toContain('not_booked');
  });
});

describe('what worked before stays', () => {
  test('control: a late settlement of a closed month is changed, and missing on the bank', async () => {
    const company = await closedMarch();
    company.lists({
      id: '0c5e17aa-6f1d-4d0b-8f8e-3a42d9c1b7e5',
      day: '2026-03-20',
      rows: [{ a: 5000, f: 95, t: 19 }],
    });
    await aprilComes(company);
    await company.run(
      ...['journal', '--from', '2026-03-01', '--to', '2026-04-30', '--for', 'hledger', '--bank'],
      ...[...booked(company), '--output', company.file('2.journal')],
    );
    const late = await close(company, '2026-04');
    expect(late.totals['EUR']).toMatchObject({ changed: 4886n, closing: 4886n });
    expect(late.changes).toMatchObject([{ reason: 'late', figures: { difference: 4886n } }]);
    expect(codes(late)).toEqual(['missing_on_bank']);
  });

  test('control: an open pay-out of a closed month that is raised', async () => {
    const company = await closedMarch();
    const open = { ...april, id: '9e0b7d12-3c4f-4a85-b6d1-f27c80e5a934', day: '2026-04-28' };
    await aprilComes(company);
    company.lists(open);
    await journal(company, '2026-04', '2.journal');
    const { exitCode } = await company.run(
      ...['close', '--month', '2026-04', ...booked(company), ...recording],
    );
    expect(exitCode).toBe(0);
    company.lists({ ...open, rows: [{ a: 10_300, f: 150, t: 30 }] });
    company.becomes('2026-06-02');
    await writeStatement(company.file('bank/2026-05.xml'), {
      period: ['2026-05-01', '2026-05-31'],
      opening: 129_460,
      entries: [{ day: '2026-05-05', amount: 10_120, id: endToEndIdOf(open) }],
    });
    await company.run(
      ...['journal', '--from', '2026-03-01', '--to', '2026-05-31', '--for', 'hledger', '--bank'],
      ...[...booked(company), '--output', company.file('3.journal')],
    );
    const may = await close(company, '2026-05');
    expect(may.totals['EUR']).toMatchObject({
      ...{ opening: 9820n, changed: 300n, received: 10_120n, closing: 0n },
    });
    expect(may.verdict).toBe('ready');
  });

  const paidOtherwise = {
    'restated downwards': { now: restated(20_000, 500), changed: -200n },
    'restated upwards and not yet paid': { now: restated(20_000, 100), changed: 200n },
  } as const;
  test.each(Object.entries(paidOtherwise))(
    '%s: is blocked by its difference',
    async (_, { now }) => {
      const company = await closedMarch();
      company.lists(now);
      await aprilComes(company);
      expect(codes(await close(company, '2026-04'))).toContain('difference');
    },
  );

  test.each(Object.entries(paidOtherwise))('%s: stands in changed', async (_, { now, changed }) => {
    const company = await closedMarch();
    company.lists(now);
    await aprilComes(company);
    await journal(company, '2026-04', '2.journal');
    const { totals, checks } = await close(company, '2026-04');
    expect(totals['EUR']).toMatchObject({ changed });
    const balances = held(company, '1.journal', '2.journal');
    const { payIn } = sumsOf(now);
    const [transit = 0n, suspense = 0n] = ['transit', 'suspense'].map(
      (name) => balances[`assets:${name} EUR`],
    );
    expect(transit + suspense).toBe(BigInt(payIn - 19_640));
    expect(checks['EUR']).toMatchObject({ inTransit: transit, suspense });
  });
});

describe('several shops, and a settlement of the second one restated (W1 e)', () => {
  const second = {
    id: '1f2e3d4c-5b6a-4798-8897-a6b5c4d3e2f1',
    day: '2026-03-17',
    rows: [
      { a: 40_000, f: 1356, t: 271 },
      { a: -3000, f: 0, t: 0, type: 'refund' },
    ],
    token: stores,
  };
  const lower = {
    ...second,
    rows: [{ ...second.rows[0], f: 1156 }, second.rows[1]] as typeof second.rows,
  };
  const later = {
    ...april,
    id: 'ab12cd34-ef56-4a78-9b90-c1d2e3f4a5b6',
    token: stores,
    day: '2026-04-15',
  };

  test('fees of the books are those of the rows, suspense is 0.00, the change ties the month', async () => {
    const company = await openCompany();
    company.becomes('2026-04-02');
    company.lists(march, second);
    await writeStatement(company.file('bank/2026-03.xml'), {
      period: ['2026-03-01', '2026-03-31'],
      opening: 0,
      entries: [
        { day: '2026-03-12', amount: 19_640, id: endToEndIdOf(march) },
        { day: '2026-03-19', amount: sumsOf(second).payIn, id: endToEndIdOf(second) },
      ],
    });
    await journal(company, '2026-03', '1.journal', '--new-register');
    await company.run(
      ...['close', '--month', '2026-03', ...booked(company), ...recording, '--new-register'],
    );
    company.becomes('2026-05-04');
    company.lists(lower, april, later);
    await writeStatement(company.file('bank/2026-04.xml'), {
      period: ['2026-04-01', '2026-04-30'],
      opening: 19_640 + sumsOf(second).payIn,
      entries: [
        { day: '2026-04-09', amount: 9820, id: endToEndIdOf(april) },
        { day: '2026-04-14', amount: 200, id: endToEndIdOf(second) },
        { day: '2026-04-17', amount: 9820, id: endToEndIdOf(later) },
      ],
    });
    expect(codes(await close(company, '2026-04'))).toContain('not_booked');
    await journal(company, '2026-04', '2.journal');
    const then = await close(company, '2026-04');
    expect(then.verdict).toBe('ready');
    const balances = held(company, '1.journal', '2.journal');
    const rows = company.listed().flatMap((one) => one.rows);
    const fees = BigInt(rows.reduce((all, { f }) => all + f, 0));
    expect(balances['expenses:fees EUR']).toBe(fees);
    expect(balances['assets:suspense EUR']).toBeUndefined();
    expect(then.checks['EUR']).toMatchObject({ suspense: 0n, inTransit: 0n });
    // What April's postings come to is what April's settlements come to, and what has changed.
    const posted = held(company, '2.journal')['expenses:fees EUR'];
    const changed = then.changes.reduce((all, { figures }) => all + (figures['fees'] ?? 0n), 0n);
    expect(posted).toBe((then.totals['EUR']?.['fees'] ?? 0n) + changed);
    expect(then.lines[`${stores.name} EUR`]).toMatchObject({
      changed: 200n,
      over: 0n,
      closing: 0n,
    });
    expect(then.lines[`${web.name} EUR`]).toMatchObject({ changed: 0n, over: 0n, closing: 0n });
  });
});

describe('a second close that is given only its own statements', () => {
  test('knows from the register what was received before', async () => {
    const company = await closedMarch();
    await aprilComes(company);
    await company.sets(['closes = "closes.csv"', 'books_from = "2026-03-01"']);
    const statement = company.file('april.xml');
    copyFileSync(company.file('bank/2026-04.xml'), statement);
    const run = await company.run(
      ...['journal', '--month', '2026-04', '--for', 'hledger', '--bank', statement],
      ...[...booked(company), '--output', company.file('2.journal')],
    );
    expect(run.exitCode).toBe(0);
    const closed = await close(company, '2026-04', statement);
    expect(codes(closed)).toEqual([]);
    expect(closed.verdict).toBe('ready');
    expect(closed.totals['EUR']).toMatchObject({ changed: 0n, received: 9820n, closing: 0n });
    expect(closed.checks['EUR']).toMatchObject({ inTransit: 0n, suspense: 0n });
  });

  test('also if the settlement that was received before is restated and paid', async () => {
    const company = await raised();
    await company.sets(['closes = "closes.csv"', 'books_from = "2026-03-01"']);
    const statement = company.file('april.xml');
    copyFileSync(company.file('bank/2026-04.xml'), statement);
    await company.run(
      ...['journal', '--month', '2026-04', '--for', 'hledger', '--bank', statement],
      ...[...booked(company), '--output', company.file('2.journal')],
    );
    expect(held(company, '1.journal', '2.journal')).toEqual({
      'assets:bank EUR': 29_660n,
      'assets:receivable EUR': -30_000n,
      'assets:tax EUR': 90n,
      'expenses:fees EUR': 250n,
    });
    const closed = await close(company, '2026-04', statement);
    expect([closed.verdict, codes(closed)]).toEqual(['ready', []]);
    expect(closed.totals['EUR']).toMatchObject({ changed: 200n, over: 0n, closing: 0n });
  });
});
