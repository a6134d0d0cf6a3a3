import { plainEntry } from '../model/bank.ts';
import { EntryColumns } from './entry-columns.ts';
import type { WrittenStatement } from './written.ts';

/** Bank code and number of a German account, as MT940 has them; its IBAN is made of the same digits. */
const germanNumber = /^(\d{8})\/(\d{1,10})(?:[A-Z]{3})?$/;

/**
 * The same statements, each account by one name: a German one by its IBAN where any of them has that.
 * Else the same entries from MT940 and camt would count twice.
 */
export function withOneNameEach(
  statements: readonly WrittenStatement[],
): readonly WrittenStatement[] {
  const ibans = new Map(
    statements
      .filter(({ account }) => /^DE\d{20}$/.test(account))
      .map(({ account }) => [account.slice(4), account]),
  );
  return statements.map((statement) => {
    const [, bank = '', number = ''] = germanNumber.exec(statement.account) ?? [];
    const account = ibans.get(bank + number.padStart(10, '0'));
    if (account === undefined) return statement;
    const entries = new EntryColumns();
    for (const entry of statement.entries) entries.push({ ...plainEntry(entry), account });
    return { ...statement, account, entries };
  });
}
