import { readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import {
  abroad,
  type Company,
  type Listed,
  stores,
  textOf,
  writeStatement,
} from '../closed-stays-true/company.ts';
import { held } from '../closed-stays-true/two-months.ts';
import {
  booked,
  close,
  codes,
  forcing,
  journal,
  newRegister,
  recording,
  said,
} from '../closed-stays-true/words.ts';
import { euros, type Line, listed, open, write, yens } from './csv-bank.ts';

const one = listed('a', '2026-03-10', 100_00);
const two = listed('b', '2026-03-12', 250_00, { token: stores });
const yen = listed('c', '2026-03-12', 30_000, { currency: 'JPY', token: abroad });

async function march(...others: readonly Listed[]): Promise<Company> {
  const company = await open();
  company.lists(one, two, yen, ...others);
  write(
    company,
    'euro-03.csv',
    euros,
    ['01.03.2026', '0,01', '0,01', 'interest'],
    ['11.03.2026', '100,00', '100,01', 'SETTLEMENT E2E-a'],
    ['13.03.2026', '250,00', '350,01', 'SETTLEMENT E2E-b'],
    ['31.03.2026', '-3,90', '346,11', 'account fee'],
  );
  write(
    company,
    'yen-03.csv',
    yens,
    ['01.03.2026', '1', '1', 'interest'],
    ['13.03.2026', '30000', '30001', 'PAYMENTS'],
    ['31.03.2026', '-1', '30000', 'account fee'],
  );
  return company;
}

/** The next month, in which no pay-out arrives. */
function aprilComes(company: Company): void {
  company.becomes('2026-05-04');
  write(
    company,
    'euro-04.csv',
    euros,
    ['01.04.2026', '1,00', '347,11', 'x'],
    ['30.04.2026', '-1,00', '346,11', 'y'],
  );
  write(
    company,
    'yen-04.csv',
    yens,
    ['01.04.2026', '1', '30001', 'x'],
    ['30.04.2026', '-1', '30000', 'y'],
  );
}

const bank = (company: Company, ...more: readonly string[]) =>
  company.run('bank', '--month', '2026-03', ...more);

const confirm = (company: Company, { id }: Listed, place: string, ...more: readonly string[]) =>
  company.run('accept', id, '--entry', place, '--by', 'Ada', ...more);

interface Match {
  readonly state: string;
  readonly matchedBy: string | null;
  readonly settlements: readonly { readonly id: string }[];
  readonly confirmed: readonly { readonly by: string; readonly acceptedOn: string }[];
  readonly accepted: { readonly state: string; readonly message: string } | null;
}

async function matches(company: Company): Promise<readonly Match[]> {
  const { stdout } = await bank(company, '--format', 'json');
  return (JSON.parse(stdout) as { readonly matches: readonly Match[] }).matches;
}

const matchOf = async (company: Company, { id }: Listed) =>
  (await matches(company)).find(({ settlements }) => settlements.some((own) => own.id === id));

const register = (company: Company) => textOf(company.file('accepted.csv'));

async function settled(company: Company): Promise<void> {
  for (const [which, place] of [
    [one, 'euro-03.csv:3'],
    [two, 'euro-03.csv:4'],
    [yen, 'yen-03.csv:3'],
  ] as const) {
    const { exitCode, stderr } = await confirm(company, which, place);
    expect([exitCode, stderr], place).toEqual([0, expect.stringContaining('confirmed')]);
  }
}

describe('an entry that a person confirms as the money of a pay-out', () => {
  test('is only suggested before, with the id that is too short, and the command that confirms all', async () => {
    const run = await bank(await march(), '--format', 'table');
    expect(run.exitCode).toBe(1);
    expect(said(run)).toContain('"E2E-a" stands in the text; too short to count alone');
    expect(said(run)).toMatch(
      /all that are alike at once: recon review --from 2026-03-01 --to 2026-03-31 .*--by NAME/,
    );
  });

  test('counts as paid, in both currencies, and is shown with who confirmed it and when', async () => {
    const company = await march();
    await settled(company);
    const run = await bank(company, '--format', 'table');
    expect(run.exitCode).toBe(0);
    expect(said(run)).toContain('3 of 3 pay-outs are on the bank statements');
    expect(said(run)).toMatch(/confirmed with \S*euro-03\.csv:3 on 2026-04-02 by Ada/);
    const sentence = '3 pay-outs were confirmed by Ada on 2026-04-02: 350.00 EUR; 30,000 JPY.';
    expect(said(run)).toContain(sentence);
    expect(said(await company.run('close', '--month', '2026-03', '--format', 'table'))).toContain(
      sentence,
    );
    for (const which of [one, two, yen]) {
      expect(await matchOf(company, which)).toMatchObject({
        ...{ state: 'matched', matchedBy: 'confirmed' },
        confirmed: [{ by: 'Ada', acceptedOn: '2026-04-02' }],
      });
    }
    const settlements = await company.run(
      ...['settlements', '--month', '2026-03', '--bank', '--format', 'csv'],
    );
    const records = parse(settlements.stdout, { columns: true, bom: true }) as Record<
      string,
      string
    >[];
    expect(
      records.map(({ bank_state, bank_by, bank_confirmed_by }) => [
        ...[bank_state, bank_by, bank_confirmed_by],
      ]),
    ).toEqual([1, 2, 3].map(() => ['matched', 'confirmed', 'Ada']));
  });

  test('is booked against in transit, and the month closes', async () => {
    const company = await march();
    await settled(company);
    await journal(company, '2026-03', '1.journal', newRegister);
    expect(held(company, '1.journal')).toMatchObject({
      'assets:bank EUR': 346_11n,
      'assets:suspense EUR': -346_11n + 350_00n,
    });
    const march03 = await close(company, '2026-03');
    expect(codes(march03)).toEqual(['unknown_on_bank']);
    expect(march03.totals).toMatchObject({
      EUR: { received: 350_00n, closing: 0n },
      JPY: { received: 30_000n, closing: 0n },
    });
  });

  test('is one or two of several that are possible, each decided apart', async () => {
    const other = listed('d', '2026-03-10', 100_00, { token: stores });
    const company = await march(other);
    write(
      company,
      'euro-03.csv',
      euros,
      ['11.03.2026', '100,00', '100,00', 'SETTLEMENT'],
      ['11.03.2026', '100,00', '200,00', 'SETTLEMENT AGAIN'],
      ['13.03.2026', '250,00', '450,00', 'SETTLEMENT'],
    );
    expect(await matchOf(company, one)).toMatchObject({ state: 'ambiguous' });
    await confirm(company, one, 'euro-03.csv:3');
    expect(await matchOf(company, one)).toMatchObject({ state: 'matched' });
    expect(await matchOf(company, other)).toMatchObject({ state: 'suggested' });
    await confirm(company, other, 'euro-03.csv:2');
    expect(await matchOf(company, other)).toMatchObject({ state: 'matched' });
    const again = await confirm(company, two, 'euro-03.csv:2');
    expect([again.exitCode, again.stderr]).toEqual([
      2,
      expect.stringContaining(`euro-03.csv:2 is the money of settlement ${other.id}`),
    ]);
  });

  test('may be two entries of one pay-out, or one entry of a batch', async () => {
    const third = listed('e', '2026-03-17', 70_00);
    const fourth = listed('f', '2026-03-17', 30_50, { token: stores });
    const company = await march(third, fourth);
    write(
      company,
      'euro-03.csv',
      euros,
      ['11.03.2026', '60,00', '60,00', 'FIRST'],
      ['12.03.2026', '40,00', '100,00', 'SECOND'],
      ['13.03.2026', '250,00', '350,00', 'SETTLEMENT'],
      ['18.03.2026', '100,50', '450,50', 'BATCH'],
    );
    expect((await confirm(company, third, 'euro-03.csv:5')).exitCode).toBe(0);
    for (const which of [third, fourth]) {
      expect(await matchOf(company, which)).toMatchObject({
        state: 'matched',
        matchedBy: 'confirmed',
      });
    }
    const both = await confirm(company, one, 'euro-03.csv:2', '--entry', 'euro-03.csv:3');
    expect(both.exitCode).toBe(0);
    expect(await matchOf(company, one)).toMatchObject({ state: 'matched', matchedBy: 'confirmed' });
    expect(register(company).trim().split('\n')).toHaveLength(3);
  });

  test('is named by its id where several stand on one line, and found long after its days', async () => {
    const company = await open();
    const late = listed('f', '2026-03-02', 5_00);
    company.lists(one, two, late);
    const file = company.file('bank/03.xml');
    await writeStatement(file, {
      ...{ period: ['2026-03-01', '2026-03-31'], opening: 0 },
      entries: [100_00, 250_00, 5_00].map((amount, at) => ({ day: `2026-03-1${3 + at}`, amount })),
    });
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('\n', ''));
    for (const own of [one, two]) {
      // Of the entries there, the one that is suggested for it.
      expect((await confirm(company, own, '03.xml:1')).exitCode).toBe(0);
    }
    const vague = await confirm(company, late, '03.xml:1');
    expect([vague.exitCode, said(vague)]).toEqual([
      2,
      expect.stringContaining('3 bank entries stand at 03.xml:1'),
    ]);
    const { stdout } = await bank(company, '--format', 'csv');
    const records = parse(stdout, { columns: true, bom: true }) as Record<string, string>[];
    const id = records.find(({ bank_amount }) => bank_amount === '5.00')?.['bank_entry_id'] ?? '';
    expect((await confirm(company, late, id)).exitCode).toBe(0);
    expect((await bank(company)).exitCode).toBe(0);
    const april = await company.run('bank', '--from', '2026-03-12', '--to', '2026-03-31');
    expect(said(april)).toContain('Received for pay-outs of earlier days: 105.00 EUR (2)');
  });

  test('with another amount is a difference, which can be accepted', async () => {
    const company = await march();
    write(company, 'euro-03.csv', euros, ['11.03.2026', '98,50', '98,50', 'LESS A FEE']);
    await confirm(company, one, 'euro-03.csv:2');
    expect(await matchOf(company, one)).toMatchObject({
      state: 'difference',
      matchedBy: 'confirmed',
    });
    const accepted = await company.run(
      ...['accept', one.id, '--bank', '--difference', '-1.50', '--reason', 'fee', '--by', 'Ada'],
    );
    expect(accepted.exitCode).toBe(0);
    expect(await matchOf(company, one)).toMatchObject({
      ...{ accepted: { state: 'accepted' }, confirmed: [{ by: 'Ada' }] },
    });
  });

  test('is refused without a name, at no such place, in another currency, and twice', async () => {
    const company = await march();
    const tries: readonly (readonly [readonly string[], RegExp])[] = [
      [['--entry', 'euro-03.csv:3'], /No --by given/],
      [['--entry', 'euro-03.csv:99', '--by', 'Ada'], /No bank entry was found at/],
      [['--entry', 'yen-03.csv:3', '--by', 'Ada'], /is in JPY/],
      [['--entry', 'euro-03.csv:3', '--written-off', '--by', 'Ada'], /Only one of/],
    ];
    for (const [flags, why] of tries) {
      const { exitCode, stderr } = await company.run('accept', one.id, ...flags);
      expect([exitCode, stderr], flags.join(' ')).toEqual([2, expect.stringMatching(why)]);
    }
    expect(register(company)).toBe('');
    await confirm(company, one, 'euro-03.csv:3');
    const kept = register(company);
    const again = await confirm(company, one, 'euro-03.csv:3');
    expect([again.exitCode, said(again)]).toEqual([0, expect.stringContaining('ALREADY ACCEPTED')]);
    expect((await confirm(company, two, 'euro-03.csv:3')).exitCode).toBe(2);
    expect(register(company)).toBe(kept);
  });
});

