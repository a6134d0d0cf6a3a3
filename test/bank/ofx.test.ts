import { describe, expect, test } from 'vitest';
import { checksIn, moneyIn, read } from './reading.ts';

const head = `OFXHEADER:100
DATA:OFXSGML
VERSION:102
ENCODING:USASCII
CHARSET:1252

`;

interface Statement {
  readonly kind?: 'STMT' | 'CCSTMT';
  readonly currency?: string;
  readonly account?: string;
  readonly transactions: readonly string[];
  readonly days?: string;
}

const paid = `<STMTTRN>
<TRNTYPE>CREDIT
<DTPOSTED>20260305120000.000[-5:EST]
<TRNAMT>+3452.72
<FITID>F1
<REFNUM>R1
<NAME>EXAMPLE PAYMENTS &amp; CO
<MEMO>  Payout E2E-20260304-03
</STMTTRN>`;
const charged = '<STMTTRN><TRNTYPE>FEE<DTPOSTED>20260306<TRNAMT>-10,5<FITID>F2<NAME>Fee</STMTTRN>';

const sgml = ({
  kind = 'STMT',
  currency = 'USD',
  account = '123 456-7',
  transactions,
  days = '<DTSTART>20260301<DTEND>20260331',
}: Statement) => `<${kind}TRNRS><TRNUID>1<STATUS><CODE>0<SEVERITY>INFO</STATUS><${kind}RS>
<CURDEF>${currency}
<${kind === 'STMT' ? 'BANK' : 'CC'}ACCTFROM><BANKID>9<ACCTID>${account}<ACCTTYPE>CHECKING</${kind === 'STMT' ? 'BANK' : 'CC'}ACCTFROM>
<BANKTRANLIST>${days}
${transactions.join('\n')}
</BANKTRANLIST>
<LEDGERBAL><BALAMT>3442.22<DTASOF>20260331</LEDGERBAL></${kind}RS></${kind}TRNRS>
`;

const ofx = (...statements: readonly Statement[]) =>
  `${head}<OFX><SIGNONMSGSRSV1><SONRS><DTSERVER>20260401</SONRS></SIGNONMSGSRSV1>
<BANKMSGSRSV1>${statements.map(sgml).join('')}</BANKMSGSRSV1></OFX>`;

