import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { scenarioNames } from '../../src/sandbox/scenarios.ts';
import { temporaryFolder } from '../cli/temporary.ts';
import { runRecon } from '../support/run-recon.ts';
import { balancesOf, ownBalances } from './tools.ts';

/** What windows-1252 has where ISO 8859-1 has control characters, of what texts here hold. */
const special: Readonly<Record<string, string>> = { '\x80': '€', '\x96': '–', '\x9f': 'Ÿ' };

/** A file as DATEV's description of its format has it, read without any of the code that wrote it. */
function readDatev(bytes: Buffer) {
  const text = bytes.toString('latin1').replace(/[\x80-\x9f]/g, (one) => special[one] ?? '?');
  expect(text.endsWith('\r\n')).toBe(true);
  expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  const options = { delimiter: ';', record_delimiter: '\r\n', relax_column_count: true };
  const [header = [], headings = [], ...rows] = parse(text, options) as string[][];
  return { header, headings, rows };
}

const modes = [[], ['--per', 'day'], ['--detail'], ['--include-pending'], ['--bank', '--detail']];

test.each([
  ...modes.map((args) => ['month', args] as const),
  ...scenarioNames.map((name) => [name, ['--detail', '--include-pending']] as const),
])(
  'scenario %s with %j has a pair for each row, and the balances of recon on all accounts',
  async (scenario, args) => {
    const path = join(await temporaryFolder(), 'EXTF_march.csv');
    const asked = ['journal', '--sandbox', '--scenario', scenario, '--fail-on', 'none', ...args];
    const { exitCode, stderr } = await runRecon([...asked, '--for', 'datev', '--output', path]);
    const leavesOut = stderr.includes('Not booked: 1 transaction,');
    if (exitCode !== (leavesOut ? 1 : 0)) {
      // Three decimals, two years, or what was not fully read.
      expect(stderr).toMatch(/DATEV (cannot hold|file holds)|No journal was written/);
      return;
    }
    const { header, headings, rows } = readDatev(await readFile(path));
    expect(header).toHaveLength(31);
    expect(header.slice(0, 5)).toEqual(['EXTF', '700', '21', 'Buchungsstapel', '13']);
    const [from = '', to = ''] = header.slice(14, 16);
    expect([from, to].join()).toMatch(/^(\d{4})\d{4},\1\d{4}$/);
    expect(headings).toHaveLength(125);
    for (const row of rows) {
      expect(row).toHaveLength(125);
      expect(row[0]).toMatch(/^(?!0+,00)\d{1,10},\d\d$/);
      expect(row[1]).toMatch(/^[SH]$/);
      expect(row[2]).toMatch(/^[A-Z]{3}$/);
      expect(row[6]).toMatch(/^\d{4}$/);
      expect(row[7]).toMatch(/^\d{4}$/);
      expect(row[10]).toMatch(/^[\w$&%*+/-]{0,36}$/);
      const day = `${from.slice(0, 4)}${row[9]?.slice(2)}${row[9]?.slice(0, 2)}`;
      expect(day >= from && day <= to, day).toBe(true);
    }
    const theirs = rows.flatMap(
      ([amount = '', side, currency = '', , , , account = '', against = '']) => {
        const digits = amount.replace(',', '.');
        const [debit, credit] = side === 'S' ? [account, against] : [against, account];
        return [
          [debit, currency, digits],
          [credit, currency, `-${digits}`],
        ] as const;
      },
    );
    // Rows in another currency than their settlement are left out of a file in one currency.
    const { stdout } = await runRecon([...asked, '--for', 'csv']);
    const booked = stdout.replace(
      /^.*,"?Settlement [\w-]+, \d+ transactions? in (?!EUR)[A-Z]{3}.*\r\n/gm,
      '',
    );
    expect(booked === stdout).toBe(!stderr.includes('in another currency than the settlement'));
    expect(balancesOf(theirs)).toEqual(ownBalances(booked, 'datev'));
  },
);
