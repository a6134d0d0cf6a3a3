import { describe, expect, test } from 'vitest';
import { journal, newTypesIn, postingsInCsv, postingsInText, type ToldType } from './adapter.ts';
import { type Books, type Month, ofRows, withoutTypes } from './month.ts';
import { makeMonth, noType, seeds } from './month-maker.ts';
import { balances, type Judged, judge, type Posting } from './oracle.ts';
import { serveMonth } from './service.ts';

const byAccount = ({ account, currency }: Pick<Posting, 'account' | 'currency'>) =>
  `${account} | ${currency}`;
const bySettlement = (posting: Posting) => `${posting.settlement} | ${byAccount(posting)}`;
const byTransaction = (posting: Posting) => `${posting.transaction} | ${byAccount(posting)}`;

describe.each(seeds)('the journal of seed %i', (seed) => {
  const month = makeMonth(seed);

  test('has each amount on its account without types', () =>
    expectJournal(month, withoutTypes(month.books)));

  test('has each amount on its account by type', () => expectJournal(month, month.books));
});

async function expectJournal(month: Month, books: Books): Promise<void> {
  const right = judge(month, books);
  const { run } = await serveMonth(month);

  const csv = await run(journal('csv'), books);
  const postings = postingsInCsv(csv);
  expect(csv.exitCode).toBe(1);
  expect(balances(postings, bySettlement)).toEqual(balances(right.postings, bySettlement));
  expect(balances(postings, ({ entry, currency }) => `${entry} | ${currency}`)).toEqual(new Map());

  const detail = postingsInCsv(await run(journal('csv', '--detail'), books));
  expect(balances(detail, bySettlement)).toEqual(balances(right.postings, bySettlement));
  const made = (list: readonly Posting[]) => list.filter(({ transaction }) => transaction !== '');
  const ofRow = detail.filter(({ kind }) => ofRows.some((purpose) => purpose === kind));
  expect(balances(made(ofRow), byTransaction)).toEqual(
    balances(made(right.postings), byTransaction),
  );

  const accounts = balances(right.postings, byAccount);
  const days = postingsInCsv(await run(journal('csv', '--per', 'day'), books));
  expect(balances(days, byAccount)).toEqual(accounts);
  expectNewTypes(newTypesIn(csv.stderr), right);
  for (const format of ['hledger', 'ledger']) {
    const text = await run(journal(format), books);
    expect(balances(postingsInText(text), byAccount)).toEqual(accounts);
    expectNewTypes(newTypesIn(text.stderr), right);
    const comments = text.stdout.split('\n').filter((line) => line.startsWith(';'));
    expectNewTypes(newTypesIn(comments.join('\n')), right);
  }
}

/** Each type without an entry is told once, with its rows, amounts and accounts. */
function expectNewTypes(told: readonly ToldType[], { newTypes }: Judged): void {
  const named = [...newTypes].filter(([type]) => type !== noType);
  const found = told.filter(({ type }) => type !== noType);
  const of = (type: string) => found.filter((one) => one.type === type);
  expect([...new Set(found.map(({ type }) => type))].sort()).toEqual(
    named.map(([type]) => type).sort(),
  );
  // Whether an amount of 0 is told is the program's own affair.
  const notZero = (list: ToldType['amounts']) => list.filter(([, sum]) => sum !== 0n).sort();
  for (const [type, { rows, amounts, accounts }] of named) {
    const lines = of(type);
    const sum = lines.reduce((all, one) => all + one.rows, 0);
    const toldAmounts = notZero(lines.flatMap((one) => one.amounts));
    expect({ type, rows: sum, amounts: toldAmounts }).toEqual({
      ...{ type, rows, amounts: notZero([...amounts]) },
    });
    const bookedTo = lines.map((one) => one.bookedTo).join('\n');
    for (const account of accounts) expect(bookedTo).toContain(account);
  }
}
