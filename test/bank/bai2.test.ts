import { describe, expect, test } from 'vitest';
import { linesOf } from './fixed-records.ts';
import { checksIn, findingsIn, moneyIn, read } from './reading.ts';

const account = [
  '03,0012345678,USD,010,10000,,,015,354272,,/',
  '88,100,345272,1,,400,1000,1,/',
  '16,165,345272,V,260306,,BANKREF1,CUSTOMER1,EXAMPLE PAYMENTS, PAYOUT E2E-2026',
  '88,0304-03 OF MARCH',
  '16,475,1000,Z,,77,/',
];
const group = ['02,receiver,122099999,1,260305,2359,,2/', ...account, '49,1056816,6/'];
const records = [
  '01,122099999,receiver,260306,0200,1,,,2/',
  ...group,
  '98,1056816,1,8/',
  '99,1056816,1,10/',
];
const file = linesOf(...records);

describe('a BAI2 file', () => {
  test('has entries with their direction by type, and balances that are checked', async () => {
    const result = await read(file);
    expect(result.findings).toEqual([]);
    expect(moneyIn(result)).toEqual(['2026-03-05 -10.00', '2026-03-05 3452.72']);
    expect(checksIn(result)).toEqual(['checked']);
    expect(result.statements).toMatchObject([
      {
        ...{ account: '0012345678', currency: 'USD', opening: 10_000n, closing: 354_272n },
        ...{ from: '2026-03-05', to: '2026-03-05', isWhole: true },
      },
    ]);
    expect(result.entries.find(({ amount }) => amount > 0n)).toMatchObject({
      ...{ bankReference: 'BANKREF1', valueDate: '2026-03-06', place: { line: 5 } },
      details: {
        references: ['CUSTOMER1'],
        texts: ['EXAMPLE PAYMENTS, PAYOUT E2E-2026\n0304-03 OF MARCH'],
      },
    });
    for (const blockBytes of [1, 9]) expect(await read(file, { blockBytes })).toEqual(result);
  });

  test('may cut a record within a field, and end each line with one comma more', async () => {
    const cut = file
      .replace('16,475,1000,Z', '16,475,10\r\n88,00,Z')
      .replace('015,354272,,/', '015,354272,,,/')
      .replace('49,1056816,6', '49,1056816,7')
      .replace('98,1056816,1,8', '98,1056816,1,9')
      .replace('99,1056816,1,10', '99,1056816,1,11');
    const result = await read(cut);
    expect(result.findings).toEqual([]);
    expect(moneyIn(result)).toEqual(['2026-03-05 -10.00', '2026-03-05 3452.72']);
  });

  test('has the decimals of its currency', async () => {
    const yen = file.replace('0012345678,USD', '0012345678,JPY');
    expect(moneyIn(await read(yen))).toEqual(['2026-03-05 -1000', '2026-03-05 345272']);
    const unknown = await read(file.replace('0012345678,USD', '0012345678,XXQ'));
    expect(unknown.findings[0]).toMatchObject({ expected: 'a currency of ISO 4217' });
    expect(unknown.entries).toEqual([]);
  });

  test.each([
    ['of an account', '49,1056816,6', '49,1056817,6', 'line 8: record 1056817'],
    ['of records', '49,1056816,6', '49,1056816,7', 'line 8: record 7'],
    ['of credits', '100,345272,1', '100,345272,2', 'line 8: number of 100 2'],
  ])('is unreadable if a total %s is not that of its records', async (_, from, to, finding) => {
    const result = await read(file.replace(from, to));
    expect(findingsIn(result)).toEqual([finding]);
    expect(result.statements).toMatchObject([{ isWhole: false }]);
  });

  test('is unreadable if a total of the group or the file differs, or the end is missing', async () => {
    expect(findingsIn(await read(file.replace('98,1056816,1', '98,1056816,2')))).toEqual([
      'line 9: record 2',
    ]);
    expect(findingsIn(await read(file.replace('99,1056816', '99,1056815')))).toEqual([
      'line 10: record 1056815',
    ]);
    const cut = await read(linesOf(...records.slice(0, 5)));
    expect(cut.findings.map(({ expected }) => expected)).toEqual([
      'a record 49 at the end of the account',
      'a record 98 at the end of the group',
      'a record 99 at the end of the file',
    ]);
    expect(cut.statements).toMatchObject([{ isWhole: false }]);
  });

  test('of a day that is not over has pending entries and covers no days', async () => {
    const result = await read(file.replace('2359,,2/', '1200,,3/'));
    expect(moneyIn(result)).toEqual(['2026-03-05 -10.00 pending', '2026-03-05 3452.72 pending']);
    expect(result.statements).toMatchObject([{ from: '', opening: undefined }]);
  });

  test('takes nothing from a group that deletes or tests, and names what it does not know', async () => {
    const deleted = await read(file.replace('122099999,1,260305', '122099999,2,260305'));
    expect(deleted.entries).toEqual([]);
    expect(deleted.findings).toMatchObject([{ expected: 'a group of status 1' }]);
    const unknown = await read(file.replace('16,475', '16,720'));
    expect(unknown.findings[0]).toMatchObject({ place: { line: 7 }, element: 'entry' });
    expect(moneyIn(unknown)).toEqual(['2026-03-05 3452.72']);
    const signed = await read(file.replace('16,475,1000', '16,475,-1000'));
    expect(signed.findings[0]).toMatchObject({ place: { line: 7 } });
    const version = await read(file.replace(',,,2/', ',,,1/'));
    expect(version.findings).toMatchObject([{ expected: 'version 2 of BAI' }]);
  });

  test('may have a message without money', async () => {
    const message = file
      .replace('16,475,1000', '16,890,,Z,,,SEE BRANCH/\r\n16,475,1000')
      .replace('49,1056816,6', '49,1056816,7')
      .replace('98,1056816,1,8', '98,1056816,1,9')
      .replace('99,1056816,1,10', '99,1056816,1,11');
    expect((await read(message)).findings).toEqual([]);
  });
});
