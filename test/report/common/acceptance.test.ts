import { expect, test } from 'vitest';
import { acceptanceChangeText } from '../../../src/report/common/acceptance.ts';

test('a changed account number is quoted as it is, and a changed amount has its thousands grouped', () => {
  const account = { field: 'account', before: 'NL1234567890123', after: 'DE79123456780000143027' };
  expect(acceptanceChangeText(account)).toBe(
    'account changed from NL1234567890123 to DE79123456780000143027',
  );
  const received = {
    field: 'received',
    before: { minor: 123456n, scale: 2 },
    after: { minor: 123450n, scale: 2 },
  };
  expect(acceptanceChangeText(received)).toBe('received changed from 1,234.56 to 1,234.50');
});
