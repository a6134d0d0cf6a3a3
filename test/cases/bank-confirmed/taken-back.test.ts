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
const back = listed('f', '2026-03-24', 279_38);

/** A bank that drops the ids, and took one pay-out back; the service paid it again. */
async function desk(text = 'STORNO BONIFICO') {
  const company = await open();
  company.becomes('2026-04-08');
  company.lists(one, two, yen, back);
  write(
    company,
    'euro-03.csv',
    euros,
    ['01.03.2026', '0,01', '0,01', 'interest'],
    ['11.03.2026', '100,00', '100,01', 'PAYMENTS'],
    ['13.03.2026', '250,00', '350,01', 'PAYMENTS'],
    ['27.03.2026', '279,38', '629,39', 'PAYMENTS'],
    ['31.03.2026', '-279,38', '350,01', text],
    ['02.04.2026', '279,38', '629,39', 'PAYMENTS'],
    ['07.04.2026', '-1,00', '628,39', 'account fee'],
  );
  // The figure of a pay-out in euros, on the account in yens: it takes nothing back.
  write(
    company,
    'yen-03.csv',
    yens,
    ['01.03.2026', '1', '1', 'interest'],
    ['13.03.2026', '30000', '30001', 'PAYMENTS'],
    ['31.03.2026', '-250', '29751', 'account fee'],
    ['07.04.2026', '-1', '29750', 'account fee'],
  );
  const review = (...answers: readonly string[]) =>
    runRecon(
      [
        ...['review', '--month', '2026-03', '--decisions', company.file('decisions.csv')],
        ...['--config', company.file('config.toml')],
      ],
      { clock: new FakeClock(Date.parse('2026-04-08T12:00:00Z')), answers, env: { CI: '1' } },
    );
  return { company, review };
}

/** What a terminal shows, without its lines being broken and without folders. */
const said = (text: string) => text.replaceAll(/\s+/g, ' ').replaceAll(/[^\s("]*\/bank\//g, '');

const registerOf = (company: Company): readonly Readonly<Record<string, string>>[] =>
  parse(readFileSync(company.file('accepted.csv'), 'utf8'), { bom: true, columns: true });

const facts =
  'may have been taken back: 2026-03-31, -279.38 EUR, "STORNO BONIFICO" (euro-03.csv:6); came again: 2026-04-02, 279.38 EUR, "PAYMENTS" (euro-03.csv:7)';

describe('a suggested entry that the bank took back', () => {
  test('is not among those that are confirmed at once, and is confirmed with the entries after it', async () => {
    const { company, review } = await desk();
    const { stderr, exitCode } = await review('y', 'Ada\r', 'c', '\r', '\r', 'q', 'y');
    const text = said(stderr);
    expect(exitCode).toBe(0);
    expect(text).toContain('3 pay-outs: for each, one entry agrees');
    expect(text).not.toContain('ffffffff of 2026-03-24, 279.38 EUR:');
    expect(text).toContain(facts);
    const named = ['euro-03.csv:5', 'euro-03.csv:6', 'euro-03.csv:7'];
    const entries = named.map((one) => `--entry ${one}`).join(' ');
    expect(text).toContain(`If all of them are of this pay-out: recon accept ${back.id} --config`);
    expect(text).toContain(`--bank ${entries} --by NAME`);
    expect(registerOf(company)).toHaveLength(4);
    const { stdout } = await company.run('bank', '--month', '2026-03', '--format', 'csv');
    const rows = parse<Record<string, string>>(stdout, { bom: true, columns: true });
    const own = rows.filter((row) => row['settlement_id'] === back.id);
    expect(new Set(own.map((row) => row['state']))).toEqual(new Set(['matched']));
    expect(own).toHaveLength(3);
  });

  test('is said to be taken back by bank, and in the list of decisions of a close', async () => {
    const { company } = await desk();
    const { stdout } = await company.run('bank', '--month', '2026-03', '--format', 'markdown');
    expect(said(stdout)).toContain(facts);
    expect(said(stdout)).toContain('If all of them are of this pay-out: recon accept');
    const list = company.file('list.csv');
    await company.run('close', '--month', '2026-03', '--decisions', list);
    expect(said(readFileSync(list, 'utf8').replaceAll('""', '"'))).toContain(facts);
  });
});

test('after the provider is written to, Enter goes on to the next point', async () => {
  onTestFinished(() => rmSync('payout-ffffffff.md', { force: true }));
  const { review } = await desk();
  const { stderr } = await review('y', 'Ada\r', 'p', '\r', 'q', 'n');
  const text = said(stderr);
  expect(text).toContain('payout-ffffffff.md is written: send it');
  expect(text).toContain('2 of 5 Bank entry');
  expect(text).not.toContain('Where its entries stand');
});