describe('a confirmation lapses, and says so', () => {
  const first: Line = ['01.03.2026', '0,01', '0,01', 'interest'];
  const last: Line = ['31.03.2026', '-3,90', '346,11', 'account fee'];
  const cases: readonly (readonly [string, (company: Company) => void, string])[] = [
    [
      'if the entry changes',
      (company) =>
        write(
          company,
          'euro-03.csv',
          euros,
          first,
          ['11.03.2026', '100,00', '100,01', 'RENT'],
          last,
        ),
      'suggested',
    ],
    [
      'if the entry disappears',
      (company) => write(company, 'euro-03.csv', euros, first, last),
      'missing_on_bank',
    ],
    [
      'if the pay-out changes',
      // The entry still shows the id, which is short.
      (company) => company.lists(listed('a', '2026-03-10', 101_00)),
      'suggested',
    ],
  ];
  test.each(cases)('%s', async (_, changes, state) => {
    const company = await march();
    await confirm(company, one, 'euro-03.csv:3');
    changes(company);
    const found = await matchOf(company, one);
    expect(found).toMatchObject({ state, confirmed: [], accepted: { state: 'changed' } });
    const run = await bank(company, '--format', 'table');
    expect(run.exitCode).toBe(1);
    expect(said(run)).toMatch(/confirmed with \S*euro-03\.csv:3 on 2026-04-02, but/);
  });

  test('if the pay-out disappears', async () => {
    const company = await march();
    await confirm(company, one, 'euro-03.csv:3');
    company.forgets(one.id);
    const run = await bank(company, '--format', 'table');
    expect(said(run)).toMatch(/confirmed with .* by Ada, but is gone/);
  });

  test('and not if the file is named otherwise, or lies elsewhere', async () => {
    const company = await march();
    await confirm(company, one, 'euro-03.csv:3');
    const text = readFileSync(company.file('bank/euro-03.csv'), 'utf8');
    write(company, 'euro-03.csv', euros);
    writeFileSync(company.file('bank/other.csv'), text);
    expect(await matchOf(company, one)).toMatchObject({ state: 'matched', matchedBy: 'confirmed' });
  });

  test('if it is removed', async () => {
    const company = await march();
    await confirm(company, one, 'euro-03.csv:3');
    expect((await company.run('accept', one.id, '--remove')).exitCode).toBe(0);
    expect(await matchOf(company, one)).toMatchObject({ state: 'suggested' });
  });
});

