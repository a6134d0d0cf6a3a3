import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { readWorkbook, recordsOf } from '../render/xlsx/read-workbook.ts';
import { runRecon } from '../support/run-recon.ts';
import { readRecords } from './read-report.ts';
import { scenarioOf, startService } from './service.ts';
import { temporaryFolder } from './temporary.ts';

const month = ['orders', '--sandbox'];

describe('the month of the sandbox', () => {
  let csv: readonly Readonly<Record<string, string>>[];
  beforeAll(async () => {
    const { stdout, exitCode } = await runRecon(month);
    expect(exitCode).toBe(1);
    csv = readRecords(stdout);
  });

  it('has every state of an order, and of a row without one', () => {
    const states = (key: string) => new Set(csv.flatMap((one) => one[key] || []));
    expect([...states('state')].sort()).toEqual([
      ...['ambiguous', 'amount_differs', 'cancelled', 'cancelled_but_settled', 'conflicting'],
      'in_transit',
      ...['missing_in_settlements', 'not_covered', 'nothing_due', 'other_currency'],
      ...['out_of_scope', 'partly_settled', 'pending', 'settled', 'settled_in_parts'],
      ...['settled_twice', 'unknown_to_shop', 'unpaid_but_settled'],
    ]);
    expect([...states('refund_state')].sort()).toEqual([
      ...['charged_back', 'none', 'refund_in_transit', 'refund_missing', 'refund_unknown'],
      ...['refunded', 'refunded_in_part'],
    ]);
  });
});
