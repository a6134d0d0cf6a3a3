import { type CauseCandidate, groupCandidate, type Hypothesis } from '../candidate.ts';
import { cause, choicesOf, countRules } from '../cause.ts';
import { addAmounts, shiftAmounts } from '../delta.ts';
import { type BothSides, type Cell, type HeaderView, omitted, type RowTraits } from '../sides.ts';

/** `foreign_settlement_rows`: the header leaves out rows that say they belong elsewhere. */
export const foreignSettlementRows: Hypothesis = {
  code: 'foreign_settlement_rows',
  dependsOn: 'cells',
  *candidates(sides) {
    const own = sides.subject.settlement.id.toLowerCase();
    const isForeign = (id: string) => id !== '' && id.toLowerCase() !== own;
    for (const settlementIds of allAndEach(sides, (cell) => cell.settlementId, isForeign)) {
      const isMeant = (traits: RowTraits) => settlementIds.includes(traits.settlementId);
      for (const count of countRules) {
        const facts = cause('foreign_settlement_rows', { settlementIds, count });
        const free = (settlementIds.length > 1 ? 0 : 1) + choicesOf(count);
        yield* groupCandidate(sides, facts, free, isMeant, omitted(count));
      }
    }
  },
};

/**
 * `foreign_currency_rows`: the header adds the amounts of rows in another currency, as they are or
 * digit by digit, or doesn't even count these rows.
 */
export const foreignCurrencyRows: Hypothesis = {
  code: 'foreign_currency_rows',
  dependsOn: 'cells',
  *candidates(sides) {
    const own = sides.subject.settlement.currency;
    const isForeign = (currency: string) => currency !== own;
    for (const currencies of allAndEach(sides, (cell) => cell.currency, isForeign)) {
      yield* readings(sides, currencies);
    }
  },
};

function* readings(sides: BothSides, currencies: readonly string[]): Iterable<CauseCandidate> {
  const isMeant = (traits: RowTraits) => currencies.includes(traits.currency);
  const extra = currencies.length > 1 ? 0 : 1;
  for (const reading of ['included', 'digits'] as const) {
    if (reading === 'digits' && !hasOtherScale(sides, isMeant)) continue;
    for (const count of ['stays', 'follows'] as const) {
      const facts = cause('foreign_currency_rows', { currencies, reading, count });
      const free = extra + (reading === 'digits' ? 1 : 0) + (count === 'stays' ? 0 : 1);
      const view: HeaderView = (cell) => {
        const read = inHeaderCurrency(sides, cell, reading);
        return {
          count: count === 'stays' ? cell.count : 0,
          amounts: read && addAmounts(cell.amounts, read),
        };
      };
      yield* groupCandidate(sides, facts, free, isMeant, view);
    }
  }
  const facts = cause('foreign_currency_rows', {
    currencies,
    reading: 'left_out',
    count: 'follows',
  });
  const view: HeaderView = ({ amounts }) => ({ count: 0, amounts });
  yield* groupCandidate(sides, facts, extra, isMeant, view);
}

/** Nothing where the amounts would need more decimal places than the case has. */
function inHeaderCurrency({ subject }: BothSides, cell: Cell, reading: 'included' | 'digits') {
  const from = reading === 'digits' ? subject.settlement.scale : cell.scale;
  return shiftAmounts(cell.listed, subject.scale - from);
}

function hasOtherScale({ subject, cells }: BothSides, isMeant: (traits: RowTraits) => boolean) {
  return cells.some((cell) => isMeant(cell) && cell.scale !== subject.settlement.scale);
}

/** The distinct values that pass the test: all together, then, if there are several, each. */
function allAndEach(
  { cells }: BothSides,
  traitOf: (cell: Cell) => string,
  isMeant: (trait: string) => boolean,
): readonly (readonly string[])[] {
  const found = cells.filter(({ count }) => count > 0).map(traitOf);
  const values = [...new Set(found.filter(isMeant))].sort();
  if (values.length === 0) return [];
  return values.length === 1 ? [values] : [values, ...values.map((value) => [value])];
}
