import { parse } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { proposedSettlements } from '../../src/provided/proposal.ts';
import { fileMapping } from '../../src/report/mapping/template.ts';
import { paid, report, sale } from './files.ts';

const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');
const begins = (lines: string) => ({ text: lines, isWorkbook: false });

/** What is proposed for the lines of a provider and its report of pay-outs, and how it is printed. */
function proposed(lines: string, payouts?: string) {
  const other = payouts === undefined ? undefined : begins(payouts);
  const proposal = proposedSettlements(begins(lines), other, 'other');
  if (!proposal) throw new Error('nothing is proposed');
  const printed = fileMapping(proposal, 'other');
  const settings = Object.fromEntries(
    proposal.settings.filter(({ isOpen }) => !isOpen).map(({ key, value }) => [key, value]),
  );
  return { printed, settings };
}

const lines = text([
  'Entry ID;Payout ID;Merchant ID;Created At;Entry Type;Currency;Gross;Fee;Net;Customer',
  'E-000001;PO-1;M1;02.03.2026 10:00;sale;EUR;1.020,00;-3,00;1.017,00;canary one',
  'E-000002;PO-1;M1;13.03.2026 11:00;refund;EUR;-20,00;0,00;-20,00;canary two',
  'E-000003;PO-2;M1;14.03.2026 12:00;sale;EUR;10,00;-0,50;9,50;canary three',
  'E-000004;PO-2;M1;14.03.2026 12:00;monthly_fee;EUR;0,00;-1,00;-1,00;',
]);
const payouts = text([
  'Payout ID;Merchant ID;Payout date;Currency;Payout amount;Reference',
  'PO-1;M1;14.03.2026;EUR;997,00;BANK 1',
  'PO-2;M1;16.03.2026;EUR;8,50;BANK 2',
]);

describe('a mapping for settlement files', () => {
  test('names the columns of lines and pay-outs, and is proved on their values', () => {
    const { settings, printed } = proposed(lines, payouts);
    expect(settings).toEqual({
      provider: 'other',
      delimiter: ';',
      decimal: ',',
      date_format: 'DD.MM.YYYY',
      payout: 'Payout ID',
      account: 'Merchant ID',
      currency: 'Currency',
      date: 'Created At',
      id: 'Entry ID',
      type: 'Entry Type',
      fee_types: ['monthly_fee'],
      net: 'Net',
      gross: 'Gross',
      fees: ['Fee'],
      inverted: true,
      'payouts.payout': 'Payout ID',
      'payouts.date': 'Payout date',
      'payouts.paid': 'Payout amount',
      'payouts.currency': 'Currency',
      'payouts.account': 'Merchant ID',
      'payouts.reference': 'Reference',
    });
    expect(printed).toContain('4 of 4 lines can be read, and add up');
    expect(printed).toContain('it has 2 of 2 pay-outs of the lines');
    expect(printed).not.toContain('canary');
    expect(parse(printed)).toHaveProperty('profiles.other.settlements_csv.payouts.paid');
  });

  test('leaves open what says how much is paid out, if nothing does', () => {
    const { printed, settings } = proposed(lines);
    expect(settings).not.toHaveProperty('payout_types');
    expect(printed).toContain('Nothing in this file says what is paid out.');
    expect(printed).toContain('\n#payout_types = []\n');
  });

  test('takes lines of a type as what is paid out', () => {
    const own = `${lines}E-000005;PO-2;M1;16.03.2026 12:00;payout;EUR;-8,50;0,00;-8,50;\n`;
    expect(proposed(own).settings).toMatchObject({ payout_types: ['payout'] });
  });

  test('leaves gross and fees open where they do not come to the net', () => {
    const odd = lines.replaceAll(';-3,00;', ';-9,00;').replaceAll(';-0,50;', ';-9,00;');
    const { settings, printed } = proposed(odd, payouts);
    expect(settings).toMatchObject({ net: 'Net' });
    expect(settings).not.toHaveProperty('fees');
    expect(printed).toContain('The gross less fees and tax is not the net.\n#fees = ["Fee"]');
  });

  test('leaves an id open that lines share', () => {
    const { printed } = proposed(lines.replaceAll('E-000002', 'E-000001'), payouts);
    expect(printed).toContain('#id = "Entry ID"');
  });

  test('names the account of all lines if only one of the files has it', () => {
    const { settings } = proposed(lines, payouts.replace('Merchant ID', 'Somewhere'));
    expect(settings).toMatchObject({ account: 'other' });
    expect(settings).not.toHaveProperty(['payouts.account']);
  });

  test('is a preset for a file in the form of one, with what differs', () => {
    const adyen = report([sale('1'), sale('2'), paid('39.40')]);
    expect(proposed(adyen).settings).toEqual({ preset: 'adyen' });
    const stripe = text([
      'balance_transaction_id;created;currency;gross;fee;net;reporting_category;description;automatic_payout_id;charge_id',
      'txn_1;2026-03-02 10:00:00;eur;20,00;0,30;19,70;charge;Order 1;po_1;ch_1',
    ]);
    expect(proposed(stripe).settings).toEqual({
      preset: 'stripe',
      delimiter: ';',
      decimal: ',',
      charge: 'charge_id',
    });
  });
});
