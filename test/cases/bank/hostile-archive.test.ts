import { join } from 'node:path';
import { constants, deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { bankOf, folderOf, isNamed } from '../../bank/bank-report.ts';
import { document, entryOn } from '../../bank/camt-message.ts';
import { start } from '../../support/built-program.ts';
import { Random } from '../../support/random.ts';
import { booked, swift } from './mt940-message.ts';
import { type Member, zipOf } from './zip-file.ts';

const period = ['2026-03-02', '2026-03-06'] as const;
const xml = (amount: string, account?: string) =>
  document({ period, ...(account && { account }), entries: [entryOn('2026-03-05', amount)] });
const other = xml('1.00', 'NL91ABNA0417164300');
const text = xml('9880.00');
const money = ['2026-03-05 9880.00 EUR'];
const altered = Buffer.from(text.replace('9880.00', '8880.00'));

/** The bytes of a member with one byte of its amount changed. */
const changed = (packed: Uint8Array) => {
  const bytes = Buffer.from(packed);
  const at = bytes.indexOf('9880.00');
  expect(at).toBeGreaterThan(0);
  bytes.write('8', at);
  return bytes;
};

describe('a member whose bytes are not those that were packed', () => {
  const name = 'march.xml';
  const content = text;
  const bad: Readonly<Record<string, Member>> = {
    'stored, with one byte changed': { name, content, isStored: true, packed: altered },
    'in blocks that are not packed, with one byte changed': {
      name,
      content,
      packed: changed(deflateRawSync(content, { level: 0 })),
    },
    'packed, with other content of the same length': {
      name,
      content,
      packed: deflateRawSync(altered),
    },
    'stored, with its sum behind it and one byte changed': {
      name,
      content,
      isStored: true,
      isStreamed: true,
      packed: altered,
    },
    'with another sum in the directory': { name, content, crc: 0x12345678 },
    'with a sum of zero': { name, content, crc: 0 },
    'stored, with a sum of zero': { name, content, isStored: true, crc: 0 },
    'with a smaller size announced': { name, content, size: 400 },
    'with a size of zero announced': { name, content, size: 0 },
    'stored, with a smaller size announced': {
      name,
      content,
      isStored: true,
      size: 400,
      packedSize: 400,
    },
    'with half of its bytes': {
      name,
      content,
      packed: deflateRawSync(content).subarray(0, 100),
    },
    'packed in a way that is not known': { name, content, method: 9 },
    'that names another way of packing': { name, content, method: 0 },
  };

  test.each(Object.entries(bad))('is not read as money: %s', async (_, member) => {
    const run = await bankOf({ 'bank.zip': zipOf([member]) });
    expect(run.money).toEqual([]);
    expect([2, 4]).toContain(run.exitCode);
    expect(run.stdout + run.stderr).toContain('bank.zip');
  });

  test.each(Object.entries(bad))('is named beside a good member: %s', async (_, member) => {
    const archive = zipOf([{ name: 'good.xml', content: other }, member]);
    const run = await bankOf({ 'bank.zip': archive });
    expect(run.money.filter((one) => one !== '2026-03-05 1.00 EUR')).toEqual([]);
    expect([2, 4]).toContain(run.exitCode);
    expect(run.stdout + run.stderr).toContain('bank.zip');
  });

  test('is named with its file and its place, and the other members count', async () => {
    const archive = zipOf([
      { name: 'good.xml', content: other },
      { name, content, isStored: true, packed: altered },
      { name: 'more.sta', content: swift({ lines: [booked(5, 'C2,00')] }), level: 9 },
    ]);
    const run = await bankOf({ 'bank.zip': archive });
    expect(run.money).toEqual(['2026-03-05 1.00 EUR', '2026-03-05 2.00 EUR']);
    expect(run.exitCode).toBe(4);
    expect(run.codes).toEqual(['unreadable']);
    expect(run.report.statementFindings[0]?.file).toContain('bank.zip:march.xml');
  });

  test('is named if it is MT940', async () => {
    const statement = swift({ lines: [booked(5, 'C9880,00')] });
    const archive = zipOf([
      {
        name: 'a.sta',
        content: statement,
        isStored: true,
        // Both the entry and the closing balance: they still add up.
        packed: Buffer.from(statement.replaceAll('9880', '8880')),
      },
    ]);
    const run = await bankOf({ 'bank.zip': archive });
    expect(run.money).toEqual([]);
    expect([2, 4]).toContain(run.exitCode);
  });

  test('is named if it is CSV', async () => {
    const csv = { date: 'Date', amount: 'Amount', currency: 'EUR' };
    const content = 'Date,Amount\r\n2026-03-05,9880.00\r\n';
    const good = await bankOf({ 'bank.zip': zipOf([{ name: 'a.csv', content }]) }, { csv });
    const packed = Buffer.from(content.replace('9880', '8880'));
    const member = { name: 'a.csv', content, isStored: true, packed };
    const run = await bankOf({ 'bank.zip': zipOf([member]) }, { csv });
    expect(good.money).toEqual(money);
    expect(run.money).toEqual([]);
    expect([2, 4]).toContain(run.exitCode);
  });
});

describe('an archive that is whole', () => {
  const member = { name: 'march.xml', content: text };
  const good: Readonly<Record<string, Buffer>> = {
    packed: zipOf([member]),
    stored: zipOf([{ ...member, isStored: true }]),
    'in blocks that are not packed': zipOf([{ ...member, level: 0 }]),
    'with sums behind the bytes': zipOf([{ ...member, isStreamed: true }]),
    'stored, with sums behind the bytes': zipOf([{ ...member, isStored: true, isStreamed: true }]),
    'with a comment': zipOf([member], { comment: Buffer.from('from the bank') }),
    'with sizes of 64 bits': zipOf([{ ...member, isLarge: true }]),
    'with folders': zipOf([
      { name: 'bank/', content: '', isStored: true },
      { name: 'bank/march/', content: '', isStored: true },
      { name: 'bank/march/1.xml', content: text },
    ]),
    'with a name beyond ASCII': zipOf([{ name: 'M\u00e4rz/\u00fcbersicht.xml', content: text }]),
    'with things that are no statements': zipOf([
      member,
      { name: '__MACOSX/._march.xml', content: 'junk' },
      { name: 'read me.txt', content: 'Call the bank' },
      { name: 'empty.txt', content: '', isStored: true },
    ]),
    'with the same statement twice': zipOf([member, { name: 'copy.xml', content: text }]),
  };
  test.each(Object.entries(good))('is read: %s', async (_, bytes) => {
    const run = await bankOf({ 'bank.zip': bytes });
    expect(run.money).toEqual(money);
    expect(run.codes.filter((code) => code !== 'other_file')).toEqual([]);
    expect(run.exitCode).toBe(0);
  });

  test.each([
    ['with a larger size announced', { size: text.length + 1000 }],
    ['with the flag of a password', { flags: 1 }],
  ] as const)('is read or named if it has %s', async (_, said) => {
    const run = await bankOf({ 'bank.zip': zipOf([{ ...member, ...said }]) });
    if (run.exitCode === 0) expect(run.money).toEqual(money);
    else expect(run.stdout + run.stderr).toContain('bank.zip');
  });

  test('has two members of one name: both are read or named', async () => {
    const both = zipOf([member, { name: 'march.xml', content: other }]);
    const run = await bankOf({ 'bank.zip': both });
    const isRead = run.money.length === 2;
    expect(isRead || isNamed(run, 'bank.zip')).toBe(true);
  });
});

describe('an archive that is broken', () => {
  const whole = zipOf([
    { name: 'good.xml', content: other },
    { name: 'march.xml', content: text },
  ]);
  const end = whole.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  const cut: Readonly<Record<string, Buffer>> = {
    'without its directory': whole.subarray(0, whole.indexOf('PK\x01\x02', 0, 'latin1')),
    'without its end': whole.subarray(0, end),
    'in its end': whole.subarray(0, end + 10),
    'in the middle': whole.subarray(0, whole.length / 2),
    'after its first bytes': whole.subarray(0, 40),
    'by bytes in the middle that are gone': Buffer.concat([
      whole.subarray(0, 300),
      whole.subarray(310),
    ]),
    'by an end that is another archive': zipOf([{ name: 'march.xml', content: text }], {
      comment: Buffer.concat([Buffer.from('PK\x05\x06', 'latin1'), Buffer.alloc(18)]),
    }),
  };
  test.each(Object.entries(cut))('is named, and no money is lost unnamed: %s', async (_, bytes) => {
    const run = await bankOf({ 'bank.zip': bytes });
    expect([0, 2, 4]).toContain(run.exitCode);
    if (run.exitCode === 0) {
      expect(run.money).toContain(money[0]);
    } else {
      expect(run.stdout + run.stderr).toContain('bank.zip');
      for (const one of run.money) expect(['2026-03-05 1.00 EUR', money[0]]).toContain(one);
    }
  });

  test('gives the same or is named after any one bit is changed', async () => {
    const random = new Random(33);
    const wrong: string[] = [];
    for (let count = 0; count < 150; count++) {
      const isStored = random.chance(50);
      const level = random.pick([0, 1, 6, 9]);
      const isStreamed = random.chance(30);
      const bytes = zipOf([{ name: 'march.xml', content: text, isStored, level, isStreamed }]);
      const bit = random.int(0, bytes.length * 8 - 1);
      bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const run = await bankOf({ 'bank.zip': bytes });
      const isSame = run.exitCode === 0 && run.money.join() === money.join();
      const isSaid = [2, 4].includes(run.exitCode) && run.money.every((one) => money.includes(one));
      const isNamed = (run.stdout + run.stderr).includes('bank.zip');
      if (!isSame && !(isSaid && isNamed))
        wrong.push(`${isStored}, ${level}, bit ${bit}: ${run.exitCode} ${run.money}`);
    }
    expect(wrong).toEqual([]);
  });
});

describe('an archive that would fill the memory', () => {
  /** Three thousand times a million blanks, behind the beginning of a statement. */
  function bomb(): Buffer {
    const beginning = Buffer.from(text.slice(0, text.indexOf('<Ntry>')));
    const flushed = { level: 9, finishFlush: constants.Z_FULL_FLUSH };
    const blanks = deflateRawSync(Buffer.alloc(1_000_000, ' '), flushed);
    return Buffer.concat([
      deflateRawSync(beginning, flushed),
      ...Array.from({ length: 3000 }, () => blanks),
      deflateRawSync(Buffer.alloc(0)),
    ]);
  }
  const sizes = {
    'with its true size': 3_000_000_000,
    'with the size of a letter': 1_000,
    'with a size of zero': 0,
  };

  test.each(Object.entries(sizes))(
    'is refused soon, and named: %s',
    async (_, size) => {
      const member = { name: 'march.xml', content: '', packed: bomb(), size };
      const folder = await folderOf({ 'bank.zip': zipOf([member]) });
      const asked = ['--sandbox', '--scenario', 'empty', '--format', 'table'];
      const { ended, out, err } = start(['bank', join(folder, 'bank.zip'), ...asked]);
      expect([2, 4]).toContain(await ended);
      expect(out() + err()).toContain('bank.zip');
    },
    10_000,
  );
});
