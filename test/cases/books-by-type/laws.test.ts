import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runRecon } from '../../support/run-recon.ts';
import {
  type Booked,
  booksSettings,
  journal,
  newTypesIn,
  postingsInCsv,
  reserveKey,
} from './adapter.ts';
import { type Books, type Month, type Settlement, withoutTypes } from './month.ts';
import { makeMonth } from './month-maker.ts';
import { balances, judge, type Posting } from './oracle.ts';
import { serveMonth } from './service.ts';

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);

describe('without types the journal is as before, to the byte', () => {
  // Change a digest only with a change that is meant to change journals without types.
  test.each([
    ['csv', 'b357f4d302d4bf19'],
    ['csv --detail', '88fd3273a445d50f'],
    ['csv --per day', 'dd6e9dc71eadf69a'],
    ['hledger', 'f4cb00ca5951e31a'],
    ['ledger', 'a3e1da4487d63be6'],
    ['beancount', 'd48fbd52749286ec'],
    ['datev', '6096e6458c61932b'],
  ])('%s', async (format, digest) => {
    const [name = '', ...flags] = format.split(' ');
    const { stdout } = await runRecon([...journal(name, ...flags), '--sandbox']);
    expect(digestOf(stdout)).toBe(digest);
  });
});

const unused = { receivable: 'unused:a', fees: 'unused:b', tax: 'unused:c' };
const more = (books: Books, type: string, accounts = unused): Books => ({
  ...books,
  type: new Map([[type, accounts], ...books.type]),
});

describe('whatever is mapped', () => {
  test('an entry for a type that no row has changes no posting', async () => {
    const month = makeMonth(4);
    const { run } = await serveMonth(month);
    for (const format of ['csv', 'hledger']) {
      const once = await run(journal(format), month.books);
      expect((await run(journal(format), more(month.books, 'no such type'))).stdout).toBe(
        once.stdout,
      );
    }
    const plain = withoutTypes(month.books);
    const once = await run(journal('csv'), plain);
    expect((await run(journal('csv'), more(plain, 'PURCHASE'))).stdout).toBe(once.stdout);
    expect(newTypesIn(once.stderr)).toEqual([]);
  });

  test('the sums over all types are the sums without types', async () => {
    const month = makeMonth(5);
    const { run } = await serveMonth(month);
    const sums = async (books: Books) =>
      balances(postingsInCsv(await run(journal('csv'), books)), (posting: Booked) =>
        [posting.settlement, posting.currency, posting.kind].join(' | '),
      );
    expect(await sums(month.books)).toEqual(await sums(withoutTypes(month.books)));
  });

  test('the order of the entries does not matter, and neither does where they stand', async () => {
    const month = makeMonth(6);
    const { books } = month;
    const { run } = await serveMonth(month);
    const once = await run(journal('csv'), books);
    const type = new Map([...books.type].reverse());
    const tokenType = new Map([...books.tokenType].reverse());
    expect(await run(journal('csv'), { ...books, type, tokenType })).toEqual(once);
    const env = { RECON_BOOKS: JSON.stringify(booksSettings(books)) };
    const general = withoutTypes(books);
    expect(await run(journal('csv'), general, env)).toEqual(once);
  });

  test('the reserve is debited with what is held back, and credited with what is paid from it', async () => {
    const { books, rules, settlements } = makeMonth(7);
    const [one, other] = settlements.map((settlement) => {
      const [sale, kept] = settlement.rows;
      if (!sale || !kept) throw new RangeError('Too few transactions');
      return (receivable: bigint) => ({
        ...settlement,
        rows: [
          { ...sale, type: 'purchase', state: 'approved' },
          { ...kept, type: 'reserve', state: 'approved', isTwice: true, receivable },
        ],
      });
    });
    if (!one || !other) throw new RangeError('Too few settlements');
    // The second settlement has a decimal place more.
    const [held, paid] = [one(-1_000n), other(4_000n)];
    const reserve = new Map([['reserve', { [reserveKey]: 'assets:reserve' }]]);
    const onlyReserve = { ...withoutTypes(books), type: reserve };
    const balance = async (...settlements: Settlement[]) => {
      const { run } = await serveMonth({ settlements, rules });
      const found = postingsInCsv(await run(journal('csv'), onlyReserve));
      return balances(found, ({ account }) => account).get('assets:reserve');
    };
    expect(await balance(held)).toBe(10_000_000n);
    expect(await balance(paid)).toBe(-4_000_000n);
    expect(await balance(held, paid)).toBe(6_000_000n);
  });
});

describe('what is booked', () => {
  const first = makeMonth(8);
  const { books } = first;
  const plain = withoutTypes(books);

  /** Books a month without types, then what has become of it, with other accounts. */
  async function bookTwice(then: Omit<Month, 'books'>, others: Books) {
    const { folder, run } = await serveMonth(first);
    const later = await serveMonth(then);
    const booked = ['--booked', join(folder, 'booked.csv')];
    const file = (name: string) => ['--output', join(folder, name)];
    await run(journal('csv', ...booked, '--new-register', ...file('1.csv')), plain);
    await later.run(journal('csv', ...booked, '--rebind', ...file('2.csv')), others);
    const files = (await readdir(folder)).filter((name) => /^\d\.csv$/.test(name)).sort();
    const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
    return texts.map((stdout) => postingsInCsv({ stdout }));
  }

  const mappings = [plain, books];
  test.each(mappings)('is not booked again on other accounts', async (others) => {
    expect(await bookTwice(first, others)).toHaveLength(1);
  });

  test.each(mappings)('is reversed where it stands once it is restated', async (others) => {
    const [one, ...rest] = first.settlements;
    if (!one) throw new RangeError('No settlement');
    const restated = { ...one, grossWithoutRow: 777n };
    const found = (await bookTwice({ ...first, settlements: [restated, ...rest] }, others)).flat();
    const judged = (month: Omit<Month, 'books'>, mapping: Books) => judge(month, mapping).postings;
    const right = [
      ...judged({ ...first, settlements: rest }, plain),
      ...judged({ ...first, settlements: [restated] }, others),
    ];
    const key = ({ settlement, account, currency }: Posting) =>
      [settlement, account, currency].join(' | ');
    expect(balances(found, key)).toEqual(balances(right, key));
  });
});
