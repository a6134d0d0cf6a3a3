import type { Amounts } from '../../model/settlement.ts';
import { formatMinor, magnitude } from '../../money/money.ts';
import { rounded } from '../../money/rate.ts';
import { bitsOf } from '../bits.ts';
import type { CauseCandidate, Hypothesis, SeenRow } from '../candidate.ts';
import type { BothSides, HeaderView, RowTraits } from '../case.ts';
import { type Cause, type CountRule, cause, causesBy, type Part, scalePowers } from '../cause.ts';
import { minus, noTally, plus, shift, type Tally, total } from '../tally.ts';

/** `foreign_settlement_rows`: the header leaves out rows that say they belong elsewhere. */
const foreignSettlementRows: Hypothesis = {
  code: 'foreign_settlement_rows',
  dependsOn: 'cells',
  *candidates(sides) {
    const own = sides.subject.settlement.id.toLowerCase();
    const isForeign = (id: string) => id !== '' && id.toLowerCase() !== own;
    const sets = allAndEach(sides, 'settlementId', isForeign);
    for (const settlementIds of sets) {
      const has = (traits: RowTraits) => settlementIds.includes(traits.settlementId);
      const causes = causesBy((count) =>
        cause('foreign_settlement_rows', { settlementIds, count }),
      );
      yield* leftOut(sides, causes, settlementIds.length > 1 ? 1 : sets.length, has);
    }
  },
};

/** `foreign_currency_rows`: the header adds amounts of another currency, or does not count these rows. */
const foreignCurrencyRows: Hypothesis = {
  code: 'foreign_currency_rows',
  dependsOn: 'cells',
  *candidates(sides) {
    const own = sides.subject.settlement.currency;
    const sets = allAndEach(sides, 'currency', (currency) => currency !== own);
    for (const currencies of sets) {
      yield* readings(sides, currencies, currencies.length > 1 ? 1 : sets.length);
    }
  },
};

function* readings(
  sides: BothSides,
  currencies: readonly string[],
  choices: number,
): Iterable<CauseCandidate> {
  const { settlement, scale } = sides.subject;
  const has = (traits: RowTraits) => currencies.includes(traits.currency);
  const isListedOtherwise = sides.cells.some(
    (cell) => has(cell) && cell.scale !== settlement.scale,
  );
  for (const reading of isListedOtherwise
    ? (['included', 'digits'] as const)
    : (['included'] as const)) {
    for (const count of ['stays', 'follows'] as const) {
      const facts = cause('foreign_currency_rows', { currencies, reading, count });
      const view: HeaderView = (cell) => {
        const from = reading === 'digits' ? settlement.scale : cell.scale;
        const read = shift(cell.listed, scale - from);
        return read && { ...plus(cell.sum, read), count: count === 'stays' ? cell.sum.count : 0 };
      };
      yield* groupCandidate(sides, facts, choices, has, view);
    }
  }
  const facts = { currencies, reading: 'left_out', count: 'follows' } as const;
  const uncounted: HeaderView = ({ sum }) => ({ ...sum, count: 0 });
  yield* groupCandidate(sides, cause('foreign_currency_rows', facts), choices, has, uncounted);
}

/** `foreign_currency_rows` at one rate: gross, fees and tax agree on it, but for the rounding of each row. */
const convertedRows: Hypothesis = {
  code: 'foreign_currency_rows',
  dependsOn: 'target',
  canMake: isOfAmounts,
  *candidates({ subject: { target, settlement, scale }, cells }) {
    const foreign = cells.filter(
      ({ currency, sum }) => currency !== settlement.currency && sum.count > 0,
    );
    const [first] = foreign;
    const isOfOneKind = foreign.every(
      (one) => one.currency === first?.currency && one.scale === first.scale,
    );
    if (!first || !isOfOneKind || !isOfAmounts(target)) return;
    const { count, ...listed } = total(foreign.map((one) => one.listed));
    const found = rateBetween(listed, target, BigInt(count));
    // At 1, or with shifted decimals, it is another reading.
    if (!found || found.digits === 1n) return;
    const { digits } = found;
    const decimals = found.decimals + scale - first.scale;
    const rate = formatMinor(digits * 10n ** BigInt(Math.max(0, -decimals)), Math.max(0, decimals));
    const { currency } = first;
    yield {
      cause: cause('foreign_currency_rows', {
        currencies: [currency],
        reading: 'converted',
        count: 'stays',
        rate,
      }),
      choices: 1,
      // Beside the rate, fees and tax may be off by one for each row.
      assumed: bitsOf(digits) + 2 * Math.log2(count + 1),
      inLine: true,
      change: target,
      rows: { of: 'group', count, has: (traits) => traits.currency === currency },
    };
  },
};

