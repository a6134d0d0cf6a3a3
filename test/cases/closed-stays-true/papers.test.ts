import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  type Company,
  endToEndIdOf,
  type Listed,
  money,
  openCompany,
  ownAccount,
  textOf,
  usual,
  writeStatement,
} from './company.ts';
import { april, aprilComes, closedMarch, held, march } from './two-months.ts';
import {
  booked,
  close,
  closeOf,
  codes,
  figuresOf,
  forcing,
  journal,
  newRegister,
  recording,
  said,
} from './words.ts';

/** The first lines that a person sees. */
const head = (text: string) => text.split('\n').slice(0, 12).join(' ').replace(/\s+/g, ' ');

const ofMarch = ['close', '--month', '2026-03'] as const;

describe('a range that is closed', () => {
  test('is shown as closed, by whom and when, and ends with 0 if nothing has changed', async () => {
    const company = await closedMarch();
    const shown = await company.run(...ofMarch, ...booked(company), '--format', 'table');
    expect(shown.exitCode).toBe(0);
    expect(head(shown.stdout)).toMatch(/^CLOSED on 2026-04-02\b.* by Ada/i);
    expect(shown.stdout).not.toMatch(/not ready|ready to close/i);
    const json = await close(company, '2026-03');
    expect([json.verdict, json.exitCode, codes(json)]).toEqual(['closed', 0, []]);
    expect(json.lines['Web shop EUR']).toMatchObject({ gross: 20_000n, fees: 300n, closing: 0n });
  });

  test('needs no statements to be shown', async () => {
    const company = await closedMarch();
    await company.sets(['closes = "closes.csv"', 'books_from = "2026-03-01"']);
    const shown = await company.run(...ofMarch, '--format', 'table');
    expect(shown.exitCode).toBe(0);
    expect(head(shown.stdout)).toMatch(/^CLOSED on 2026-04-02\b/i);
  });

  test('has the figures that were recorded, and what has changed since, and ends with 1', async () => {
    const company = await closedMarch();
    company.lists({ ...march, rows: [{ a: 20_000, f: 100, t: 60 }] });
    await aprilComes(company);
    const shown = await company.run(...ofMarch, ...booked(company), '--format', 'table');
    expect(shown.exitCode).toBe(1);
    expect(head(shown.stdout)).toMatch(/^CLOSED on 2026-04-02\b/i);
    expect(said(shown)).toMatch(/1 settlement changed, \+2\.00 EUR/);
    const json = await close(company, '2026-03');
    expect([json.verdict, json.exitCode]).toEqual(['closed', 1]);
    expect(json.lines['Web shop EUR']).toMatchObject({ fees: 300n, short: 0n, closing: 0n });
  });

  test.each(['html', 'xlsx'])('is printed again as %s', async (suffix) => {
    const company = await closedMarch();
    const page = company.file(`march.${suffix}`);
    const run = await company.run(...ofMarch, ...booked(company), '--output', page);
    expect(run.exitCode).toBe(0);
    expect(existsSync(page)).toBe(true);
    expect(readFileSync(page).length).toBeGreaterThan(1000);
    if (suffix === 'xlsx') return;
    const text = textOf(page);
    expect(text).toMatch(/closed on 2026-04-02/i);
    expect(text).not.toMatch(/not ready|closed already/i);
  });

  test('cannot be recorded again', async () => {
    const company = await closedMarch();
    const register = textOf(company.file('closes.csv'));
    const run = await company.run(...ofMarch, ...booked(company), ...forcing);
    expect(run.exitCode).not.toBe(0);
    expect(textOf(company.file('closes.csv'))).toBe(register);
  });

  test('control: days beyond a closed range are no close of it', async () => {
    const company = await closedMarch();
    await aprilComes(company);
    const run = closeOf(
      await company.run('close', '--from', '2026-03-15', '--to', '2026-04-30', '--format', 'json'),
    );
    expect(codes(run)).toContain('already_closed');
  });
});

