import { describe, expect, test } from 'vitest';
import {
  amountOf,
  camt,
  camtEntry,
  checksIn,
  findingsIn,
  moneyIn,
  payments,
  read,
} from './reading.ts';

const one = async (entry: string) => {
  const { entries, findings } = await read(camt({ entries: [entry] }));
  expect(findings).toEqual([]);
  return entries[0];
};

describe('amounts of camt', () => {
  test.each([
    ['0012.50', '12.50'],
    ['12.50000', '12.50'],
    ['12', '12.00'],
    ['12.12345', '12.12345'],
    ['-7.5', '-7.50'],
  ])('%s is %s', async (written, amount) => {
    const entry = await one(camtEntry(written));
    expect(entry && amountOf(entry)).toBe(amount);
  });

  test.each(['12,50', '1.2.3', '', 'NaN', '1e3'])(
    '%j is unreadable, with its line',
    async (text) => {
      const entry = camtEntry('1.00').replace('>1.00<', `>${text}<`);
      const result = await read(camt({ entries: [camtEntry('2.00'), entry] }));
      expect(moneyIn(result)).toEqual(['2026-03-05 2.00']);
      expect(findingsIn(result)).toEqual([`line 10: Ntry/Amt ${text}`.trim()]);
      expect(result.statements[0]?.isWhole).toBe(false);
    },
  );

  test('a reversal has the direction that is written, not the other one', async () => {
    const entry = await one(camtEntry('-5.00', { more: '<RvslInd>true</RvslInd>' }));
    expect(entry).toMatchObject({ amount: -500n, isReversal: true });
  });

  test('the amount of an entry does not depend on the sum of its details', async () => {
    const parts = payments(
      '<Amt Ccy="EUR">1000.00</Amt>',
      '<AmtDtls><TxAmt><Amt Ccy="EUR">500.00</Amt></TxAmt></AmtDtls>',
    );
    const entry = await one(camtEntry('1526.00', { more: parts }));
    expect(entry?.amount).toBe(152_600n);
    expect(entry?.parts.map(({ amount }) => amount)).toEqual([100_000n, 50_000n]);
  });

  test('the total of an entry is not taken as the amount of a payment', async () => {
    const total = '<Amt Ccy="EUR">30.00</Amt>';
    const entry = await one(camtEntry('30.00', { more: payments(total, total) }));
    expect(entry?.parts.map(({ amount }) => amount)).toEqual([undefined, undefined]);
  });
});

