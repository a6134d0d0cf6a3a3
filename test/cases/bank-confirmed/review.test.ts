import { readFileSync, rmSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { describe, expect, onTestFinished, test } from 'vitest';
import { FakeClock } from '../../support/fake-clock.ts';
import { runRecon } from '../../support/run-recon.ts';
import { abroad, type Company, stores } from '../closed-stays-true/company.ts';
import { euros, listed, open, write, yens } from './csv-bank.ts';

const one = listed('a', '2026-03-10', 100_00);
const two = listed('b', '2026-03-12', 250_00, { token: stores });
const yen = listed('c', '2026-03-12', 30_000, { currency: 'JPY', token: abroad });
const late = listed('d', '2026-03-05', 70_00, { isPending: true });
const short = listed('e', '2026-03-16', 80_00);

/** A month in which the bank drops the ids, and books fees. */
async function desk() {
  const company = await open();
  company.lists(one, two, yen, late, short);
  write(
    company,
    'euro-03.csv',
    euros,
    ['01.03.2026', '0,01', '0,01', 'interest'],
    ['11.03.2026', '100,00', '100,01', 'PAYMENTS'],
    ['13.03.2026', '250,00', '350,01', 'PAYMENTS'],
    ['15.03.2026', '-3,90', '346,11', 'account fee 01'],
    ['17.03.2026', '79,00', '425,11', 'SETTLEMENT E2E-e'],
    ['30.03.2026', '-3,90', '421,21', 'account fee 02'],
    ['31.03.2026', '-3,90', '417,31', 'account fee 03'],
  );
  write(
    company,
    'yen-03.csv',
    yens,
    ['01.03.2026', '1', '1', 'interest'],
    ['13.03.2026', '30000', '30001', 'PAYMENTS'],
    ['31.03.2026', '-1', '30000', 'account fee'],
  );
  const list = company.file('decisions.csv');
  const review = (...answers: readonly string[]) =>
    runRecon(
      [
        'review',
        '--month',
        '2026-03',
        '--decisions',
        list,
        '--config',
        company.file('config.toml'),
      ],
      { clock: new FakeClock(Date.parse('2026-04-02T12:00:00Z')), answers, env: { CI: '1' } },
    );
  return { company, list, review };
}

type Line = Readonly<Record<string, string>>;

const linesOf = (path: string): readonly Line[] =>
  parse(readFileSync(path, 'utf8'), { bom: true, columns: true });

const registerOf = (company: Company) => linesOf(company.file('accepted.csv'));

/** What a terminal shows, without its lines being broken. */
const said = (text: string) => text.replaceAll(/\s+/g, ' ');

describe('what is alike', () => {
  test('is confirmed at once after a list with sums by account and currency, and applied when told', async () => {
    const { company, list, review } = await desk();
    const { stderr, exitCode } = await review('y', 'Ada\r', 'q', 'y');
    expect(exitCode).toBe(0);
    const text = said(stderr);
    expect(text).toContain(
      '3 pay-outs: for each, one entry agrees in amount and date, but does not name its ids.',
    );
    for (const part of [
      'Web shop, EUR: 1 pay-out, 100.00 EUR',
      'Stores, EUR: 1 pay-out, 250.00 EUR',
      'Abroad, JPY: 1 pay-out, 30,000 JPY',
      'aaaaaaaa of 2026-03-10, 100.00 EUR: 2026-03-11, 100.00 EUR, "PAYMENTS"',
      'euro-03.csv:3',
    ]) {
      expect(text).toContain(part);
    }
    expect(text).toContain('Confirmed: 350.00 EUR; 30,000 JPY.');
    const kept = registerOf(company);
    expect(
      kept
        .map((line) => [line['bank_decision'], line['settlement_id'], line['accepted_by']])
        .sort(),
    ).toEqual([one, two, yen].map(({ id }) => ['confirmed', id, 'Ada']));
    // The list alone comes to the same.
    const other = company.file('other.csv');
    const { exitCode: accepted } = await company.run('accept', '--from', list, '--accepted', other);
    expect(accepted).toBe(0);
    expect(linesOf(other)).toEqual(kept);
  });

  test('is asked one by one if a person wants that, and nothing counts before it is applied', async () => {
    const { company, list, review } = await desk();
    const { exitCode } = await review('n', 'c', '\r', 'Ada\r', 'o', 'q', 'n');
    expect(exitCode).toBe(0);
    expect(linesOf(list).filter(({ decision }) => decision !== '')).toHaveLength(1);
    expect(() => registerOf(company)).toThrow('ENOENT');
  });

  test('gets the same answer by one key, and what is not like it is still asked', async () => {
    const { company, review } = await desk();
    // Of the others, the pay-out with another amount comes first; then the fees.
    const { stderr, exitCode } = await review(
      ...['y', 'Ada\r', 'n', 'a', 'fee of the bank\r', 'm', 'q', 'y'],
    );
    expect(exitCode).toBe(0);
    expect(said(stderr)).toContain(
      '2 points are like this one: DE79123456780000143027, EUR: 2 points, -7.80 EUR',
    );
    const fees = registerOf(company).filter((line) => line['bank_entry_id'] !== '');
    expect(fees).toHaveLength(3);
    expect(
      new Set(fees.map((line) => `${line['accepted_reason']} ${line['accepted_by']}`)),
    ).toEqual(new Set(['fee of the bank Ada']));
  });
});

describe('a point', () => {
  test('of a pay-out names the day by which it is due, its ids and the entry, and what its keys do', async () => {
    const { review } = await desk();
    const { stderr } = await review('y', 'Ada\r', 'q', 'n');
    const text = said(stderr);
    for (const part of [
      'Pay-out, suggested: -80.00 EUR settlement eeeeeeee-1a2b-4c3d-8e4f-5a6b7c8d9e0f of 2026-03-16',
      'due by 2026-03-23, end-to-end id "E2E-e"',
      'suggested: "E2E-e" stands in the text; too short to count alone; 2026-03-17, 79.00 EUR',
      'expected 80.00 EUR, suggested 79.00 EUR: -1.00 EUR',
      'confirm: this entry is its money',
      'write to the provider: payout-eeeeeeee.md',
    ]) {
      expect(text).toContain(part);
    }
    // Nothing that accept would refuse.
    expect(text).not.toContain('accept the difference');
    expect(text).not.toContain('write off');
  });

  test('of an overdue settlement can only be asked about, and the text says what and why', async () => {
    const path = 'payout-dddddddd.md';
    onTestFinished(() => rmSync(path, { force: true }));
    const { review } = await desk();
    const { stderr } = await review('y', 'Ada\r', ...'nnnnnnn', 'p', 'n', 'n');
    const text = said(stderr);
    expect(text).toContain(
      'Overdue, pending at the service: -70.00 EUR settlement dddddddd-1a2b-4c3d-8e4f-5a6b7c8d9e0f of 2026-03-05, Web shop',
    );
    const asked = readFileSync(path, 'utf8');
    expect(asked).toContain('Settlement of 2026-03-05: pending for too long');
    expect(asked).toContain('Net pay-out 70.00 EUR, not paid yet.');
    expect(asked).toContain('dddddddd-1a2b-4c3d-8e4f-5a6b7c8d9e0f');
    expect(asked).toContain('Please tell us why, and when it will be settled and paid.');
  });
});

test('what is not decided here is named first, with what to do about it', async () => {
  const { company, review } = await desk();
  rmSync(company.file('bank/yen-03.csv'));
  const { stderr } = await review('n', 'q');
  expect(said(stderr)).toContain(
    'Not decided here: 1 pay-out falls on days without a statement. Add the statements of these days and accounts.',
  );
});
