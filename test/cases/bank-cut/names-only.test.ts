import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { books, type Company, openCompany, web } from '../closed-stays-true/company.ts';
import { said } from '../closed-stays-true/words.ts';

/** Banks that write who paid, and nothing of what the payer wrote. */
const spain = [
  'FECHA OPERACION;FECHA VALOR;CONCEPTO;IMPORTE;SALDO',
  '11/03/2026;11/03/2026;TRANSFERENCIA DE PAYMENT SERVICE SL;100,00;100,00',
  '12/03/2026;12/03/2026;TRANSFERENCIA DE PAYMENT SERVICE SL;250,10;350,10',
  '13/03/2026;13/03/2026;RECIBO ALQUILER;-50,00;300,10',
];
const france = [
  'dateOp;dateVal;label;amount;currency;accountbalance',
  '2026-03-11;2026-03-11;VIR SEPA PAYMENT SERVICE EUROPE;100,00;EUR;100.00',
  '2026-03-12;2026-03-12;VIR SEPA PAYMENT SERVICE EUROPE;250,10;EUR;350.10',
  '2026-03-13;2026-03-13;COTISATION;-9,90;EUR;340.20',
];
const common = ['delimiter = ";"', 'decimal = ","', 'account = "00040123456"'];
const banks = [
  {
    name: 'Spain',
    rows: spain,
    mapping: [
      ...common,
      'date = "FECHA OPERACION"',
      'date_format = "DD/MM/YYYY"',
      'amount = "IMPORTE"',
      'currency = "EUR"',
      'texts = ["CONCEPTO"]',
    ],
  },
  {
    name: 'France',
    rows: france,
    mapping: [
      ...common,
      'date = "dateOp"',
      'amount = "amount"',
      'currency = "currency"',
      'balance = "accountbalance"',
      'balance_decimal = "."',
      'texts = ["label"]',
    ],
  },
] as const;

const payout = (letter: string, day: string, a: number) => ({
  ...{ id: `${letter.repeat(8)}-1a2b-4c3d-8e4f-5a6b7c8d9e0f`, day, token: web },
  rows: [{ a, f: 0, t: 0 }],
});

async function shown(company: Company): Promise<string> {
  return said(await company.run('bank', '--month', '2026-03', '--format', 'table'));
}

describe.each(banks)('a bank in $name that writes only who paid', ({ rows, mapping }) => {
  const open = async (): Promise<Company> => {
    const company = await openCompany(
      ['statements = "bank"', 'payout_accounts = ["PAYMENT SERVICE"]'],
      ['[profiles.main.bank_csv]', ...mapping, ...books],
    );
    writeFileSync(company.file('bank/march.csv'), `${rows.join('\r\n')}\r\n`);
    company.lists(payout('a', '2026-03-10', 100_00));
    return company;
  };

  test('leaves one to be confirmed by itself', async () => {
    const company = await open();
    const text = await shown(company);
    expect(text).toContain('To confirm an entry: recon accept aaaaaaaa-');
    expect(text).not.toContain('recon review');
  });

  test('leaves several to one question', async () => {
    const company = await open();
    company.lists(payout('b', '2026-03-11', 250_10));
    const text = await shown(company);
    expect(text).toContain('2 have only a suggested entry: 350.10 EUR.');
    expect(text).toMatch(
      /To confirm them, all that are alike at once: recon review --from 2026-03-01 --to 2026-03-31 .*--by NAME/,
    );
    expect(text).not.toContain('recon accept');
  });

  test('leaves none of two of one amount to a guess', async () => {
    const company = await open();
    company.lists(payout('b', '2026-03-11', 100_00));
    expect(await shown(company)).toContain('2 have several possible matches: 200.00 EUR.');
  });
});
