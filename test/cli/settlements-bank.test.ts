import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { camtStatement } from '../../src/sandbox/bank.ts';
import { loadScenario } from '../../src/sandbox/scenarios.ts';
import { runRecon } from '../support/run-recon.ts';
import { readRecords } from './read-report.ts';
import { march, profileOf, startService } from './service.ts';
import { temporaryFolder } from './temporary.ts';

const settlements = (...flags: readonly string[]) =>
  runRecon(['settlements', '--sandbox', '--no-explain', ...flags]);

/** What the month has on the bank that is not simply matched by its end-to-end id, by date and currency. */
const stories = [
  '2026-03-05 EUR charged end_to_end_id 2026-03-06 5183.41 -1.50',
  '2026-03-13 EUR missing_on_bank    ',
  '2026-03-16 JPY difference end_to_end_id 2026-03-17 | 2026-03-18 646272 323136',
  '2026-03-30 JPY not_paid_yet    ',
  '2026-03-30 EUR not_paid_yet    ',
  '2026-03-31 EUR not_paid_yet    ',
  '2026-03-31 EUR not_paid_yet    ',
];

type Row = Readonly<Record<string, string>>;

const bankKeys = ['state', 'by', 'date', 'received', 'difference'].map((key) => `bank_${key}`);

const storyOf = (row: Row) =>
  ['settlement_date', 'currency', ...bankKeys].map((key) => row[key]).join(' ');

const isUsual = (row: Row) =>
  row['bank_state'] === 'matched' &&
  row['bank_by'] === 'end_to_end_id' &&
  row['bank_difference'] === (row['currency'] === 'JPY' ? '0' : '0.00') &&
  row['bank_received'] === row['pay_in_reported'];

describe('settlements with bank statements', () => {
  it('show the bank state of each, in columns after all others', async () => {
    const [alone, both] = [await settlements(), await settlements('--bank')];
    const rows = readRecords(both.stdout);
    expect(rows.filter((row) => !isUsual(row)).map(storyOf)).toEqual(stories);
    expect(rows.find((row) => row['settlement_date'] === '2026-03-11')?.['bank_date']).toBe(
      '2026-03-19',
    );
    expect(rows.find((row) => row['bank_state'] === 'missing_on_bank')?.['bank_age_days']).toBe(
      '18',
    );
    const [before = '', after = ''] = [alone, both].map(({ stdout }) => stdout.split('\r\n')[0]);
    const more = ['bank_age_days', 'bank_accepted', 'bank_confirmed_by', 'bank_confirmed_on'];
    expect(after).toBe(`${before},${[...bankKeys, ...more].join(',')}`);
    expect(
      both.stdout
        .split('\r\n')
        .map((line, at) => line.slice(0, alone.stdout.split('\r\n')[at]?.length)),
    ).toEqual(alone.stdout.split('\r\n'));
  });

  it('end with exit code 1 only if a condition of the bank is named, and met', async () => {
    const codes = async (day: string, ...words: readonly string[]) => {
      const failOn = ['--fail-on', words.join(',')];
      return (await settlements('--on', day, '--bank', ...failOn)).exitCode;
    };
    expect(await codes('2026-03-05', 'missing-on-bank,empty')).toBe(0);
    // What the bank states as a charge is no difference.
    expect(await codes('2026-03-05', 'difference,empty')).toBe(0);
    expect(await codes('2026-03-16', 'difference')).toBe(1);
    expect(await codes('2026-03-13', 'difference,empty')).toBe(0);
    expect(await codes('2026-03-13', 'missing-on-bank')).toBe(1);
    expect(await codes('2026-03-05', 'unknown-on-bank')).toBe(0);
    expect(await codes('2026-03-24', 'unknown-on-bank')).toBe(1);
  });

  it.each([
    [
      'a balance that is off',
      1,
      'do not add up to the closing balance',
      /(CLBD<.*?Ccy="EUR">)\d/,
      '$17',
    ],
    ['an amount that is none', 4, 'cannot be read', /(<Ntry><Amt Ccy="EUR">)\d/, '$1x'],
  ])('show it if a statement has %s, and end with %i', async (_, code, says, place, instead) => {
    const path = join(await temporaryFolder(), 'balanced.xml');
    const { text } = camtStatement(await loadScenario('balanced'));
    await writeFile(path, text.replace(place, instead));
    const run = await settlements('--scenario', 'balanced', '--bank', path);
    expect([run.exitCode, run.stderr]).toEqual([code, expect.stringContaining(says)]);
  });

  it('refuse a condition of the bank without statements', async () => {
    const { exitCode, stderr } = await settlements('--fail-on', '+missing-on-bank');
    expect(exitCode).toBe(2);
    expect(stderr).toMatch('--fail-on missing-on-bank needs --bank.');
  });

  it('of several profiles do not report a pay-out of one as unknown to another', async () => {
    const folder = await temporaryFolder();
    const month = await loadScenario('month');
    const [web, others] = await Promise.all(
      [true, false].map((isWeb) =>
        startService({
          ...month,
          settlements: month.settlements.filter(
            ({ header }) => isWeb === String(header['accountingToken']).startsWith('3f0c'),
          ),
        }),
      ),
    );
    const config = join(folder, 'config.toml');
    const profiles = [
      profileOf('web', web?.sandbox.baseUrl ?? ''),
      profileOf('others', others?.sandbox.baseUrl ?? ''),
    ];
    await writeFile(config, profiles.join('\n'), { mode: 0o600 });
    // Where no charge is stated, both profiles have something to decide.
    const { text } = camtStatement(month);
    const statement = join(folder, 'month.xml');
    await writeFile(statement, text.replace(/<Chrgs>.*<\/Chrgs>/, ''));
    const flags = ['--all-profiles', '--config', config, '--no-explain', '--bank', statement];
    const run = await runRecon(['settlements', ...march, ...flags]);
    expect(
      readRecords(run.stdout)
        .filter((row) => !isUsual(row))
        .map(storyOf)
        .sort(),
    ).toEqual(stories.map((one) => one.replace(' charged ', ' difference ')).sort());
    // The correction, which nobody is paid by.
    expect(run.stderr.match(/1 entry is unknown to the service: 312.40 EUR/g)).toHaveLength(2);
    expect(run.stderr).not.toContain('entries are unknown');
  });
});
