import type { Books, View } from '../books.ts';
import { type Candidate, groupCandidate, type Hypothesis } from '../candidate.ts';
import { type CountRule, cause, type Part } from '../cause.ts';
import type { Cell, RowTraits } from '../cells.ts';
import { type Amounts, addAmounts, noAmounts, timesAmounts } from '../delta.ts';

const countRules: readonly CountRule[] = ['follows', 'stays'];

/** `state_left_out`: the header leaves out the rows of one state, or has only these. */
export const stateLeftOut: Hypothesis = {
  code: 'state_left_out',
  dependsOn: 'cells',
  *candidates(books) {
    const states = valuesOf(books, ({ state }) => state);
    for (const state of states) {
      yield* withoutState(books, state, false);
      // With two states, having only one is leaving out the other.
      if (states.length > 2) yield* withoutState(books, state, true);
    }
  },
};

function* withoutState(books: Books, state: string, only: boolean): Iterable<Candidate> {
  const isLeftOut = (traits: RowTraits) => (traits.state === state) !== only;
  for (const count of countRules) {
    const facts = cause('state_left_out', { state, only, count });
    yield* groupCandidate(books, { cause: facts, free: freeOf(count) }, isLeftOut, leftOut(count));
  }
}

/** `type_left_out`: the header leaves out the rows of one type, or their fees and tax. */
export const typeLeftOut: Hypothesis = {
  code: 'type_left_out',
  dependsOn: 'cells',
  *candidates(books) {
    for (const type of valuesOf(books, (traits) => traits.type)) {
      const isMeant = (traits: RowTraits) => traits.type === type;
      for (const count of countRules) {
        const facts = cause('type_left_out', { type, part: 'all', count });
        yield* groupCandidate(
          books,
          { cause: facts, free: freeOf(count) },
          isMeant,
          leftOut(count),
        );
      }
      for (const part of partsOf(books, isMeant).slice(1)) {
        const facts = cause('type_left_out', { type, part, count: 'stays' });
        yield* groupCandidate(books, { cause: facts, free: 2 }, isMeant, times(part, 0n));
      }
    }
  },
};

/** `type_sign`: the rows of one type have the opposite sign in the header. */
export const typeSign: Hypothesis = {
  code: 'type_sign',
  dependsOn: 'cells',
  *candidates(books) {
    for (const type of valuesOf(books, (traits) => traits.type)) {
      const isMeant = (traits: RowTraits) => traits.type === type;
      for (const part of partsOf(books, isMeant)) {
        const facts = cause('type_sign', { type, part });
        const free = part === 'all' ? 1 : 2;
        yield* groupCandidate(books, { cause: facts, free }, isMeant, times(part, -1n));
      }
    }
  },
};

/** All amounts of some rows, and, where it isn't the same, each part of them. */
function partsOf({ cells }: Books, isMeant: (traits: RowTraits) => boolean): readonly Part[] {
  const sum = cells
    .filter(isMeant)
    .reduce((total, { amounts }) => addAmounts(total, amounts), noAmounts);
  const hasBoth = sum.gross !== 0n && (sum.fees !== 0n || sum.tax !== 0n);
  return hasBoth ? ['all', 'gross', 'fees_and_tax'] : ['all'];
}

function freeOf(count: CountRule): number {
  return count === 'follows' ? 1 : 2;
}

function leftOut(rule: CountRule): View {
  return ({ count }) => ({ count: rule === 'follows' ? 0 : count, amounts: noAmounts });
}

function times(part: Part, factor: bigint): View {
  return ({ count, amounts }) => ({ count, amounts: partTimes(amounts, part, factor) });
}

function partTimes(amounts: Amounts, part: Part, factor: bigint): Amounts {
  const { gross, fees, tax } = timesAmounts(amounts, factor);
  if (part === 'all') return { gross, fees, tax };
  return part === 'gross' ? { ...amounts, gross } : { ...amounts, fees, tax };
}

function valuesOf(books: Books, traitOf: (cell: Cell) => string): readonly string[] {
  return [...new Set(books.cells.filter(({ count }) => count > 0).map(traitOf))];
}