describe('recon close --list', () => {
  async function twice(): Promise<Company> {
    const company = await closedMarch();
    await aprilComes(company);
    await journal(company, '2026-04', '2.journal');
    const recorded = await company.run(
      ...['close', '--month', '2026-04', ...booked(company), ...recording],
    );
    expect(recorded.exitCode).toBe(0);
    return company;
  }

  test('shows every recorded close, in their order, without statements', async () => {
    const company = await twice();
    await company.sets(['closes = "closes.csv"']);
    const run = await company.run('close', '--list', '--format', 'table');
    expect(run.exitCode).toBe(0);
    for (const word of ['2026-03-31', '2026-04-30', 'Ada', '2026-04-02', '2026-05-04']) {
      expect(run.stdout).toContain(word);
    }
    expect(run.stdout.indexOf('2026-03-31')).toBeLessThan(run.stdout.indexOf('2026-04-30'));
  });

  test('leaves nothing in transit in a journal of its days that has nothing new to book', async () => {
    const company = await twice();
    const run = await journal(company, '2026-04', '3.journal');
    expect(run.stderr).toContain('Nothing new to book.');
    expect(run.stderr).toMatch(/In transit at the end of 2026-04-30: 0\.00 EUR/);
  });

  test('leaves nothing in transit in such a journal if a pay-out arrived in halves, and only the second is read', async () => {
    const company = await openCompany();
    company.becomes('2026-04-01');
    const late = { ...march, day: '2026-03-31' };
    company.lists(late);
    const half = { amount: 9820, id: endToEndIdOf(late) };
    await writeStatement(company.file('bank/2026-03.xml'), {
      period: ['2026-03-01', '2026-03-31'],
      opening: 100_000,
      entries: [{ day: '2026-03-31', ...half }],
    });
    await journal(company, '2026-03', '1.journal', newRegister, '--fail-on', 'none');
    const first = await company.run(...ofMarch, ...booked(company), ...forcing, newRegister);
    expect(first.exitCode).toBe(0);
    company.becomes('2026-05-04');
    company.lists(april);
    await writeStatement(company.file('bank/2026-04.xml'), {
      period: ['2026-04-01', '2026-04-30'],
      opening: 109_820,
      entries: [
        { day: '2026-04-02', ...half },
        { day: '2026-04-09', amount: 9820, id: endToEndIdOf(april) },
      ],
    });
    await journal(company, '2026-04', '2.journal');
    const second = await company.run(
      ...['close', '--month', '2026-04', ...booked(company), ...recording],
    );
    expect(second.exitCode).toBe(0);
    const own = ['--bank', company.file('bank/2026-04.xml')];
    const run = await company.run(
      ...['journal', '--month', '2026-04', '--for', 'hledger', ...own, ...booked(company)],
      ...['--output', company.file('3.journal')],
    );
    expect(run.stderr).toContain('Nothing new to book.');
    expect(run.stderr).toMatch(/In transit at the end of 2026-04-30: 0\.00 EUR/);
  });

  test('shows one that was reopened as such', async () => {
    const company = await twice();
    const reopened = await company.run(
      ...['close', '--reopen', '--by', 'Bob', '--note', 'an entry was missed'],
    );
    expect(reopened.exitCode).toBe(0);
    const run = await company.run('close', '--list', '--format', 'table');
    expect(run.exitCode).toBe(0);
    expect(run.stdout).toMatch(/reopened/i);
    expect(run.stdout).toContain('Bob');
  });

  test('has the same as JSON', async () => {
    const company = await twice();
    const run = await company.run('close', '--list', '--format', 'json');
    expect(run.exitCode).toBe(0);
    const { closes } = JSON.parse(run.stdout) as { closes: readonly object[] };
    expect(closes).toMatchObject([
      { number: 1, from: '2026-03-01', to: '2026-03-31', by: 'Ada', forced: false },
      { number: 2, from: '2026-04-01', to: '2026-04-30', by: 'Ada', forced: false },
    ]);
  });
});

