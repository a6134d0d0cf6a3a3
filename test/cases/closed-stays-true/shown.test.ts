import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { closesInForce } from '../../../src/model/close.ts';
import { addClose, readCloses } from '../../../src/register/closes-register.ts';
import { lock } from '../../app/lock.ts';
import { readWorkbook, recordsOf } from '../../render/xlsx/read-workbook.ts';
import { euros, listed, open, write, yens } from '../bank-confirmed/csv-bank.ts';
import { abroad, type Company, stores, textOf } from './company.ts';
import { booked, forcing, journal, newRegister, said } from './words.ts';

const one = listed('a', '2026-03-10', 100_00);
const two = listed('b', '2026-03-12', 250_00, { token: stores });
const yen = listed('c', '2026-03-12', 30_000, { currency: 'JPY', token: abroad });
const lost = listed('d', '2026-03-17', 75_00);
const next = listed('e', '2026-04-07', 40_00);

const confirm = (company: Company, id: string, place: string) =>
  company.run('accept', id, '--entry', place, '--by', 'Ada');

/** March, in which a person said which entries are the money, and one pay-out has not arrived. */
async function march(): Promise<Company> {
  const company = await open();
  company.lists(one, two, yen, lost);
  write(
    company,
    'euro-03.csv',
    euros,
    ['11.03.2026', '100,00', '100,00', 'SETTLEMENT E2E-a'],
    ['13.03.2026', '250,00', '350,00', 'SETTLEMENT E2E-b'],
    ['31.03.2026', '-3,90', '346,10', 'account fee'],
  );
  write(
    company,
    'yen-03.csv',
    yens,
    ['13.03.2026', '30000', '30000', 'PAYMENTS'],
    ['31.03.2026', '-1', '29999', 'account fee'],
  );
  await confirm(company, one.id, 'euro-03.csv:2');
  await confirm(company, two.id, 'euro-03.csv:3');
  await confirm(company, yen.id, 'yen-03.csv:2');
  await journal(company, '2026-03', '1.journal', newRegister, '--fail-on', 'none');
  return company;
}

async function april(company: Company): Promise<void> {
  company.becomes('2026-05-04');
  company.lists(next);
  write(
    company,
    'euro-04.csv',
    euros,
    ['08.04.2026', '40,00', '386,10', 'SETTLEMENT E2E-e'],
    ['30.04.2026', '-1,00', '385,10', 'account fee'],
  );
  write(company, 'yen-04.csv', yens, ['30.04.2026', '-1', '29998', 'account fee']);
  await confirm(company, next.id, 'euro-04.csv:2');
}

const close = (company: Company, month: string, ...more: readonly string[]) =>
  company.run('close', '--month', month, ...booked(company), ...more);

const record = (company: Company, month: string, ...more: readonly string[]) =>
  close(company, month, ...forcing, ...more);

interface Report {
  readonly closed: readonly { readonly message: string }[];
  readonly notes: readonly string[];
}

const json = ({ stdout }: { readonly stdout: string }) => JSON.parse(stdout) as Report;

