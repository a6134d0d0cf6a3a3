import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runRecon } from '../support/run-recon.ts';
import { temporaryFolder } from './temporary.ts';

/** Files in the form that each recipe of the docs is for. */
const forms = {
  mollie: {
    'settlement.csv': [
      'Date,Payment method,Currency,Amount,Status,ID,Description,Consumer name,Consumer bank account,Consumer BIC,Settlement currency,Settlement amount,Settlement reference,Amount refunded',
      '2026-03-02 10:00:01,ideal,EUR,49.90,paid,tr_1,Order 1001,A. Person,NL00,X,EUR,49.90,1182161.2603.02,0.00',
      '2026-03-02 11:00:01,creditcard,USD,22.00,paid,tr_2,Order 1002,,,,EUR,20.00,1182161.2603.02,0.00',
      '2026-03-03 11:00:01,refund,EUR,-5.00,refunded,re_3,Refund 1001,,,,EUR,-5.00,1182161.2603.02,0.00',
      '2026-03-03 23:00:01,,EUR,-0.60,,,Withheld transaction fees,,,,EUR,-0.60,1182161.2603.02,',
      '2026-03-03 23:00:01,,EUR,-0.60,,,Withheld transaction fees,,,,EUR,-0.60,1182161.2603.02,',
    ],
    'paid.csv': ['Reference,Paid on,Currency,Amount', '1182161.2603.02,2026-03-04,EUR,63.70'],
  },
  gocardless: {
    'items.csv': [
      'customers.id,resources.type,resources.description,resources.created_at,gross_amount,gocardless_fees,app_fees,net_amount,currency,payouts.id,payouts.arrival_date,creditors.id,payments.id,refunds.id',
      'CU1,payment,Order 1,2026-03-01T10:00:00.000Z,20.00,-0.30,0.00,19.70,GBP,PO1,2026-03-04,CR1,PM1,',
      'CU2,payment,Order 2,2026-03-05T11:00:00.000Z,50.00,-0.40,-0.10,49.50,GBP,PO2,2026-03-06,CR1,PM2,',
      'CU1,refund,Order 1,2026-03-05T12:00:00.000Z,-20.00,0.00,0.00,-20.00,GBP,PO2,2026-03-06,CR1,PM1,RF1',
    ],
    'payouts.csv': [
      'id,amount,currency,created_at,reference,status,arrival_date,transaction_fee_debit,links.creditor',
      'PO1,19.70,GBP,2026-03-03T05:00:00.000Z,SHOP-AAA111,paid,2026-03-04,0.30,CR1',
      'PO2,29.50,GBP,2026-03-05T05:00:00.000Z,SHOP-BBB222,paid,2026-03-06,0.40,CR1',
    ],
  },
};

/** Runs with the recipe of the docs for files in its form, one of them changed. */
async function recipeOf(profile: keyof typeof forms, change = (text: string) => text) {
  const docs = await readFile(new URL('../../docs/providers.md', import.meta.url), 'utf8');
  const recipes = docs.match(/```toml\n[\s\S]*?```/g) ?? [];
  const recipe = recipes.find((one) => one.includes(`[profiles.${profile}]`)) ?? '';
  const folder = await temporaryFolder();
  await mkdir(join(folder, profile));
  for (const [name, lines] of Object.entries(forms[profile])) {
    await writeFile(join(folder, profile, name), change(`${lines.join('\n')}\n`));
  }
  const config = join(folder, 'config.toml');
  await writeFile(config, recipe.replace(/^```.*\n?/gm, ''), { mode: 0o600 });
  const words = ['--month', '2026-03', '--profile', profile, '--format', 'table'];
  return runRecon(['settlements', ...words, '--config', config]);
}

describe('a recipe of the docs', () => {
  test.each([
    ['mollie', '1 settlement, 5 transactions'],
    ['gocardless', '2 settlements, 3 transactions'],
  ] as const)('reads files of %s', async (profile, read) => {
    const { stdout, stderr, exitCode } = await recipeOf(profile);
    expect([exitCode, stderr]).toEqual([0, expect.not.stringContaining('error')]);
    expect(stdout).toContain('BALANCED\n');
    expect(stdout).toContain(`Everything read   yes: ${read}`);
  });

  test.each([
    ['mollie', /^.*tr_1,.*\n/m],
    ['gocardless', /^.*,PM1,RF1\n/m],
  ] as const)('finds a line of %s that is missing', async (profile, line) => {
    const { stdout, exitCode } = await recipeOf(profile, (text) => text.replace(line, ''));
    expect(exitCode).toBe(1);
    expect(stdout).toContain('OUT OF BALANCE');
  });
});
