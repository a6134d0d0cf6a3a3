import { keysOf } from '../../base/keys.ts';
import type { BankState, BankTotal, StateTotal } from '../../match/match.ts';
import type { BankStatement } from '../../model/bank.ts';
import { formatMinor } from '../../money/money.ts';
import { column, section, uuid } from '../common/blocks.ts';
import { amountText, capitalised, signedText } from '../common/phrase.ts';
import type { Section } from '../common/view.ts';
import { placeText } from './lines.ts';
import type { BankReport } from './report.ts';
import { bankStateWords } from './words.ts';

/** What an account has in one state. */
type TotalLine = BankTotal & { readonly state: BankState; readonly of: StateTotal };

/** What pay-outs and entries come to by account, currency and state. */
export function totalSections({ matching, names }: BankReport, most?: number): readonly Section[] {
  const states = keysOf(bankStateWords);
  const lines = matching.totals.flatMap((total) =>
    states.flatMap((state): readonly TotalLine[] => {
      const of = total.states.get(state);
      return of ? [{ ...total, state, of }] : [];
    }),
  );
  if (lines.length === 0) return [];
  const amount = (priority: number, title: string, minor: (of: StateTotal) => bigint) =>
    column<TotalLine>(priority, title, 'amount', ({ of, scale, accountingToken }) =>
      accountingToken === '' ? '' : formatMinor(minor(of), scale),
    );
  return [
    section<TotalLine>(
      'Totals by accounting token and currency',
      lines,
      [
        column(1, 'Account', 'text', ({ accountingToken: token }) =>
          token === '' ? '(entries alone)' : (names.get(token) ?? token),
        ),
        column(1, 'Currency', 'text', ({ currency }) => currency),
        column(1, 'State', 'text', ({ state }) => capitalised(bankStateWords[state])),
        column(1, 'Pay-outs', 'integer', ({ of }) => String(of.settlements)),
        column(4, 'Entries', 'integer', ({ of }) => String(of.entries)),
        amount(2, 'Expected', ({ expected }) => expected),
        amount(3, 'Received', ({ received }) => received),
        column(2, 'Net difference', 'difference', ({ of, scale }) =>
          signedText(of.difference.net, scale),
        ),
        column(5, 'Absolute difference', 'amount', ({ of, scale }) =>
          formatMinor(of.difference.absolute, scale),
        ),
      ],
      undefined,
      [],
      most,
    ),
  ];
}

/** The statements that were read, with their balances. */
export function statementSections(
  { statements: { statements } }: BankReport,
  most?: number,
): readonly Section[] {
  if (statements.length === 0) return [];
  const amount = (title: string, minor: (one: BankStatement) => bigint | undefined) =>
    column<BankStatement>(3, title, 'amount', (one) => amountText(minor(one), one.scale));
  return [
    section<BankStatement>(
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
      undefined,
      [],
      most,
    ),
  ];
}