describe('a closed month that is shown again', () => {
  test('has all that was recorded: checklist, ladders, points, decisions, bank entries', async () => {
    const company = await march();
    const recorded = json(await record(company, '2026-03', newRegister, '--format', 'json'));
    const again = await close(company, '2026-03', '--format', 'json');
    expect(again.exitCode).toBe(0);
    const { closed, notes, ...shown } = json(again);
    const { closed: none, notes: then, ...first } = recorded;
    expect(none).toEqual([]);
    expect(closed.map(({ message }) => message)).toEqual([
      expect.stringMatching(/since then: nothing has changed in its settlements\.$/),
    ]);
    expect(notes).toEqual(expect.arrayContaining([...then, expect.stringMatching(/^As of today/)]));
    expect(shown).toEqual(first);
    expect(JSON.stringify(shown)).toContain('"missing_on_bank"');
  });

  test('is the same workbook and the same page', async () => {
    const company = await march();
    await record(company, '2026-03', newRegister, '--output', company.file('1.xlsx'));
    await close(company, '2026-03', '--output', company.file('2.xlsx'));
    const [first, again] = await Promise.all(
      ['1.xlsx', '2.xlsx'].map((name) => readWorkbook(readFileSync(company.file(name)))),
    );
    const sheets = (book: typeof first) => [...(book ?? [])].filter(([name]) => name !== 'Summary');
    expect(sheets(again)).toEqual(sheets(first));
    const lead = (book: typeof first) => book?.get('Summary')?.flat() ?? [];
    expect(lead(again)).toEqual(expect.arrayContaining(lead(first)));
    await close(company, '2026-03', '--output', company.file('2.html'));
    const page = textOf(company.file('2.html'));
    for (const part of ['Checklist', 'From the sale to the books, JPY', 'Entries of DE02']) {
      expect(page).toContain(part);
    }
  });

  test('has them after a second month was booked and closed, which is shown again too', async () => {
    const company = await march();
    const first = json(await record(company, '2026-03', newRegister, '--format', 'json'));
    await april(company);
    await journal(company, '2026-04', '2.journal', '--fail-on', 'none');
    const second = json(await record(company, '2026-04', '--format', 'json'));
    for (const [month, then] of [
      ['2026-03', first],
      ['2026-04', second],
    ] as const) {
      const again = await close(company, month, '--format', 'json');
      expect([month, again.exitCode]).toEqual([month, 0]);
      // A journal that would be written now is another batch.
      const lasting = ({ closed, notes, ...report }: Report) =>
        JSON.parse(JSON.stringify(report).replace(/booked-\d+/g, ''));
      expect(lasting(json(again))).toEqual(lasting(then));
    }
  });

  test('keeps its checklist and ladders when the service says something else, and says what', async () => {
    const company = await march();
    const first = json(await record(company, '2026-03', newRegister, '--format', 'json'));
    await april(company);
    company.lists({ ...two, rows: [{ a: 260_00, f: 0, t: 0 }] }, { ...lost, isPending: true });
    const again = await close(company, '2026-03', '--format', 'json');
    expect(again.exitCode).toBe(1);
    const kept = ['checklist', 'ladders', 'lines', 'totals', 'blockers', 'checks', 'pending'];
    const of = (report: object) =>
      Object.fromEntries(Object.entries(report).filter(([name]) => kept.includes(name)));
    expect(of(json(again))).toEqual(of(first));
    expect(json(again)).toMatchObject({
      verdict: 'closed',
      changes: [],
      changedSince: [
        { settlements: [{ id: two.id }], reason: 'restated' },
        { settlements: [{ id: lost.id }], reason: 'gone' },
      ],
    });
  });

  test('has its checklist and ladders without statements too', async () => {
    const company = await march();
    const first = json(await record(company, '2026-03', newRegister, '--format', 'json'));
    await company.sets(['closes = "closes.csv"', 'books_from = "2026-03-01"']);
    const of = ({ ladders, totals, blockers }: Partial<Record<string, unknown>>) => {
      return { ladders, totals, blockers };
    };
    for (const more of [[], booked(company)]) {
      const again = await company.run('close', '--month', '2026-03', ...more, '--format', 'json');
      expect(again.exitCode).toBe(0);
      expect(of({ ...json(again) })).toEqual(of({ ...first }));
    }
  });

  test('of a register that keeps none of it has what is known', async () => {
    const company = await march();
    await record(company, '2026-03', newRegister);
    const path = company.file('closes.csv');
    const [known] = closesInForce((await readCloses(path)) ?? [], 'main');
    if (!known) throw new Error('no close');
    const old = company.file('old.csv');
    await addClose(old, { lock, isNew: true }, () => ({
      ...known,
      ...{ steps: [], rungs: [], decided: [] },
      forced: known.forced.map((point) => ({ ...point, items: [] })),
      digests: [...known.digests, { of: 'accepted', form: 'accepted/1', digest: '0' }],
    }));
    const again = await close(company, '2026-03', '--closes', old, '--format', 'table');
    expect(again.exitCode).toBe(0);
    expect(again.stdout).toMatch(/^CLOSED BY FORCE on 2026-04-02 by Ada/);
    expect(again.stdout).toContain('Changed since the close: accepted.');
  });
});

describe('a decision that a close rests on', () => {
  test('is told by every report when it is deleted by hand, and only then', async () => {
    const company = await march();
    await record(company, '2026-03', newRegister);
    await april(company);
    const reports = [
      ['close', '--month', '2026-03', ...booked(company)],
      ['close', '--month', '2026-04', ...booked(company)],
      ['bank', '--month', '2026-03'],
      ['settlements', '--month', '2026-03'],
    ];
    for (const words of reports) {
      const text = said(await company.run(...words, '--format', 'table'));
      expect(text, words.join(' ')).not.toContain('no longer in the register');
    }
    const file = company.file('accepted.csv');
    const lines = textOf(file).split(/(?<=\n)/);
    writeFileSync(file, lines.filter((line) => !line.includes(two.id)).join(''));
    for (const words of reports) {
      const text = said(await company.run(...words, '--format', 'table'));
      expect(text, words.join(' ')).toContain(
        `since then: 1 decision no longer in the register as recorded (confirmed ${two.id}).`,
      );
    }
    const shown = await close(company, '2026-03');
    expect(shown.exitCode).toBe(1);
  });
});

describe('the paper of a second month', () => {
  test('counts its own confirmations, and lists of earlier days only what moved or is open', async () => {
    const company = await march();
    await record(company, '2026-03', newRegister);
    await april(company);
    const paper = company.file('april.xlsx');
    const run = await close(company, '2026-04', '--output', paper);
    expect(run.stderr).toContain('1 pay-out was confirmed by Ada on 2026-05-04: 40.00 EUR.');
    expect(run.stderr).not.toContain('350.00 EUR');
    const sheets = await readWorkbook(readFileSync(paper));
    const rows = recordsOf(sheets.get('In transit')).slice(0, 2);
    expect(rows.map((row) => [row['Settlement'], row['Opening'], row['Open']])).toEqual([
      [lost.id, 75, 75],
      [next.id, 0, 0],
    ]);
  });
});