describe('a close by force', () => {
  /** March with a pay-out that is missing. */
  async function missing(): Promise<Company> {
    const company = await openCompany();
    company.becomes('2026-04-02');
    company.lists(march, { ...march, id: '5a5b5c5d-6e6f-4a4b-8c8d-9e9f0a0b0c0d' });
    await writeStatement(company.file('bank/03.xml'), {
      period: ['2026-03-01', '2026-03-31'],
      opening: 0,
      entries: [{ day: '2026-03-12', amount: 19_640, id: endToEndIdOf(march) }],
    });
    await journal(company, '2026-03', '1.journal', newRegister, '--fail-on', 'none');
    return company;
  }

  const proof = [
    /forced/i,
    /not on the statements/i,
    /196\.40/,
    /Ada/,
    /known to the judge/,
    /closes\.csv/,
  ];

  test('says so first: over which points and sums, by whom, with which note, in which file', async () => {
    const company = await missing();
    const run = await company.run(
      ...[...ofMarch, ...booked(company), ...forcing, newRegister, '--format', 'table'],
    );
    expect(run.exitCode).toBe(0);
    for (const word of proof) expect(head(run.stdout)).toMatch(word);
  });

  test('says so whenever it is shown', async () => {
    const company = await missing();
    await company.run(...ofMarch, ...booked(company), ...forcing, newRegister);
    const shown = await company.run(...ofMarch, ...booked(company), '--format', 'table');
    expect(shown.exitCode).toBe(0);
    for (const word of proof.slice(0, 5)) expect(head(shown.stdout)).toMatch(word);
    const list = await company.run('close', '--list', '--format', 'table');
    expect(said(list)).toMatch(/forced/i);
    expect(said(list)).toMatch(/known to the judge/);
  });
});

describe('recon bank of a month', () => {
  const earlier: readonly Listed[] = [
    { ...march, id: '11111111-aaaa-4bbb-8ccc-000000000001', day: '2026-03-30' },
    { ...march, id: '11111111-aaaa-4bbb-8ccc-000000000002', day: '2026-03-31' },
  ];

  interface Movement {
    readonly account: string;
    readonly currency: string;
  }

  /** Two pay-outs of March arrive in April, and so does one of April; someone else is paid too. */
  async function april1(isApril: boolean): Promise<Company> {
    const company = await openCompany();
    company.becomes('2026-05-04');
    company.lists(...earlier);
    if (isApril) company.lists(april);
    const receipts = earlier.map((one, index) => ({
      ...{ day: `2026-04-0${index + 1}`, amount: 19_640, id: endToEndIdOf(one) },
    }));
    const others = isApril
      ? [
          { day: '2026-04-09', amount: 9820, id: endToEndIdOf(april) },
          { day: '2026-04-15', amount: 1240 },
          { day: '2026-04-20', amount: -50_000, from: 'DE25876543212718311427' },
        ]
      : [];
    await writeStatement(company.file('bank/04.xml'), {
      ...{ period: ['2026-04-01', '2026-04-30'], opening: 100_000 },
      entries: [...receipts, ...others],
    });
    return company;
  }

  const bank = (company: Company, format: string) =>
    company.run('bank', '--month', '2026-04', '--format', format);

  test('ties to its statement: what was received for earlier months is a line', async () => {
    const company = await april1(true);
    const run = await company.run('bank', '--month', '2026-04', '--format', 'table');
    expect(said(run)).toMatch(/received for pay-outs of earlier months: 392\.80 EUR \(2\)/i);
  });

  test('says it of a month without any pay-out of its own', async () => {
    const run = await bank(await april1(false), 'table');
    expect(run.exitCode).toBe(0);
    expect(said(run)).not.toMatch(/nothing found/i);
    expect(said(run)).toMatch(/received for pay-outs of earlier months: 392\.80 EUR \(2\)/i);
  });

  test('movement = this month + earlier ones + unknown + unrelated', async () => {
    const { stdout } = await bank(await april1(true), 'json');
    const { movements } = JSON.parse(stdout) as { movements: readonly Movement[] };
    expect(movements).toMatchObject([{ account: ownAccount, currency: 'EUR' }]);
    expect(movements.map(figuresOf)).toMatchObject([
      {
        movement: 340n,
        received: 9820n,
        earlier: 39_280n,
        unknown: 1240n,
        unrelated: -50_000n,
      },
    ]);
  });

  test('fits a screen of 80 columns', async () => {
    const company = await april1(true);
    const { stdout } = await company.shows('bank', '--month', '2026-04', '--color', 'never');
    const lines = stdout.split('\n');
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(stdout).toMatch(/received for pay-outs/i);
    for (const minor of [340, 9820, 39_280, 1240, -50_000]) expect(stdout).toContain(money(minor));
  });

  test('has no such line if there is nothing of earlier months', async () => {
    const company = await closedMarch();
    const run = await company.run('bank', '--month', '2026-03', '--format', 'table');
    expect(said(run)).not.toMatch(/earlier months/i);
  });
});

