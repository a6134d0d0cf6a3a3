import { readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import {
  books,
  type Company,
  endToEndIdOf,
  type Listed,
  openCompany,
  stores,
  textOf,
  usual,
  web,
  writeStatement,
} from './company.ts';
import { held } from './two-months.ts';
import {
  booked,
  close,
  codes,
  decide,
  forcing,
  journal,
  newRegister,
  recording,
  said,
  writtenOff,
} from './words.ts';

/** A chargeback of 58.00, which the service nets with the pay-out of the next day (U1). */
const n1: Listed = {
  id: '52cedffb-1a2b-4c3d-8e4f-5a6b7c8d9e0f',
  day: '2026-03-10',
  rows: [{ a: -4000, f: 1500, t: 300, type: 'chargeback' }],
};
const n2: Listed = {
  id: '63dfe00c-2b3c-4d4e-9f50-6b7c8d9e0f1a',
  day: '2026-03-11',
  rows: [{ a: 20_500, f: 400, t: 100 }],
};

const accepts = [...usual, 'accepted = "accepted.csv"'];

async function netted(tables: readonly string[] = books): Promise<Company> {
  const company = await openCompany(accepts, tables);
  company.becomes('2026-04-02');
  company.lists(n1, n2);
  await writeStatement(company.file('bank/03.xml'), {
    period: ['2026-03-01', '2026-03-31'],
    opening: 0,
    entries: [{ day: '2026-03-13', amount: 14_200, id: endToEndIdOf(n2) }],
  });
  return company;
}

async function aprilOf(company: Company): Promise<void> {
  company.becomes('2026-05-04');
  await writeStatement(company.file('bank/04.xml'), {
    ...{ period: ['2026-04-01', '2026-04-30'], opening: 14_200, entries: [] },
  });
}

const register = (company: Company) => textOf(company.file('accepted.csv'));
const rowsOf = { 'assets:receivable EUR': -16_500n, 'assets:tax EUR': 400n };

describe('a negative settlement that is netted with the next pay-out', () => {
  test('is suggested to be settled together, by the bank and the close', async () => {
    const company = await netted();
    for (const command of ['bank', 'close']) {
      const run = await company.run(command, '--month', '2026-03', '--format', 'table');
      expect(said(run), command).toMatch(/settled together/i);
      expect(said(run), command).toMatch(/142\.00/);
    }
  });

  test('is not suggested with a settlement of another token', async () => {
    const company = await netted();
    company.lists({ ...n1, token: stores });
    const run = await company.run('bank', '--month', '2026-03', '--format', 'table');
    expect(said(run)).not.toMatch(/settled together/i);
  });

  test.each([
    ['the negative one with the other', n1, n2],
    ['the other one with the negative', n2, n1],
  ])('decided as %s: in transit and suspense are 0.00', async (_, one, other) => {
    const company = await netted();
    const accepted = await company.run('accept', one.id, ...decide.settledWith(other.id));
    expect(accepted.exitCode).toBe(0);
    const bank = await company.run('bank', '--month', '2026-03', '--format', 'table');
    expect(bank.exitCode).toBe(0);
    await journal(company, '2026-03', '1.journal', newRegister);
    expect(held(company, '1.journal')).toEqual({
      ...{ 'assets:bank EUR': 14_200n, ...rowsOf, 'expenses:fees EUR': 1900n },
    });
    const march = await close(company, '2026-03');
    expect([march.verdict, codes(march)]).toEqual(['ready', []]);
    expect(march.totals['EUR']).toMatchObject({ closing: 0n });
    expect(march.checks['EUR']).toMatchObject({ suspense: 0n, inTransit: 0n });
  });

  test('decided after the close: April needs no force, and posts on its first day', async () => {
    const company = await netted();
    await journal(company, '2026-03', '1.journal', newRegister, '--fail-on', 'none');
    const forced = await company.run(
      ...['close', '--month', '2026-03', ...booked(company), ...forcing, newRegister],
    );
    expect(forced.exitCode).toBe(0);
    await aprilOf(company);
    const accepted = await company.run('accept', n1.id, ...decide.settledWith(n2.id));
    expect(accepted.exitCode).toBe(0);
    await journal(company, '2026-04', '2.journal');
    expect(textOf(company.file('2.journal'))).not.toMatch(/^2026-03/m);
    expect(held(company, '1.journal', '2.journal')).toEqual({
      ...{ 'assets:bank EUR': 14_200n, ...rowsOf, 'expenses:fees EUR': 1900n },
    });
    const april = await close(company, '2026-04');
    expect([april.verdict, codes(april)]).toEqual(['ready', []]);
    expect(april.totals['EUR']).toMatchObject({ opening: -5800n, closing: 0n });
  });

  test('is undone by --remove, and then stands against the close again', async () => {
    const company = await netted();
    await company.run('accept', n1.id, ...decide.settledWith(n2.id));
    const removed = await company.run('accept', n1.id, '--remove');
    expect(removed.exitCode).toBe(0);
    const run = await company.run('bank', '--month', '2026-03', '--format', 'table');
    expect(run.exitCode).toBe(1);
  });

  test('the decision no longer holds if one of the two is restated', async () => {
    const company = await netted();
    const accepted = await company.run('accept', n1.id, ...decide.settledWith(n2.id));
    expect(accepted.exitCode).toBe(0);
    company.lists({ ...n1, rows: [{ a: -4100, f: 1500, t: 300, type: 'chargeback' }] });
    const run = await company.run('bank', '--month', '2026-03', '--format', 'table');
    expect(run.exitCode).toBe(1);
  });

  test('is refused without a name, with itself, with another currency or an unknown one', async () => {
    const company = await netted();
    const yen = { ...n2, id: '74e0f11d-3c4d-4e5f-8a61-7c8d9e0f1a2b', currency: 'JPY' };
    company.lists(yen);
    const tries = [
      ['--settled-with', n2.id],
      decide.settledWith(n1.id),
      decide.settledWith(yen.id),
      decide.settledWith('00000000-0000-4000-8000-000000000000'),
    ];
    for (const flags of tries) {
      const { exitCode, stderr } = await company.run('accept', n1.id, ...flags);
      expect(exitCode, flags.join(' ')).not.toBe(0);
      // Refused for what it is, not as a flag that nobody knows.
      expect(stderr, flags.join(' ')).not.toMatch(/unknown option/i);
    }
    expect(register(company)).toBe('');
  });
});

describe('a pay-out that never comes', () => {
  const tables = [...books, writtenOff];

  /** Paid by the service as it says, and never received. */
  async function missing(): Promise<Company> {
    const company = await openCompany(accepts, tables);
    company.becomes('2026-04-02');
    company.lists(n2);
    await writeStatement(company.file('bank/03.xml'), {
      ...{ period: ['2026-03-01', '2026-03-31'], opening: 0, entries: [] },
      entries: [{ day: '2026-03-05', amount: -1000, from: 'DE25876543212718311427' }],
    });
    return company;
  }

  test('is written off to an account of its own, by a person and with a note', async () => {
    const company = await missing();
    const accepted = await company.run('accept', n2.id, ...decide.writtenOff('bankrupt'));
    expect(accepted.exitCode).toBe(0);
    expect(register(company)).toContain('bankrupt');
    await journal(company, '2026-03', '1.journal', newRegister);
    expect(held(company, '1.journal')).toEqual({
      'assets:receivable EUR': -20_500n,
      'assets:tax EUR': 100n,
      'expenses:fees EUR': 400n,
      'expenses:written off EUR': 20_000n,
    });
    const march = await close(company, '2026-03');
    expect([march.verdict, codes(march)]).toEqual(['ready', []]);
    expect(march.totals['EUR']).toMatchObject({ closing: 0n });
    const list = await company.run('accept', '--list', '--format', 'table');
    expect(said(list)).toMatch(/written off/i);
    expect(said(list)).toContain('bankrupt');
  });

  test('is not written off without a name or without a note', async () => {
    const company = await openCompany(accepts);
    company.lists(n2);
    const tries = [
      ['--written-off', '--note', 'bankrupt'],
      ['--written-off', '--by', 'Ada'],
    ];
    for (const flags of tries) {
      const { exitCode, stderr } = await company.run('accept', n2.id, ...flags);
      expect(exitCode, flags.join(' ')).toBe(2);
      expect(stderr, flags.join(' ')).not.toMatch(/unknown option/i);
    }
    expect(register(company)).toBe('');
  });

  test('control: with force only, and again in each month', async () => {
    const company = await openCompany(accepts);
    company.becomes('2026-04-02');
    company.lists(n2);
    await writeStatement(company.file('bank/03.xml'), {
      ...{ period: ['2026-03-01', '2026-03-31'], opening: 0 },
      entries: [{ day: '2026-03-05', amount: -1000, from: 'DE25876543212718311427' }],
    });
    await journal(company, '2026-03', '1.journal', newRegister);
    expect(codes(await close(company, '2026-03'))).toEqual(['missing_on_bank']);
  });
});

describe('the list of decisions', () => {
  interface Line {
    readonly settlement_id: string;
    readonly cause: string;
    readonly decision: string;
  }

  async function listed(company: Company): Promise<readonly Line[]> {
    const file = company.file('decisions.csv');
    await company.run('close', '--month', '2026-03', '--decisions', file);
    return parse(readFileSync(file, 'utf8'), { columns: true, bom: true });
  }

  test('has a line for the missing pay-out, and names the one that it settles with', async () => {
    const lines = await listed(await netted());
    const line = lines.find(({ settlement_id }) => settlement_id === n1.id);
    expect(line?.cause).toContain(n2.id);
  });

  test('decides by its lines', async () => {
    const company = await netted();
    const lines = await listed(company);
    const columns = Object.keys(lines[0] ?? {});
    const filled = lines
      .filter(({ settlement_id }) => settlement_id === n1.id)
      .map((line) => ({
        ...line,
        ...{ decision: `settled with ${n2.id}`, reason: 'netted by the service', by: 'Ada' },
      }));
    expect(filled).toHaveLength(1);
    const text = filled.map((line: Record<string, string>) =>
      columns.map((column) => `"${line[column] ?? ''}"`).join(','),
    );
    writeFileSync(company.file('filled.csv'), `${[columns.join(','), ...text].join('\r\n')}\r\n`);
    const run = await company.run('accept', '--from', company.file('filled.csv'));
    expect(run.exitCode).toBe(0);
    const bank = await company.run('bank', '--month', '2026-03', '--format', 'table');
    expect(bank.exitCode).toBe(0);
  });
});

describe('a batch that is returned in full', () => {
  const reference = 'PMT-2026-03-17-0001';
  const ofWeb: Listed = {
    ...{ id: '85f1a22e-4d5e-4f60-9b72-8d9e0f1a2b3c', day: '2026-03-16', token: web, reference },
    ...{ rows: [{ a: 30_000, f: 450, t: 90 }] },
  };
  const ofStores: Listed = {
    ...{ id: '96a2b33f-5e6f-4071-8c83-9e0f1a2b3c4d', day: '2026-03-16', token: stores, reference },
    ...{ rows: [{ a: 10_000, f: 150, t: 30 }] },
  };
  const unpaid: Listed = {
    ...{ id: 'a7b3c440-6f70-4182-9d94-0f1a2b3c4d5e', day: '2026-03-30', token: web },
    ...{ rows: [{ a: 20_000, f: 300, t: 60 }] },
  };
  const whole = { amount: 39_280, batch: reference };

  /** With its payments listed by the bank, or as one sum. */
  async function returned(isListed: boolean): Promise<Company> {
    const company = await openCompany();
    company.becomes('2026-04-02');
    company.lists(ofWeb, ofStores, unpaid);
    const parts = (sign: number) =>
      isListed
        ? {
            parts: [
              [endToEndIdOf(ofWeb), 29_460 * sign],
              [endToEndIdOf(ofStores), 9820 * sign],
            ] as const,
          }
        : {};
    await writeStatement(company.file('bank/03.xml'), {
      period: ['2026-03-01', '2026-03-31'],
      opening: 100_000,
      entries: [
        { day: '2026-03-18', ...whole, ...parts(1) },
        { day: '2026-03-20', ...whole, amount: -39_280, ...parts(-1) },
      ],
    });
    return company;
  }

  test.each([
    ['as one sum', false],
    ['with its payments', true],
  ])('%s: is divided by its settlements, so each account owes its own', async (_, isListed) => {
    const company = await returned(isListed);
    await journal(company, '2026-03', '1.journal', newRegister, '--fail-on', 'none');
    const { lines, totals, checks } = await close(company, '2026-03');
    expect(totals['EUR']).toMatchObject({ closing: 58_920n, received: 0n });
    expect(lines['Web shop EUR']).toMatchObject({ received: 0n, closing: 49_100n });
    expect(lines['Stores EUR']).toMatchObject({ received: 0n, closing: 9820n });
    expect(Object.keys(lines).sort()).toEqual(['Stores EUR', 'Web shop EUR']);
    expect(checks['EUR']).toMatchObject({ inTransit: 58_920n, suspense: 0n });
  });

  test('as one sum: the bank says of each account what it received', async () => {
    const company = await returned(false);
    const { stdout } = await company.run('bank', '--month', '2026-03', '--format', 'json');
    const { totals } = JSON.parse(stdout) as {
      totals: readonly {
        accountingName: string;
        states: Record<string, { received: { minor: string } | null }>;
      }[];
    };
    const received = Object.fromEntries(
      totals.map(({ accountingName, states }) => [
        accountingName,
        Object.values(states).reduce((all, one) => all + Number(one.received?.minor ?? 0), 0),
      ]),
    );
    expect(received).toEqual({ 'Web shop': 0, Stores: 0 });
  });

  test('control: the total is right', async () => {
    const company = await returned(false);
    await journal(company, '2026-03', '1.journal', newRegister, '--fail-on', 'none');
    expect((await close(company, '2026-03')).totals['EUR']).toMatchObject({ closing: 58_920n });
    expect(recording).toContain('--record');
  });
});
