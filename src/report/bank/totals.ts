import { keysOf } from '../../base/keys.ts';
import type { BankState, BankTotal } from '../../match/match.ts';
import type { BankStatement } from '../../model/bank.ts';
import { column, sectionIfAny, uuid } from '../common/blocks.ts';
import { amountText, signedText } from '../common/phrase.ts';
import type { Section } from '../common/view.ts';
import { placeText } from './lines.ts';
import type { BankReport } from './report.ts';
import { bankStates, notCheckedText } from './words.ts';

/** States in which a pay-out has money, which may differ from what it should be. */
const paidStates: readonly BankState[] = ['matched', 'difference', 'returned'];
const entryStates: readonly BankState[] = ['unknown_on_bank', 'unrelated'];

/** What an account has in its states; of each, the amounts that it can have. */
function linesOf({ states, ...whose }: BankTotal) {
  return keysOf(bankStates).flatMap((state) => {
    const of = states.get(state);
    if (!of) return [];
    const [isPaid, isEntry] = [paidStates, entryStates].map((all) => all.includes(state));
    const { settlements, entries, expected, received, difference } = of;
    return {
      ...{ ...whose, state, settlements, entries },
      expected: isEntry ? undefined : expected,
      received: isPaid || isEntry ? received : undefined,
      difference: isPaid ? difference : undefined,
    };
  });
}

type TotalLine = ReturnType<typeof linesOf>[number];

/** What pay-outs and entries come to by account, currency and state; entries without a pay-out last. */
export function totalSections({ matching, names }: BankReport, most?: number): readonly Section[] {
  const lines = matching.totals.flatMap(linesOf);
  const isOfEntries = ({ accountingToken }: TotalLine) => accountingToken === '';
  const amount = (priority: number, title: string, of: (line: TotalLine) => bigint | undefined) =>
    column<TotalLine>(priority, title, 'amount', (line) => amountText(of(line), line.scale));
  return sectionIfAny<TotalLine>(
    'Totals by account and currency',
    [...lines.filter((one) => !isOfEntries(one)), ...lines.filter(isOfEntries)],
    [
      column(1, 'Account', 'text', ({ accountingToken: token }) =>
        token === '' ? 'no pay-out' : (names.get(token) ?? token),
      ),
      column(1, 'Currency', 'text', ({ currency }) => currency),
      column(1, 'State', 'text', ({ state }) => bankStates[state][0]),
      column(1, 'Pay-outs', 'integer', ({ settlements }) => String(settlements)),
      column(4, 'Entries', 'integer', ({ entries }) => String(entries)),
      amount(2, 'Expected', ({ expected }) => expected),
      amount(3, 'Received', ({ received }) => received),
      column(2, 'Net difference', 'difference', ({ difference, scale }) =>
        signedText(difference?.net, scale),
      ),
      amount(5, 'Absolute difference', ({ difference }) => difference?.absolute),
    ],
    { most },
  );
}

/** Whether the balances of a statement and its entries were compared. */
function checkedText({ notChecked, opening = 0n, sum, closing = 0n }: BankStatement): string {
  if (notChecked) return `not checked: ${notCheckedText(notChecked)}`;
  return opening + sum === closing ? 'checked' : 'checked: do not add up';
}

/** The statements that were read, with their balances. */
export function statementSections(
  { statements: { statements } }: BankReport,
  most?: number,
): readonly Section[] {
  const amount = (title: string, minor: (one: BankStatement) => bigint | undefined) =>
    column<BankStatement>(3, title, 'amount', (one) => amountText(minor(one), one.scale));
  return sectionIfAny<BankStatement>(
    'Statements',
    statements,
    [
      column(1, 'Bank account', 'text', ({ account }) => account, uuid),
      column(1, 'Currency', 'text', ({ currency }) => currency),
      column(4, 'Number', 'text', ({ number }) => number),
      column(1, 'First day', 'text', ({ from }) => from),
      column(1, 'Last day', 'text', ({ to }) => to),
      column(2, 'Entries', 'integer', ({ entries }) => String(entries)),
      column(1, 'Balances', 'text', checkedText),
      amount('Opening balance', ({ opening }) => opening),
      amount('Sum of entries', ({ sum }) => sum),
      amount('Closing balance', ({ closing }) => closing),
      column(5, 'Place', 'text', ({ place }) => placeText(place), uuid),
    ],
    { most },
  );
}