function isOfAmounts({ count, gross, fees, tax, contradiction }: Tally): boolean {
  return count === 0 && contradiction === 0n && gross !== 0n && (fees !== 0n || tax !== 0n);
}

const mostDecimals = 9;

/** The rate with the fewest decimals that makes one from the other, each off by half a unit for each row. */
function rateBetween(from: Amounts, to: Amounts, rows: bigint) {
  if (from.gross * to.gross <= 0n) return undefined;
  for (let decimals = 0; decimals <= mostDecimals; decimals += 1) {
    const unit = 10n ** BigInt(decimals);
    const digits = rounded(magnitude(to.gross) * unit, magnitude(from.gross), 'half_up');
    const isOne = (['gross', 'fees', 'tax'] as const).every(
      (one) => 2n * magnitude(to[one] * unit - digits * from[one]) <= rows * unit,
    );
    if (isOne) return { digits, decimals };
  }
  return undefined;
}

/** `state_left_out`: the header leaves out the rows of one state, or has only these. */
const stateLeftOut: Hypothesis = {
  code: 'state_left_out',
  dependsOn: 'cells',
  *candidates(sides) {
    const states = valuesOf(sides, 'state');
    // With two states, only one is the same as without the other.
    const forms = states.length > 2 ? [false, true] : [false];
    for (const state of states) {
      for (const only of forms) {
        const has = (traits: RowTraits) => (traits.state === state) !== only;
        const causes = causesBy((count) => cause('state_left_out', { state, only, count }));
        yield* leftOut(sides, causes, states.length, has);
        for (const count of ['stays', 'follows'] as const) {
          const facts = cause('state_left_out', { state, only, count, part: 'gross' });
          const view: HeaderView = ({ sum }) => ({
            ...sum,
            gross: 0n,
            count: count === 'stays' ? sum.count : 0,
          });
          yield* groupCandidate(sides, facts, 4 * states.length, has, view);
        }
      }
    }
  },
};

/** `type_left_out`: the header leaves out the rows of one type, or their fees and tax. */
const typeLeftOut: Hypothesis = {
  code: 'type_left_out',
  dependsOn: 'cells',
  *candidates(sides) {
    const types = typesIn(sides);
    for (const { type, has, parts } of types) {
      const all = causesBy((count) => cause('type_left_out', { type, part: 'all', count }));
      yield* leftOut(sides, all, types.length, has);
      for (const part of parts.slice(1)) {
        const facts = cause('type_left_out', { type, part, count: 'stays' });
        yield* groupCandidate(sides, facts, 4 * types.length, has, times(part, 0n));
      }
    }
  },
};

/** `type_sign`: the rows of one type have the opposite sign in the header. */
const typeSign: Hypothesis = {
  code: 'type_sign',
  dependsOn: 'cells',
  *candidates(sides) {
    const types = typesIn(sides);
    for (const { type, has, parts } of types) {
      for (const part of parts) {
        const facts = cause('type_sign', { type, part });
        yield* groupCandidate(sides, facts, types.length, has, times(part, -1n));
      }
    }
  },
};

/** `scale_slip` of all rows with the same decimal places, if not all rows have them. */
const rowsScaleSlip: Hypothesis = {
  code: 'scale_slip',
  dependsOn: 'cells',
  *candidates(sides) {
    const { settlement } = sides.subject;
    const own = sides.cells.filter(({ currency }) => currency === settlement.currency);
    const scales = new Set(own.map(({ scale }) => scale));
    if (scales.size < 2) return;
    for (const decimalPlaces of scales) {
      const has = ({ currency, scale }: RowTraits) =>
        currency === settlement.currency && scale === decimalPlaces;
      for (const power of scalePowers) {
        // The power follows if the header's decimal places were used for the rows: nothing is chosen.
        const isTakenForOwn = power === decimalPlaces - settlement.scale;
        const choices = scales.size * (isTakenForOwn ? 1 : scalePowers.length);
        const facts = cause('scale_slip', { of: 'rows', power, decimalPlaces });
        yield* groupCandidate(sides, facts, choices, has, ({ sum }) => shift(sum, power));
      }
    }
  },
};