describe('entries of camt', () => {
  test.each([
    ['<Cd>BOOK</Cd>', 'booked'],
    ['BOOK', 'booked'],
    ['', 'booked'],
    ['<Cd>PDNG</Cd>', 'pending'],
    ['INFO', 'pending'],
    ['<Cd>FUTR</Cd>', 'pending'],
  ])('of status %j are %s', async (status, expected) => {
    expect((await one(camtEntry('1.00', { status })))?.status).toBe(expected);
  });

  test('of a report without a status are not booked', async () => {
    const text = camt({ message: 'camt.052', entries: [camtEntry('1.00', { status: '' })] });
    expect(moneyIn(await read(text))).toEqual(['2026-03-05 1.00 pending']);
  });

  test('have the references, texts, names and accounts of every version', async () => {
    const references =
      '<Refs><EndToEndId>NOTPROVIDED</EndToEndId><PmtInfId>PMT-7 </PmtInfId><InstrId>INS</InstrId></Refs>';
    const party =
      '<RltdPties><Dbtr><Pty><Nm>Pay Ltd</Nm></Pty></Dbtr><DbtrAcct><Id><IBAN>GB29 NWBK 6016 1331 9268 19</IBAN></Id></DbtrAcct><Cdtr><Nm>Us</Nm></Cdtr></RltdPties>';
    const text =
      '<RmtInf><Ustrd>EREF+E2E-1 SVWZ+Pay</Ustrd><Ustrd>out</Ustrd><Strd><CdtrRefInf><Ref>RF18</Ref></CdtrRefInf></Strd></RmtInf>';
    const entry = await one(camtEntry('1.00', { more: payments(references + party + text) }));
    expect(entry?.details).toEqual({
      endToEndIds: ['E2E-1'],
      paymentInformationIds: ['PMT-7'],
      references: ['RF18', 'INS'],
      texts: ['EREF+E2E-1 SVWZ+Pay', 'out'],
      names: ['Pay Ltd'],
      accounts: ['GB29NWBK60161331926819'],
    });
    expect(entry?.parts).toEqual([]);
  });

  test('of a batch name the batch, and its payments one by one', async () => {
    const batch = '<Btch><PmtInfId>PMT-7 </PmtInfId><NbOfTxs>3</NbOfTxs></Btch>';
    const listed = payments('<Refs><EndToEndId>A</EndToEndId></Refs><Amt Ccy="EUR">1</Amt>');
    const entry = await one(
      camtEntry('6.00', { more: listed.replace('<NtryDtls>', `<NtryDtls>${batch}`) }),
    );
    expect(entry?.details.paymentInformationIds).toEqual(['PMT-7']);
    // Two are not listed, and come to the rest.
    expect(entry?.parts).toMatchObject([
      { endToEndIds: ['A'], amount: 100n },
      { endToEndIds: [], amount: 500n },
    ]);
  });

  test.each([
    ['0.50', 'more'],
    ['1.00', 'all of it'],
  ])('of a batch of %s have no other part if one comes to %s', async (amount) => {
    const listed = payments('<Amt Ccy="EUR">1</Amt>');
    const more = listed.replace('<TxDtls>', '<Btch><NbOfTxs>3</NbOfTxs></Btch><TxDtls>');
    const entry = await one(camtEntry(amount, { more }));
    expect(entry?.parts).toMatchObject([{ amount: 100n }]);
  });

  test('say why a payment came back', async () => {
    const back = '<RtrInf><Rsn><Cd>AC04</Cd></Rsn><AddtlInf>closed account</AddtlInf></RtrInf>';
    expect(await one(camtEntry('-1.00', { more: payments(back) }))).toMatchObject({
      returnReason: 'AC04 closed account',
    });
  });

  test('have the booking day, or else the value date', async () => {
    const dates = '<BookgDt><Dt>2026-03-05</Dt></BookgDt>';
    const time = '<BookgDt><DtTm>2026-03-05T23:30:00-05:00</DtTm></BookgDt>';
    expect((await one(camtEntry('1').replace(dates, time)))?.date).toBe('2026-03-05');
    expect((await one(camtEntry('1').replace(dates, '')))?.date).toBe('2026-03-05');
    const wrong = camt({ entries: [camtEntry('1', { day: '2026-02-30' })] });
    expect(findingsIn(await read(wrong))).toEqual(['line 9: Ntry/BookgDt 2026-02-30']);
  });

  const bookingDate = '<BookgDt><Dt>2026-03-05</Dt></BookgDt>';
  const valueDate = '<ValDt><Dt>2026-03-05</Dt></ValDt>';

  test.each([
    ['without dates', '', ''],
    ['with empty dates', '<BookgDt><Dt></Dt></BookgDt>', '<ValDt><Dt/></ValDt>'],
    ['with an empty booking date alone', '<BookgDt><Dt> </Dt></BookgDt>', ''],
  ])('%s count in their statement, and have no day', async (_, booked, value) => {
    const undated = camtEntry('2.50').replace(bookingDate, booked).replace(valueDate, value);
    for (const message of ['camt.053', 'camt.052', 'camt.054'] as const) {
      const balances = { OPBD: '1', CLBD: '4.50' };
      const result = await read(camt({ message, balances, entries: [camtEntry('1.00'), undated] }));
      expect(moneyIn(result)).toEqual(['2026-03-05 1.00']);
      expect(result.findings).toMatchObject([
        { code: 'undated', found: '2.50', place: { line: 11 }, from: '2026-03-05' },
      ]);
      expect(result.statements).toMatchObject([{ entries: 2, sum: 350n, isWhole: false }]);
    }
  });

  test('keep a value date that does not exist, and a finding names it', async () => {
    const odd = camtEntry('1').replace(valueDate, valueDate.replace('03-05', '02-30'));
    const result = await read(camt({ entries: [odd] }));
    expect(result.entries).toMatchObject([{ date: '2026-03-05', valueDate: '2026-02-30' }]);
    expect(findingsIn(result)).toEqual(['line 9: odd_value_date 2026-02-30']);
    const only = await read(camt({ entries: [odd.replace(bookingDate, '')] }));
    expect(findingsIn(only)).toEqual(['line 9: Ntry/ValDt 2026-02-30']);
  });

  test.each([
    ['two amounts', '</Ntry>', '<Amt Ccy="EUR">2.00</Amt></Ntry>', 'Ntry/Amt 1.00 2.00'],
    ['an amount in pieces', '1.00<', '1<b>9</b>.00<', 'Ntry/Amt 1.00 9'],
    ['two directions', '</Ntry>', '<CdtDbtInd>DBIT</CdtDbtInd></Ntry>', 'Ntry/CdtDbtInd CRDT DBIT'],
    ['text beside its elements', '<Amt', '5.00<Amt', 'Ntry 5.00'],
    [
      'two booking dates',
      bookingDate,
      bookingDate + bookingDate.replace('05', '06'),
      'Ntry/BookgDt 2026-03-05 2026-03-06',
    ],
    [
      'a time that is none',
      bookingDate,
      '<BookgDt><DtTm>2026-03-05T99:99:00</DtTm></BookgDt>',
      'Ntry/BookgDt 2026-03-05T99:99:00',
    ],
  ])('with %s are unreadable', async (_, written, doubtful, found) => {
    const entries = [camtEntry('1.00').replace(written, doubtful), camtEntry('3.00')];
    const result = await read(camt({ entries }));
    expect(moneyIn(result)).toEqual(['2026-03-05 3.00']);
    expect(findingsIn(result)).toEqual([`line 9: ${found}`]);
    expect(checksIn(result)).toEqual(['partly_read']);
  });
});

