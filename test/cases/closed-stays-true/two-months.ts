import {
  type Company,
  endToEndIdOf,
  type Listed,
  openCompany,
  textOf,
  writeStatement,
} from './company.ts';
import { balancesOf } from './ledger.ts';
import { booked, journal, newRegister, recording } from './words.ts';

/** The settlement of March that is closed, and the one of April (close.md, W1). */
export const march: Listed = {
  id: '621a2aa8-54c1-4f0e-9d7a-3b8e1c0f5a21',
  day: '2026-03-10',
  rows: [{ a: 20_000, f: 300, t: 60 }],
};
export const april: Listed = {
  id: '7d40c1b9-0e62-4b35-8f4c-95a7e2d613f0',
  day: '2026-04-07',
  rows: [{ a: 10_000, f: 150, t: 30 }],
};

/** What April's bank has of its own settlement. */
const own = { day: '2026-04-09', amount: 9820, id: endToEndIdOf(april) };

/** More money for the settlement of March, in April. */
export const more = (amount: number, day = '2026-04-14') => ({
  day,
  amount,
  id: endToEndIdOf(march),
});

/** March is booked and closed: paid in full, nothing in transit. */
export async function closedMarch(
  settings?: readonly string[],
  tables?: readonly string[],
): Promise<Company> {
  const company = await openCompany(settings, tables);
  company.becomes('2026-04-02');
  company.lists(march);
  await writeStatement(company.file('bank/2026-03.xml'), {
    period: ['2026-03-01', '2026-03-31'],
    opening: 100_000,
    entries: [{ day: '2026-03-12', amount: 19_640, id: endToEndIdOf(march) }],
  });
  const first = await journal(company, '2026-03', '1.journal', newRegister);
  const closed = await company.run(
    ...['close', '--month', '2026-03', ...booked(company), ...recording, newRegister],
  );
  if (first.exitCode !== 0 || closed.exitCode !== 0) {
    throw new Error(`${first.stderr}${closed.stdout}${closed.stderr}`);
  }
  return company;
}

/** April has come: its settlement is listed, and its statement is there. */
export async function aprilComes(
  company: Company,
  entries: Parameters<typeof writeStatement>[1]['entries'] = [],
): Promise<void> {
  company.becomes('2026-05-04');
  company.lists(april);
  await writeStatement(company.file('bank/2026-04.xml'), {
    period: ['2026-04-01', '2026-04-30'],
    opening: 119_640,
    entries: [own, ...entries],
  });
}

/** What these journals come to together. */
export const held = (company: Company, ...outputs: readonly string[]) =>
  balancesOf(outputs.map((output) => textOf(company.file(output))));
