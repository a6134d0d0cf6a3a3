import { type CauseCandidate, groupCandidate, type Hypothesis } from '../candidate.ts';
import { cause, choicesOf, countRules, type Part } from '../cause.ts';
import { type Amounts, addAmounts, noAmounts, timesAmounts } from '../delta.ts';
import { type BothSides, type Cell, type HeaderView, omitted, type RowTraits } from '../sides.ts';

/** `state_left_out`: the header leaves out the rows of one state, or has only these. */
export const stateLeftOut: Hypothesis = {
  code: 'state_left_out',
  dependsOn: 'cells',
  *candidates(sides) {
    const states = valuesOf(sides, ({ state }) => state);
    for (const state of states) {
      yield* withoutState(sides, state, false);
      // With two states, having only one is leaving out the other.
      if (states.length > 2) yield* withoutState(sides, state, true);
    }
  },
};

function* withoutState(sides: BothSides, state: string, only: boolean): Iterable<CauseCandidate> {
  const isLeftOut = (traits: RowTraits) => (traits.state === state) !== only;
  for (const count of countRules) {
    const facts = cause('state_left_out', { state, only, count });
    yield* groupCandidate(sides, facts, 1 + choicesOf(count), isLeftOut, omitted(count));
  }
}

/** `type_left_out`: the header leaves out the rows of one type, or their fees and tax. */
export const typeLeftOut: Hypothesis = {
  code: 'type_left_out',
  dependsOn: 'cells',
  *candidates(sides) {
    for (const type of valuesOf(sides, (traits) => traits.type)) {
      const isMeant = (traits: RowTraits) => traits.type === type;
      for (const count of countRules) {
        const facts = cause('type_left_out', { type, part: 'all', count });
        yield* groupCandidate(sides, facts, 1 + choicesOf(count), isMeant, omitted(count));
      }
      for (const part of partsOf(sides, isMeant).slice(1)) {
        const facts = cause('type_left_out', { type, part, count: 'stays' });
        yield* groupCandidate(sides, facts, 2, isMeant, times(part, 0n));
      }
    }
  },
};

/** `type_sign`: the rows of one type have the opposite sign in the header. */
export const typeSign: Hypothesis = {
  code: 'type_sign',
  dependsOn: 'cells',
  *candidates(sides) {
    for (const type of valuesOf(sides, (traits) => traits.type)) {
      const isMeant = (traits: RowTraits) => traits.type === type;
      for (const part of partsOf(sides, isMeant)) {
        const facts = cause('type_sign', { type, part });
        const free = part === 'all' ? 1 : 2;
        yield* groupCandidate(sides, facts, free, isMeant, times(part, -1n));
      }
    }
  },
};

/** All amounts of some rows, and, where it isn't the same, each part of them. */
function partsOf({ cells }: BothSides, isMeant: (traits: RowTraits) => boolean): readonly Part[] {
  const sum = cells
    .filter(isMeant)
    .reduce((total, { amounts }) => addAmounts(total, amounts), noAmounts);
  const hasBoth = sum.gross !== 0n && (sum.fees !== 0n || sum.tax !== 0n);
  return hasBoth ? ['all', 'gross', 'fees_and_tax'] : ['all'];
}

function times(part: Part, factor: bigint): HeaderView {
  return ({ count, amounts }) => ({ count, amounts: partTimes(amounts, part, factor) });
}

function partTimes(amounts: Amounts, part: Part, factor: bigint): Amounts {
  const { gross, fees, tax } = timesAmounts(amounts, factor);
  if (part === 'all') return { gross, fees, tax };
  return part === 'gross' ? { ...amounts, gross } : { ...amounts, fees, tax };
}

function valuesOf(sides: BothSides, traitOf: (cell: Cell) => string): readonly string[] {
  return [...new Set(sides.cells.filter(({ count }) => count > 0).map(traitOf))];
}
