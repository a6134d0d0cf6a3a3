import { keysOf } from '../../base/keys.ts';
import type { BankState, BankTotal, StateTotal } from '../../match/match.ts';
import type { BankStatement } from '../../model/bank.ts';
import { formatMinor } from '../../money/money.ts';
import { column, sectionIfAny, uuid } from '../common/blocks.ts';
import { amountText, signedText } from '../common/phrase.ts';
import type { Section } from '../common/view.ts';
import { placeText } from './lines.ts';
import type { BankReport } from './report.ts';
import { bankStateWords } from './words.ts';

/** What an account has in one state. */
type TotalLine = BankTotal & { readonly state: BankState; readonly of: StateTotal };

/** States in which a pay-out has money, which may differ from what it should be. */
const paidStates: readonly BankState[] = ['matched', 'difference', 'returned'];
const entryStates: readonly BankState[] = ['unknown_on_bank', 'unrelated'];

/** What pay-outs and entries come to by account, currency and state; entries without a pay-out last. */
export function totalSections({ matching, names }: BankReport, most?: number): readonly Section[] {
  const states = keysOf(bankStateWords);
  const lines = matching.totals.flatMap((total) =>
    states.flatMap((state): readonly TotalLine[] => {
      const of = total.states.get(state);
      return of ? [{ ...total, state, of }] : [];
    }),
  );
  const isOfEntries = ({ accountingToken }: TotalLine) => accountingToken === '';
  const ordered = [...lines.filter((one) => !isOfEntries(one)), ...lines.filter(isOfEntries)];
  const amount = (
    priority: number,
    title: string,
    isThere: (state: BankState) => boolean,
    minor: (of: StateTotal) => bigint,
  ) =>
    column<TotalLine>(priority, title, 'amount', ({ of, scale, state }) =>
      isThere(state) ? formatMinor(minor(of), scale) : '',
    );
  const isPaid = (state: BankState) => paidStates.includes(state);
  const isEntry = (state: BankState) => entryStates.includes(state);
  return sectionIfAny<TotalLine>(
    'Totals by accounting token and currency',
    ordered,
    [
      column(1, 'Account', 'text', ({ accountingToken: token }) =>
        token === '' ? 'no pay-out' : (names.get(token) ?? token),
      ),
      column(1, 'Currency', 'text', ({ currency }) => currency),
      column(1, 'State', 'text', ({ state }) => bankStateWords[state]),
      column(1, 'Pay-outs', 'integer', ({ of }) => String(of.settlements)),
      column(4, 'Entries', 'integer', ({ of }) => String(of.entries)),
      amount(
        2,
        'Expected',
        (state) => !isEntry(state),
        ({ expected }) => expected,
      ),
      amount(
        3,
        'Received',
        (one) => isPaid(one) || isEntry(one),
        ({ received }) => received,
      ),
      column(2, 'Net difference', 'difference', ({ of, scale, state }) =>
        isPaid(state) ? signedText(of.difference.net, scale) : '',
      ),
      amount(5, 'Absolute difference', isPaid, ({ difference }) => difference.absolute),
    ],
    most,
  );
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
      amount('Opening balance', ({ opening }) => opening),
      amount('Sum of entries', ({ sum }) => sum),
      amount('Closing balance', ({ closing }) => closing),
      column(5, 'Place', 'text', ({ place }) => placeText(place), uuid),
    ],
    most,
  );
}
