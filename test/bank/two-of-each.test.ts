import { expect, test } from 'vitest';
import { document, entryOn } from './camt-message.ts';
import { amountOf, payments, read, readFiles } from './reading.ts';

const day = '2026-03-05';

/** An account's statement of a day, and a notification, which counts only where no statement covers the day. */
const files = (notified: { readonly account?: string; readonly currency?: string }) => ({
  statement: document({ period: [day, day], entries: [entryOn(day, '12.00')] }),
  notification: document({
    kind: '054',
    ...notified,
    entries: [entryOn(day, '99.00').replaceAll('"EUR"', `"${notified.currency ?? 'EUR'}"`)],
  }),
});

test.each([
  ['currency of the account', { currency: 'USD' }],
  ['account', { account: 'DE79123456780000143027' }],
])('a statement leaves out no entry of another %s', async (_, notified) => {
  const amountsIn = async (all: Readonly<Record<string, string>>) =>
    (await readFiles(all)).entries.map(amountOf).sort();
  expect(await amountsIn(files(notified))).toEqual(['12.00', '99.00']);
  expect(await amountsIn(files({}))).toEqual(['12.00']);
});

test('equal entries have the same ids in any order, in one file or in several', async () => {
  const paid = (text: string) =>
    entryOn(
      day,
      '12.00',
      `<AcctSvcrRef>REF-1</AcctSvcrRef>${payments(`<RmtInf><Ustrd>${text}</Ustrd></RmtInf>`)}`,
    );
  const texts = ['invoice 1', 'invoice 2', 'invoice 3'];
  const idsIn = async (reading: ReturnType<typeof read>) =>
    (await reading).entries.map(({ id, details }) => `${id} ${details.texts.join()}`).sort();
  const inOrder = (all: readonly string[]) =>
    read(document({ period: [day, day], entries: all.map(paid) }));
  const ids = await idsIn(inOrder(texts));
  expect(new Set(ids).size).toBe(3);
  expect(await idsIn(inOrder(texts.toReversed()))).toEqual(ids);
  // The same day in two files, of which each has the entries in another order.
  const twice = await readFiles({
    one: document({ period: [day, day], entries: texts.toReversed().map(paid) }),
    two: document({ period: [day, day], entries: texts.map(paid) }),
  });
  expect(await idsIn(Promise.resolve(twice))).toEqual(ids);
});
