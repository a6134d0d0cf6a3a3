import { figuresPerRow } from '../../model/row-batch.ts';
import { bitsOf, rounded } from '../bits.ts';
import type { Hypothesis } from '../candidate.ts';
import type { Case } from '../case.ts';
import { cause } from '../cause.ts';
import { minus, type Tally, tallyOf } from '../tally.ts';

/**
 * `missing_rows`: the header counts more rows than are listed, and their amounts are whatever is
 * missing. It fits any difference; how well they go with the rows that are listed says how likely.
 */
export const missingRows: Hypothesis = {
  code: 'missing_rows',
  dependsOn: 'case',
  *candidates({ subject }) {
    const { target } = subject;
    const change = tallyOf(target.count, target);
    if (target.count <= 0 || isWithoutAmounts(change)) return;
    const assumed = bitsOfRows(subject);
    yield {
      cause: cause('missing_rows', {}),
      choices: 1,
      assumed,
      inLine: isInLine(subject),
      change,
    };
  },
};

/** Rows without any amount would be a wrong count. */
function isWithoutAmounts({ gross, fees, tax }: Tally): boolean {
  return gross === 0n && fees === 0n && tax === 0n;
}

/**
 * What it takes to say the amounts of rows that nobody lists. Their gross may be any multiple of what
 * all listed prices are multiples of; fees and tax cost little where they are about what the listed
 * rows have for as much.
 */
function bitsOfRows(subject: Case): number {
  const { header, target } = subject;
  const { count, gross, fees, tax } = target;
  const listed = minus(header, target);
  const unit = unitOf(subject);
  const prices = gross % unit === 0n ? gross / unit : gross;
  const onGross = bitsOf(tax - share(gross, listed.tax, listed.gross));
  const onFees = bitsOf(tax - share(fees, listed.tax, listed.fees));
  const charged = bitsOf(fees - share(gross, listed.fees, listed.gross));
  return rounded(bitsOf(count) + bitsOf(prices) + charged + Math.min(onGross, onFees));
}

/** Whether fees and tax are, to a quarter, what the listed rows have for as much. */
function isInLine({ header, target }: Case): boolean {
  const { gross, fees, tax } = target;
  const listed = minus(header, target);
  const isAbout = (one: bigint, usual: bigint) => {
    const off = one - usual;
    return 4n * (off < 0n ? -off : off) <= (usual < 0n ? -usual : usual) + 4n;
  };
  return (
    isAbout(fees, share(gross, listed.fees, listed.gross)) &&
    (isAbout(tax, share(fees, listed.tax, listed.fees)) ||
      isAbout(tax, share(gross, listed.tax, listed.gross)))
  );
}

/** What is charged on an amount at the rate of a part to a whole, down to whole minor units. */
function share(amount: bigint, part: bigint, whole: bigint): bigint {
  return whole === 0n ? 0n : (amount * part) / whole;
}

/** What the gross of every listed row is a multiple of: 999 where all subscriptions cost 9.99. */
function unitOf({ rows, settlement, scale }: Case): bigint {
  const units = rows.kinds.map((kind) =>
    kind.currency === settlement.currency ? 10 ** (scale - kind.scale) : 0,
  );
  let unit = 0;
  for (let index = 0; index < rows.size && unit !== 1; index++) {
    const minor = rows.figures[index * figuresPerRow] ?? 0;
    unit = greatestDivisor(Math.abs(minor) * (units[rows.kindNumber(index)] ?? 0), unit);
  }
  return Number.isSafeInteger(unit) ? BigInt(unit || 1) : 1n;
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}