describe('the register of bookings as a setting', () => {
  const withBooked = [...usual, 'booked = "booked.csv"'];

  test('is used by journal and close without a flag', async () => {
    const company = await closedMarch();
    await company.sets(withBooked);
    await aprilComes(company);
    company.lists({ ...march, rows: [{ a: 20_100, f: 400, t: 60 }] });
    const month = ['--month', '2026-04'];
    const before = closeOf(await company.run('close', ...month, '--format', 'json'));
    expect(codes(before)).toContain('not_booked');
    const run = await company.run(
      ...['journal', ...month, '--for', 'hledger', '--bank'],
      ...['--output', company.file('2.journal')],
    );
    expect(run.exitCode).toBe(0);
    expect(said(run)).toMatch(/Batch 2/);
    expect(held(company, '1.journal', '2.journal')).toMatchObject({
      'assets:receivable EUR': -30_100n,
      'expenses:fees EUR': 550n,
    });
    const then = closeOf(await company.run('close', ...month, '--format', 'json'));
    expect([then.verdict, codes(then)]).toEqual(['ready', []]);
  });

  test('is shown by recon config show, and --booked wins', async () => {
    const company = await closedMarch();
    await company.sets([...usual, 'booked = "other.csv"']);
    const shown = await company.run('config', 'show');
    expect(shown.stdout).toMatch(/booked/);
    await aprilComes(company);
    const run = await journal(company, '2026-04', '2.journal');
    expect(said(run)).toMatch(/Batch 2/);
    expect(existsSync(company.file('other.csv'))).toBe(false);
  });

  test('a journal without it asks, where a register lies at hand, instead of booking all again', async () => {
    const company = await openCompany(['books_from = "2026-03-01"']);
    company.lists(march);
    const month = ['journal', '--month', '2026-03', '--for', 'hledger'];
    await company.run(
      ...[...month, ...booked(company), newRegister, '--output', company.file('1.journal')],
    );
    const run = await company.run(...month, '--output', company.file('all.journal'));
    expect(run.exitCode).toBe(2);
    expect(existsSync(company.file('all.journal'))).toBe(false);
    expect(run.stderr).toContain('booked.csv');
    expect(run.stderr).toContain('--booked');
  });

  test('control: a journal where no register lies has everything', async () => {
    const company = await openCompany();
    company.lists(march);
    const run = await company.run(
      ...[
        'journal',
        '--month',
        '2026-03',
        '--for',
        'hledger',
        '--output',
        company.file('1.journal'),
      ],
    );
    expect(run.exitCode).toBe(0);
    expect(held(company, '1.journal')['expenses:fees EUR']).toBe(300n);
  });
});
