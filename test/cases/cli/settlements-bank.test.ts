import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readLines, readRecords } from '../../cli/read-report.ts';
import { temporaryFolder } from '../../cli/temporary.ts';
import { readWorkbook, recordsOf } from '../../render/xlsx/read-workbook.ts';
import { runRecon } from '../../support/run-recon.ts';

const settlements = (...flags: readonly string[]) =>
  runRecon(['settlements', '--sandbox', '--no-explain', ...flags]);

describe('settlements with bank statements', () => {
  it('are the same in JSON, NDJSON and the workbook', async () => {
    const path = join(await temporaryFolder(), 'march.xlsx');
    const [csv, json, lines] = [
      readRecords((await settlements('--bank')).stdout),
      JSON.parse((await settlements('--bank', '--json')).stdout),
      readLines((await settlements('--bank', '--format', 'ndjson')).stdout),
    ];
    await settlements('--bank', '--output', path);
    const states = csv.map((row) => row['bank_state']);
    const inJson = (all: readonly { readonly bank: { readonly state: string } }[]) =>
      all.map(({ bank }) => bank.state);
    expect(inJson(json.settlements)).toEqual(states);
    expect(inJson(lines.filter(({ type }) => type === 'settlement') as never)).toEqual(states);
    expect(json.bank.verdict).toBe('not_reconciled');
    expect(json.settlements).toContainEqual(
      expect.objectContaining({
        bank: expect.objectContaining({ difference: { amount: '-1.50', minor: '-150' } }),
      }),
    );
    const sheets = await readWorkbook(await readFile(path));
    const exceptions = recordsOf(sheets.get('Exceptions'));
    expect(
      exceptions.filter((row) => row['Exception'] === 'bank').map((row) => row['Cause']),
    ).toEqual(['Bank: not on the statements, 18 days.', 'Bank: difference +323,136.']);
    expect(exceptions.find((row) => row['Bank difference'] === -1.5)).toBeUndefined();
    expect(exceptions.find((row) => row['Bank difference'] === 323_136)).toMatchObject({
      Findings: 'Bank: paid twice.',
    });
    expect(recordsOf(sheets.get('Unknown entries'))).toMatchObject([
      { Currency: 'EUR', Amount: 312.4, Text: 'Payout correction' },
    ]);
    const sheet = recordsOf(sheets.get('Settlements'));
    expect(sheet.map((row) => String(row['Bank difference'] ?? ''))).toEqual(
      csv.map((row) => (row['bank_difference'] ? String(Number(row['bank_difference'])) : '')),
    );
  });
});
