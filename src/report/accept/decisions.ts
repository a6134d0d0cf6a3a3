import type { Decision } from '../../app/decisions.ts';
import { isOnlyAsked } from '../../app/review.ts';
import { tableOf } from '../../base/lists.ts';
import type { BankMatch, BankMatching } from '../../match/match.ts';
import { amountsCompared, differenceKey } from '../../model/accepted-difference.ts';
import type { Names } from '../../model/settlement.ts';
import type { Value } from '../../model/value.ts';
import {
  type DecisionColumn,
  decisionColumns,
  typedColumns,
  type WrittenDecision,
} from '../../register/decisions-file.ts';
import {
  entryText,
  matchReasonWords,
  nearText,
  nettedSentence,
  shortIdTexts,
  takenBackText,
} from '../bank/words.ts';
import { nextFor } from '../close/words.ts';
import { amountOf, type CellKind, type Records, records } from '../common/columns.ts';
import { accountName, present } from '../common/phrase.ts';

interface Context {
  readonly names: Names;
  /** Short explanations of pay-in differences, by settlement id. */
  readonly causes: ReadonlyMap<string, string>;
  /** Pay-outs that may be settled together. */
  readonly bank?:
    | { readonly matching: Pick<BankMatching, 'netted' | 'near' | 'takenBack'> }
    | undefined;
  /** What people have filled in. */
  readonly decided?: ReadonlyMap<Decision, Pick<WrittenDecision, 'cells'>>;
}

/** The list of decisions: a record a difference, for CSV and the sheet *Decisions*. */
export function decisionRecords(
  due: readonly Decision[],
  { names, causes, bank, decided }: Context,
): Records {
  const keyOf = ({ difference }: Decision) => differenceKey(difference);
  const seen = (figure: keyof ReturnType<typeof amountsCompared>) =>
    cell('amount', ({ difference }) =>
      amountOf(amountsCompared(difference)[figure], difference.scale),
    );
  const typed = tableOf(typedColumns, (key) =>
    cell('text', (one) => decided?.get(one)?.cells[key]),
  );
  const cells: Readonly<Record<DecisionColumn, Cell>> = {
    kind: cell('text', (one) => keyOf(one).kind),
    settlement_id: cell('text', (one) => keyOf(one).id),
    date: cell('day', (one) => keyOf(one).date),
    // An order is found again by its token.
    account: cell('text', (one) => {
      const { kind, account } = keyOf(one);
      return kind === 'order' ? account : accountName(names, account);
    }),
    currency: cell('text', ({ difference }) => difference.currency),
    expected_seen: seen('expected'),
    received_seen: seen('received'),
    difference_seen: seen('difference'),
    codes_seen: cell('text', ({ codes }) => codes),
    cause: cell('text', (one) =>
      one.match
        ? bankText(one.match, bank?.matching)
        : isOnlyAsked(one)
          ? nextFor('overdue')
          : causes.get(keyOf(one).id),
    ),
    ...typed,
  };
  return records(
    decisionColumns.map((key) => ({ key, ...cells[key] })),
    due,
  );
}

/** How the sheet shows them: on paper, what is needed to decide. */
export const decisionsLayout = {
  prose: ['cause', 'reason'],
  choices: { decision: ['accept', 'confirm', 'settled with', 'written off'] },
  aside: [
    ...['books_account', 'until', 'kind', 'account', 'expected_seen', 'received_seen'],
    'codes_seen',
  ],
};

interface Cell {
  readonly kind: CellKind;
  readonly value: (one: Decision) => Value;
}

function cell(kind: CellKind, value: Cell['value']): Cell {
  return { kind, value };
}

function bankText(match: BankMatch, all?: Pick<BankMatching, 'netted' | 'near' | 'takenBack'>) {
  const { reason, settlements, entries, scale } = match;
  const own = (all?.netted ?? []).filter((one) =>
    settlements.some(({ settlement }) => one.settlements.some(({ id }) => id === settlement.id)),
  );
  const texts = entries.map((share) => entryText(share, scale));
  const words = reason && matchReasonWords[reason];
  const hints = all ? [nearText(match, all.near), takenBackText(match, all.takenBack)] : [];
  return present(
    words,
    ...hints,
    ...own.map(nettedSentence),
    ...shortIdTexts(match),
    ...texts,
  ).join('; ');
}