describe('files of camt', () => {
  const text = camt({ entries: [camtEntry('1.00')] });
  const prefixed = text
    .replace(/<(\/?)(?=[A-Z])/g, '<$1ns2:')
    .replace('xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"', 'xmlns:ns2="iso:20023"');

  test.each([
    ['the names of the first version', text.replaceAll('BkToCstmrStmt', 'BkToCstmrStmtV01')],
    ['a mark, twice', `\ufeff\ufeff${text}`],
    ['empty lines before the declaration', `\n\n ${text}`],
    ['other names of the namespace', prefixed],
    ['UTF-16 with its mark', Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['a wrong word for its encoding', text.replace('UTF-8', 'UTF-16')],
    [
      'a wrapper around the message',
      text
        .replace(/<Document.*?>/, '$&<Envelope>')
        .replace('</Document>', '</Envelope></Document>'),
    ],
  ])('are read with %s', async (_, content) => {
    const result = await read(content);
    expect(moneyIn(result)).toEqual(['2026-03-05 1.00']);
    expect(result.findings).toEqual([]);
  });

  test('may be several documents one after the other', async () => {
    const next = ['2,0', '2'].map((amount) => camtEntry(amount, { day: '2026-03-06' }));
    const result = await read(text + camt({ entries: next }));
    expect(moneyIn(result)).toEqual(['2026-03-05 1.00', '2026-03-06 2.00']);
    expect(findingsIn(result)).toEqual(['line 19: Ntry/Amt 2,0']);
  });

  test.each([
    ['windows-1252', 0x80],
    ['ISO-8859-15', 0xa4],
    ['UTF-8', 0x80],
  ])('have a euro sign in %s', async (encoding, euro) => {
    const entry = camtEntry('1.00', { more: payments('<RmtInf><Ustrd>5 ~ für</Ustrd></RmtInf>') });
    const bytes = Buffer.from(camt({ entries: [entry] }).replace('UTF-8', encoding), 'latin1');
    bytes[bytes.indexOf('~')] = euro;
    expect((await read(bytes)).entries[0]?.details.texts).toEqual(['5 € für']);
  });

  test('are read as far as they can be', async () => {
    const entries = [camtEntry('1.00'), camtEntry('2.00'), camtEntry('3.00')];
    const whole = camt({ entries });
    const cut = await read(whole.slice(0, whole.indexOf('3.00</')));
    expect(moneyIn(cut)).toEqual(['2026-03-05 1.00', '2026-03-05 2.00']);
    expect(findingsIn(cut)).toEqual([
      'line 11: Document/BkToCstmrStmt/Stmt/Ntry/Amt unclosed tag: Amt',
    ]);
    expect(cut.statements).toMatchObject([{ isWhole: false, entries: 2 }]);
    const crossed = await read(whole.replace('2.00</Amt>', '2.00</Amount>'));
    expect(moneyIn(crossed)).toEqual(['2026-03-05 1.00']);
    expect(crossed.findings).toHaveLength(1);
    const nul = await read(whole.replace('>2.00', '>2.\u0000'));
    expect(moneyIn(nul)).toEqual(['2026-03-05 1.00', '2026-03-05 3.00']);
    expect(findingsIn(nul)).toEqual([
      'line 10: Document/BkToCstmrStmt/Stmt/Ntry/Amt disallowed character',
    ]);
  });

  test('define no entities', async () => {
    const type = '<!DOCTYPE d [<!ENTITY a SYSTEM "file:///etc/passwd">]>';
    const result = await read(text.replace('<Document', `${type}<Document`).replace('1.00', '&a;'));
    expect(result.entries).toEqual([]);
    expect(findingsIn(result)).toEqual(['line 2:  DOCTYPE']);
    const undefinedOne = await read(text.replace('1.00', '&a;'));
    expect(findingsIn(undefinedOne)).toEqual([
      'line 9: Document/BkToCstmrStmt/Stmt/Ntry/Amt undefined entity',
    ]);
  });

  const empty = (inside: string) =>
    text.replace(
      /(?<=<Stmt>)[\s\S]*(?=<\/Stmt>)/,
      `<Id>1</Id><CreDtTm>2026-03-05T23:00:00</CreDtTm>${inside}`,
    );
  const account = '<Acct><Id><IBAN>DE89370400440532013000</IBAN></Id><Ccy>EUR</Ccy></Acct>';

  test.each([
    ['nothing', '', 'an account'],
    ['an account alone', account, 'a period, balances or entries'],
    ['an entry of no account', camtEntry('1.00'), 'an account'],
  ])('with a statement of %s are unreadable', async (_, inside, expected) => {
    const result = await read(empty(inside));
    expect(result.findings).toMatchObject([{ code: 'unreadable', element: 'Stmt', expected }]);
    expect(result.statements).toEqual([]);
    const period = '<FrToDt><FrDt>2026-03-01</FrDt><ToDt>2026-03-02</ToDt></FrToDt>';
    const whole = await read(empty(account + period));
    expect(whole.findings).toEqual([]);
    expect(whole.statements).toMatchObject([{ from: '2026-03-01', to: '2026-03-02' }]);
  });

  test('in an unknown encoding are named', async () => {
    expect(findingsIn(await read(text.replace('UTF-8', 'EBCDIC-X')))).toEqual([
      'line 1: encoding EBCDIC-X',
    ]);
  });

  test('are read the same in pieces of any size', async () => {
    const content = prefixed.replace('<ns2:Ntry>', '<!-- ü€ -->\r\n<ns2:Ntry>') + text;
    const whole = await read(content);
    for (const blockBytes of [1, 2, 3, 7, 64]) {
      expect(await read(content, { blockBytes })).toEqual(whole);
    }
  });

  test('of 8,000 entries keep the details of each entry', async () => {
    const detail = (id: number) =>
      payments(
        `<Refs><EndToEndId>E2E-${id}</EndToEndId></Refs><RltdPties><Dbtr><Nm>Pay Ltd</Nm></Dbtr></RltdPties><RmtInf><Ustrd>Pay-out ${id}</Ustrd></RmtInf>`,
      );
    const entries = Array.from({ length: 8_000 }, (_, id) =>
      camtEntry(`${id}.17`, { reference: `R${id}`, more: detail(id) }),
    );
    const found = (await read(camt({ entries }))).entries;
    expect(found).toHaveLength(8_000);
    const texts = found.map((one) => `${amountOf(one)} ${one.details.texts.join()}`);
    expect(new Set(texts)).toEqual(new Set(entries.map((_, id) => `${id}.17 Pay-out ${id}`)));
  });
});

describe('charges in camt', () => {
  const record = (text: string, direction = 'DBIT', currency = 'EUR') =>
    `<Amt Ccy="${currency}">${text}</Amt><CdtDbtInd>${direction}</CdtDbtInd>`;
  const stated = (...records: readonly string[]) =>
    `<Chrgs>${records.map((text) => `<Rcrd>${text}</Rcrd>`).join('')}</Chrgs>`;
  const inside = (...all: readonly string[]) =>
    `<NtryDtls>${all.map((text) => `<TxDtls>${text}</TxDtls>`).join('')}</NtryDtls>`;

  test.each([
    ['none', '', undefined],
    ['of the entry', stated(record('1.50')), 150n],
    ['in several records', stated(record('1.50'), record('0.25')), 175n],
    ['that come back', stated(record('1.50', 'CRDT')), -150n],
    ['of version 2', `<Chrgs>${record('1.50')}</Chrgs>`, 150n],
    ['as a total', '<Chrgs><TtlChrgsAndTaxAmt Ccy="EUR">1.50</TtlChrgsAndTaxAmt></Chrgs>', 150n],
    ['of the payment', inside(stated(record('1.50'))), 150n],
    [
      'of the entry and of its payment',
      stated(record('1.50')) + inside(stated(record('1.50'))),
      150n,
    ],
    ['of payments', inside(stated(record('1.50')), stated(record('0.50'))), 200n],
    ['in another currency', stated(record('1.50', 'DBIT', 'USD')), undefined],
    [
      'partly in another currency',
      stated(record('1.50'), record('1.50', 'DBIT', 'USD')),
      undefined,
    ],
  ])('%s', async (_, more, charges) => {
    const entry = await one(camtEntry('98.50', { more }));
    expect([entry?.amount, entry?.charges]).toEqual([9850n, charges]);
  });

  test('of a payment belong to that payment', async () => {
    const amounts = ['60.00', '38.50'].map((text) => `<Amt Ccy="EUR">${text}</Amt>`);
    const [first, second] = amounts;
    const more = inside(`${first}${stated(record('1.50'))}`, second ?? '');
    const entry = await one(camtEntry('98.50', { more }));
    expect(entry?.parts.map(({ amount, charges }) => [amount, charges])).toEqual([
      [6000n, 150n],
      [3850n, undefined],
    ]);
  });
});
