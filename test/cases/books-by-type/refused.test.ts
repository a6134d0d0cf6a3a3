import { describe, expect, test } from 'vitest';
import { journal } from './adapter.ts';
import { sandbox } from './service.ts';

const shop = '3f0c7a52-6d1e-4b8a-9c35-1e7d20a4b601';
const general = {
  ...{ in_transit: 'assets:in transit', bank: 'assets:bank', suspense: 'assets:suspense' },
  ...{ receivable: 'assets:receivable', fees: 'expenses:fees', tax: 'assets:tax' },
  accepted: 'expenses:accepted',
};
const refund = { receivable: 'income:refunds' };

const run = async (more: object) => (await sandbox()).run(journal('csv'), { ...general, ...more });

describe('settings that are in order are taken', () => {
  test.each<[string, object]>([
    ['one account of a type', { type: { refund } }],
    ['all accounts of a type', { type: { refund: { ...refund, fees: 'a:b', tax: 'a:c' } } }],
    ['a type that no row has', { type: { 'Refund (old)': refund } }],
    ['a type that is called as a setting', { type: { type: refund, fees: refund } }],
    ['a token with types alone', { token: { [shop]: { type: { refund } } } }],
    ['a token with accounts and types', { token: { [shop]: { tax: 'a:c', type: { refund } } } }],
  ])('%s', async (_, more) => {
    const { exitCode, stderr } = await run(more);
    expect(`${exitCode} ${stderr}`).toMatch(/^1 /);
    expect(stderr).not.toContain('error:');
  });
});

describe('settings that cannot be are refused, with file and key', () => {
  const ofType: readonly (readonly [string, key: string, type: unknown])[] = [
    ['a mistyped account', 'recievable', { refund: { recievable: 'a:b' } }],
    ['an account of another level', 'in_transit', { refund: { in_transit: 'a:b' } }],
    ['the bank', 'bank', { refund: { ...refund, bank: 'a:b' } }],
    ['suspense, which has no type', 'suspense', { refund: { ...refund, suspense: 'a:b' } }],
    ['a setting of the journal', 'declarations', { refund: { ...refund, declarations: false } }],
    ['a currency in a type', 'currency', { refund: { currency: { EUR: refund } } }],
    ['a type in a type', 'type', { refund: { type: { refund } } }],
    ['an account without a name', 'receivable', { refund: { receivable: '' } }],
    ['a list of accounts', 'receivable', { refund: { receivable: ['a:b'] } }],
    ['an account instead of a table', 'refund', { refund: 'income:refunds' }],
    ['a type without a name', 'type', { '': refund }],
  ];
  const places: readonly (readonly [string, (type: unknown) => object])[] = [
    ['of all tokens', (type) => ({ type })],
    ['of a token', (type) => ({ token: { [shop]: { type } } })],
  ];
  const cases = places.flatMap(([place, of]) =>
    ofType.map(([what, key, type]) => [what, place, key, of(type)] as const),
  );
  test.each(cases)('%s, in types %s', async (_, _place, key, more) => {
    const { exitCode, stdout, stderr } = await run(more);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain('config.toml');
    expect(stderr).toMatch(/\bbooks\..*\btype\b/);
    expect(stderr).toMatch(new RegExp(`\\b${key}\\b`));
  });

  test('types of a currency', async () => {
    const { exitCode, stderr } = await run({ currency: { EUR: { type: { refund } } } });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('books.currency.EUR.type');
  });
});