describe('a month that is closed', () => {
  test('stays as it is: what is confirmed later is posted on the first day after it', async () => {
    const company = await march();
    await settled(company);
    await company.run('accept', one.id, '--remove');
    await journal(company, '2026-03', '1.journal', newRegister, '--fail-on', 'none');
    const first = held(company, '1.journal');
    const forced = await company.run(
      ...['close', '--month', '2026-03', ...booked(company), ...forcing, newRegister],
    );
    expect([forced.exitCode, forced.stderr]).toEqual([0, expect.any(String)]);
    aprilComes(company);
    expect((await confirm(company, one, 'euro-03.csv:3')).exitCode).toBe(0);
    await journal(company, '2026-04', '2.journal', '--fail-on', 'none');
    expect(textOf(company.file('2.journal'))).not.toMatch(/^2026-03/m);
    const { 'assets:transit EUR': owed, ...others } = first;
    expect(owed).toBe(100_00n);
    expect(held(company, '1.journal', '2.journal')).toEqual({
      ...others,
      'assets:suspense EUR': (first['assets:suspense EUR'] ?? 0n) + 100_00n,
    });
    const april = await close(company, '2026-04');
    expect(april.totals['EUR']).toMatchObject({ opening: 100_00n, closing: 0n });
    expect(codes(april)).toEqual(['unknown_on_bank']);
    const done = await company.run(
      ...['close', '--month', '2026-04', ...booked(company), ...forcing],
    );
    expect([done.exitCode, done.stderr]).toEqual([0, expect.any(String)]);
    company.becomes('2026-06-02');
    const may = await journal(company, '2026-05', '3.journal');
    expect(textOf(company.file('3.journal')), said(may)).not.toMatch(/transit/);
  });

  test('stays so too if a part of the pay-out was known by its id', async () => {
    const company = await open();
    const own = listed('a', '2026-03-10', 100_00, { endToEndId: 'E2E-20260310-0001' });
    company.lists(own);
    write(
      company,
      'euro-03.csv',
      euros,
      ['01.03.2026', '0,00', '0,00', 'begin'],
      ['11.03.2026', '60,00', '60,00', 'PAYMENT E2E-20260310-0001'],
      ['12.03.2026', '40,00', '100,00', 'REST'],
      ['31.03.2026', '0,00', '100,00', 'end'],
    );
    await journal(company, '2026-03', '1.journal', newRegister, '--fail-on', 'none');
    const flags = ['close', '--month', '2026-03', ...booked(company), ...forcing, newRegister];
    expect((await company.run(...flags)).exitCode).toBe(0);
    company.becomes('2026-05-04');
    write(
      company,
      'euro-04.csv',
      euros,
      ['01.04.2026', '0,00', '100,00', 'begin'],
      ['30.04.2026', '0,00', '100,00', 'end'],
    );
    expect((await confirm(company, own, 'euro-03.csv:4')).exitCode).toBe(0);
    expect(await matchOf(company, own)).toMatchObject({ state: 'matched' });
    await journal(company, '2026-04', '2.journal', '--fail-on', 'none');
    expect(textOf(company.file('2.journal'))).toMatch(/Confirmed: pay-out of settlement/);
    const april = await close(company, '2026-04');
    expect(april.totals['EUR']).toMatchObject({ opening: 0n, closing: 0n });
    expect(april.checks['EUR']).toMatchObject({ inTransit: 0n, suspense: 0n });
  });

  test('control: confirmed before the close, it is the same as found by an id', async () => {
    const company = await march();
    await settled(company);
    await journal(company, '2026-03', '1.journal', newRegister, '--fail-on', 'none');
    expect(recording).toHaveLength(3);
    await company.run('close', '--month', '2026-03', ...booked(company), ...forcing, newRegister);
    aprilComes(company);
    await journal(company, '2026-04', '2.journal', '--fail-on', 'none');
    expect(textOf(company.file('2.journal'))).not.toMatch(/transit +[-\d]/);
    const april = await close(company, '2026-04');
    expect(april.totals['EUR']).toMatchObject({ opening: 0n, closing: 0n });
  });
});