/** `tax_in_fees`: the header's fees include the tax, and its tax is 0. */
const taxMovedIntoFees: Hypothesis = {
  code: 'tax_in_fees',
  dependsOn: 'cells',
  *candidates(sides) {
    const revalue = (sum: Tally) => ({ ...sum, fees: sum.fees + sum.tax, tax: 0n });
    const beside = ({ change }: SeenRow) => revalue(change);
    const moved = cause('tax_in_fees', { kind: 'moved' });
    const everyRow = () => true;
    for (const one of groupCandidate(sides, moved, 0, everyRow, ({ sum }) => revalue(sum))) {
      yield { ...one, rows: undefined, beside };
    }
  },
};

/** The candidate that the header has rows of these traits differently, if that is possible. */
function* groupCandidate(
  sides: BothSides,
  cause: Cause,
  choices: number,
  has: (traits: RowTraits) => boolean,
  view: HeaderView,
): Iterable<CauseCandidate> {
  let count = 0;
  let change = noTally;
  for (const cell of sides.cells) {
    if (!has(cell)) continue;
    const seen = view(cell);
    if (seen === undefined) return;
    count += cell.sum.count;
    change = plus(change, minus(seen, cell.sum));
  }
  const undone = () => ({
    ...sides,
    cells: sides.cells.map((cell) => (has(cell) ? { ...cell, sum: view(cell) ?? cell.sum } : cell)),
  });
  yield { cause, choices, change, rows: { of: 'group', count, has }, undone };
}

/** The candidates that the header leaves out rows of these traits, in its count too or not. */
function* leftOut(
  sides: BothSides,
  { follows, stays }: Readonly<Record<CountRule, Cause>>,
  choices: number,
  has: (traits: RowTraits) => boolean,
): Iterable<CauseCandidate> {
  yield* groupCandidate(sides, follows, choices, has, () => noTally);
  const counted: HeaderView = ({ sum: { count } }) => ({ ...noTally, count });
  yield* groupCandidate(sides, stays, choices, has, counted);
}

/** The types, each with all amounts of its rows, and with each part that differs from all. */
function typesIn(sides: BothSides) {
  return valuesOf(sides, 'type').map((type) => {
    const has = (traits: RowTraits) => traits.type === type;
    const { gross, fees, tax } = total(sides.cells.filter(has).map(({ sum }) => sum));
    const hasBoth = gross !== 0n && (fees !== 0n || tax !== 0n);
    const parts: readonly Part[] = hasBoth ? ['all', 'gross', 'fees_and_tax'] : ['all'];
    return { type, has, parts };
  });
}

function times(part: Part, factor: 0n | -1n): HeaderView {
  return ({ sum }) => {
    const gross = part === 'fees_and_tax' ? sum.gross : sum.gross * factor;
    if (part === 'gross') return { ...sum, gross };
    return { ...sum, gross, fees: sum.fees * factor, tax: sum.tax * factor };
  };
}

/** The distinct values that pass the test: all together, then each if there are several. */
function allAndEach(
  sides: BothSides,
  trait: 'settlementId' | 'currency',
  isMeant: (value: string) => boolean,
): readonly (readonly string[])[] {
  const values = valuesOf(sides, trait).filter(isMeant).sort();
  if (values.length < 2) return values.map((value) => [value]);
  return [values, ...values.map((value) => [value])];
}

function valuesOf(
  { cells }: BothSides,
  trait: 'state' | 'type' | 'settlementId' | 'currency',
): readonly string[] {
  return [...new Set(cells.filter(({ sum }) => sum.count > 0).map((cell) => cell[trait]))];
}

export const groupHypotheses: readonly Hypothesis[] = [
  foreignSettlementRows,
  foreignCurrencyRows,
  convertedRows,
  stateLeftOut,
  typeLeftOut,
  typeSign,
  rowsScaleSlip,
  taxMovedIntoFees,
];