/** The same as XML: each value with its end tag. */
const asXml = (text: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<?OFX OFXHEADER="200" VERSION="211"?>\n${text
    .slice(head.length)
    .replace(/<([A-Z0-9]+)>([^<\n]+)/g, '<$1>$2</$1>')}`;

const both = ofx({ transactions: [paid, charged] });

describe('an OFX file', () => {
  test('has entries with their details, and the days that it states', async () => {
    const result = await read(both);
    expect(result.findings).toEqual([]);
    expect(moneyIn(result)).toEqual(['2026-03-05 3452.72', '2026-03-06 -10.50']);
    expect(result.statements).toMatchObject([
      {
        ...{ account: '123456-7', currency: 'USD', from: '2026-03-01', to: '2026-03-31' },
        ...{ opening: undefined, closing: 344_222n, isWhole: true },
      },
    ]);
    expect(checksIn(result)).toEqual(['no_opening_balance']);
    const entry = result.entries.find(({ amount }) => amount > 0n);
    expect(entry).toMatchObject({ bankReference: 'F1', place: { line: 12 } });
    expect(entry?.details).toMatchObject({
      ...{ names: ['EXAMPLE PAYMENTS & CO'], references: ['R1'] },
      texts: ['EXAMPLE PAYMENTS & CO', 'Payout E2E-20260304-03'],
    });
  });

  test('is the same as SGML and as XML, in pieces of any size', async () => {
    const result = await read(both);
    const xml = await read(asXml(both));
    expect(moneyIn(xml)).toEqual(moneyIn(result));
    expect(xml.entries.map(({ details }) => details)).toEqual(
      result.entries.map(({ details }) => details),
    );
    for (const content of [both, asXml(both)]) {
      const whole = await read(content);
      for (const blockBytes of [1, 3, 50]) {
        expect(await read(content, { blockBytes })).toEqual(whole);
      }
    }
  });

  test('may have several accounts, cards among them, in several currencies', async () => {
    const result = await read(
      ofx(
        { transactions: [paid] },
        { kind: 'CCSTMT', account: '4111', currency: 'EUR', transactions: [charged] },
      ),
    );
    expect(result.findings).toEqual([]);
    expect(result.statements.map(({ account, currency }) => `${account} ${currency}`)).toEqual([
      '123456-7 USD',
      '4111 EUR',
    ]);
  });

  test('keeps two transactions that have one id', async () => {
    const other = paid.replace('3452.72', '1.00');
    expect(moneyIn(await read(ofx({ transactions: [paid, other, paid] })))).toEqual([
      '2026-03-05 1.00',
      '2026-03-05 3452.72',
      '2026-03-05 3452.72',
    ]);
  });

  test('may have comments, texts as they are, and signs that are no tags', async () => {
    const name = '<![CDATA[A & B <C>]]>';
    const transaction = paid.replace('EXAMPLE PAYMENTS &amp; CO', name).replace('Payout', '1 < 2');
    const [entry] = (await read(ofx({ transactions: [`<!-- ${charged} -->`, transaction] })))
      .entries;
    expect(entry?.details.texts).toEqual(['A & B <C>', '1 < 2 E2E-20260304-03']);
  });

  test.each([
    ['an amount with a sign of a currency', paid.replace('+3452.72', '$3452.72')],
    ['an amount that may be thousands', paid.replace('+3452.72', '3.452')],
    ['grouped thousands', paid.replace('+3452.72', '3,452.72')],
    ['no amount', paid.replace('<TRNAMT>+3452.72', '')],
    ['two amounts', paid.replace('<FITID>', '<TRNAMT>1.00\n<FITID>')],
    ['a day that does not exist', paid.replace('20260305', '20260230')],
    ['a correction', paid.replace('<FITID>', '<CORRECTFITID>F0\n<CORRECTACTION>DELETE\n<FITID>')],
  ])('names a transaction that cannot be read: %s', async (_, spoiled) => {
    const { findings, statements } = await read(ofx({ transactions: [charged, spoiled] }));
    expect(findings).toHaveLength(1);
    expect(findings[0]?.place.line).toBeGreaterThanOrEqual(13);
    expect(statements).toMatchObject([{ isWhole: false }]);
  });

  test('in another currency than its account is not added to it', async () => {
    const foreign = paid.replace(
      '<FITID>',
      '<CURRENCY><CURRATE>1.1<CURSYM>EUR</CURRENCY>\n<FITID>',
    );
    const result = await read(ofx({ transactions: [foreign] }));
    expect(result.entries[0]).toMatchObject({ currency: 'EUR' });
    expect(result.statements).toMatchObject([{ currency: 'USD', sum: 0n }]);
  });

  test('with pending transactions shows them apart', async () => {
    const pending =
      '</BANKTRANLIST><BANKTRANLISTP><STMTTRNP><TRNTYPE>CREDIT<DTTRAN>20260331<TRNAMT>5.00<NAME>Soon</STMTTRNP></BANKTRANLISTP><BANKTRANLIST>';
    expect(moneyIn(await read(ofx({ transactions: [paid, pending] })))).toEqual([
      '2026-03-05 3452.72',
      '2026-03-31 5.00 pending',
    ]);
  });

  test('that ends early, has no statement, or was refused by the bank is a finding', async () => {
    const cut = await read(both.slice(0, both.indexOf('<LEDGERBAL>')));
    expect(cut.findings).toMatchObject([{ expected: 'an end tag </STMTRS> or </CCSTMTRS>' }]);
    expect(cut.statements).toMatchObject([{ isWhole: false }]);
    const none = await read(ofx());
    expect(none.findings).toMatchObject([{ expected: 'a statement of a bank account or a card' }]);
    const refused = await read(both.replace('INFO', 'ERROR'));
    expect(refused.findings).toMatchObject([{ expected: 'a statement without errors' }]);
  });

  test('covers no days after it was made', async () => {
    const days = '<DTSTART>20260301<DTEND>20261231';
    const result = await read(ofx({ transactions: [paid], days }));
    expect(result.statements).toMatchObject([{ from: '2026-03-01', to: '2026-04-01' }]);
  });
});