describe('the list of decisions', () => {
  async function decided(company: Company, words: Readonly<Record<string, string>>) {
    const file = company.file('decisions.csv');
    await company.run('close', '--month', '2026-03', '--decisions', file);
    const lines = parse(readFileSync(file, 'utf8'), { columns: true, bom: true }) as Record<
      string,
      string
    >[];
    const columns = Object.keys(lines[0] ?? {});
    const filled = lines.map((line) => {
      const decision = words[line['settlement_id'] ?? ''];
      return decision === undefined ? line : { ...line, decision, by: 'Ada' };
    });
    const text = filled.map((line: Record<string, string>) =>
      columns.map((column) => `"${(line[column] ?? '').replaceAll('"', '""')}"`).join(','),
    );
    writeFileSync(file, `${[columns.join(','), ...text].join('\r\n')}\r\n`);
    return { lines, run: await company.run('accept', '--from', file, '--format', 'csv') };
  }

  test('confirms what is suggested, in bulk', async () => {
    const company = await march();
    const words = { [one.id]: 'confirm', [two.id]: 'confirm', [yen.id]: 'Confirmed' };
    const { lines, run } = await decided(company, words);
    expect(lines.find(({ settlement_id }) => settlement_id === one.id)?.['cause']).toMatch(
      /"E2E-a" stands in the text; too short.*euro-03\.csv:3/,
    );
    expect([run.exitCode, run.stderr]).toEqual([0, expect.stringContaining('3 accepted')]);
    expect((await bank(company)).exitCode).toBe(0);
  });

  test('needs the place where several are possible, and takes an entry once', async () => {
    const other = listed('d', '2026-03-10', 100_00, { token: stores });
    const company = await march(other);
    write(
      company,
      'euro-03.csv',
      euros,
      ['11.03.2026', '100,00', '100,00', 'SETTLEMENT'],
      ['11.03.2026', '100,00', '200,00', 'SETTLEMENT AGAIN'],
    );
    const vague = await decided(company, { [one.id]: 'confirm' });
    expect(vague.run.stdout).toMatch(/No single entry is suggested/);
    const place = 'confirm euro-03.csv:2';
    const twice = await decided(company, { [one.id]: place, [other.id]: place });
    expect(twice.run.exitCode).toBe(2);
    expect(twice.run.stdout).toMatch(/already confirmed for settlement/);
    expect(register(company)).toBe('');
    const right = await decided(company, { [one.id]: place, [other.id]: 'confirm euro-03.csv:3' });
    expect(right.run.exitCode).toBe(0);
    expect(await matchOf(company, other)).toMatchObject({ state: 'matched' });
  });
});
