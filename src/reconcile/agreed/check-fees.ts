import { largestOf } from '../../base/lists.ts';
import { byText } from '../../base/texts.ts';
import type { AgreedPrice, AgreedRate, Agreement } from '../../model/agreed-rates.ts';
import type { Row } from '../../model/row.ts';
import type { RowKind } from '../../model/row-batch.ts';
import type { Settlement } from '../../model/settlement.ts';
import { moneySums, rescale } from '../../money/money.ts';
import { type Entry, found, smallestIds } from '../entry.ts';
import type { ReconciledSettlement } from '../reconcile-settlement.ts';
import type { RowColumns } from '../row-columns.ts';
import type { Rules } from '../rules.ts';
import { splitBy } from '../split.ts';
import { isInSums } from '../verdict.ts';
import {
  type Bounds,
  type Chosen,
  decisiveMonth,
  feesBy,
  ratedRows,
  tooPreciseKey,
  Volumes,
  within,
} from './price.ts';

/** What a row is found by; empty for the tax of a whole settlement. */
type RowIds = Pick<Row, 'id' | 'chargeId' | 'orderId' | 'timestamp'>;

/** A row that was not charged as agreed, or tax that is agreed per settlement, on the agreed fees. */
export interface FeeDifference extends Record<'amount' | 'fee' | 'agreedFee' | 'tax', bigint> {
  readonly settlement: Settlement;
  readonly ids: RowIds;
  /** With the scale of all minor units. */
  readonly line: FeeLine;
  /** Undefined if tax is not checked. */
  readonly agreedTax: bigint | undefined;
  /** Amounts above the agreed fee and tax; amounts below are never deducted. */
  readonly claim: bigint;
  readonly rate: AgreedRate;
  /** Of the rate, or of the tier that the volume reaches. */
  readonly price: AgreedPrice;
}

/** Settings that cannot be right, with a row that shows it: of several rates, or of too many decimals. */
export interface AgreementFault {
  readonly rates: readonly AgreedRate[];
  readonly tooPrecise: ReturnType<typeof tooPreciseKey>;
  readonly kind: RowKind;
  readonly rowId: string;
}

export interface CheckedFees {
  readonly lines: readonly FeeLine[];
  /** By currency, the largest claims first. */
  readonly differences: readonly FeeDifference[];
  /** Rows whose tier is not known, because not all of its month could be read. */
  readonly unknownTiers: number;
  /** The months whose volumes decided a tier, in order. */
  readonly volumeMonths: readonly string[];
}

interface CheckOptions {
  readonly agreement: Agreement;
  readonly rules: Rules;
  /** Needed by rates with tiers. */
  readonly volumes?: Volumes | false;
  readonly faultOf: (fault: AgreementFault) => Error;
}

export function excess(charged: bigint, agreed: bigint): bigint {
  return charged > agreed ? charged - agreed : 0n;
}

/** What applies to rows; `agrees` is absent if nothing was agreed, or the tier is not known. */
interface InForce {
  readonly line: FeeLine;
  readonly isTierKnown: boolean;
  readonly agrees?: {
    readonly rate: AgreedRate;
    readonly price: AgreedPrice;
    readonly fee: (amount: bigint) => Bounds;
    readonly tax: (fee: bigint) => Bounds;
  };
}

interface Charged extends Record<'amount' | 'fee' | 'tax', bigint> {
  readonly idsOf: () => RowIds;
}

/** The sums of rows whose tax is agreed per settlement; it counts in the line of one of them. */
interface Taxed extends Required<Pick<InForce, 'agrees'>> {
  line: FeeLine;
  agreed: bigint;
  fee: bigint;
  tax: bigint;
}

/** Compares the fees and tax of rows with what was agreed. */
export class FeeCheck {
  readonly #options: CheckOptions;
  readonly #volumes: Volumes;
  readonly #lines = new Map<string, FeeLine>();
  readonly #differences: FeeDifference[] = [];
  readonly #volumeMonths = new Set<string>();
  #unknownTiers = 0;

  constructor(options: CheckOptions) {
    this.#options = options;
    this.#volumes = options.volumes || new Volumes(() => false);
  }

  /** Adds all rows of a settlement, unless it is pending or incomplete. Returns its entries. */
  add(
    { settlement, verdict }: ReconciledSettlement,
    rows: RowColumns,
  ): readonly Entry<'above_agreed_rate'>[] {
    if (!isInSums(verdict)) return [];
    const before = this.#differences.length;
    const { agreement, rules } = this.#options;
    const inForce = new Map<Chosen, InForce>();
    const taxes = new Map<string, Taxed>();
    for (const { row, chosen, amount, fee, tax } of ratedRows(settlement, rows, agreement, rules)) {
      const applies = inForce.get(chosen) ?? this.#inForce(settlement, chosen, rows.id(row));
      inForce.set(chosen, applies);
      const idsOf = () => {
        return { id: rows.id(row), chargeId: rows.chargeId(row), ...rows.details(row) };
      };
      this.#addRow(settlement, applies, { amount, fee, tax, idsOf }, taxes);
    }
    for (const { line, agrees, agreed: amount, fee, tax } of taxes.values()) {
      const price = { percent: agrees.rate.tax?.percent };
      const agreedTax = within(agrees.tax(amount), tax);
      const charged = { amount, fee, tax, idsOf: () => noIds };
      this.#note(settlement, line, { ...agrees, price }, charged, fee, agreedTax);
    }
    return aboveAgreed(this.#differences.slice(before));
  }

  /** What was found, once all settlements are added. */
  checked(): CheckedFees {
    const lines = [...this.#lines.values()];
    const scale = largestOf(lines.map((one) => one.scale));
    const worth = ({ claim, line }: FeeDifference) => rescale(claim, line.scale, scale);
    const order = (a: FeeDifference, b: FeeDifference) =>
      byText(a.line.currency, b.line.currency) ||
      byMinor(worth(b), worth(a)) ||
      byText(a.settlement.date, b.settlement.date) ||
      byText(a.ids.id, b.ids.id);
    return {
      lines,
      differences: this.#differences.sort(order),
      unknownTiers: this.#unknownTiers,
      volumeMonths: [...this.#volumeMonths].sort(),
    };
  }

  #inForce(settlement: Settlement, chosen: Chosen, rowId: string): InForce {
    const { rates, kind, month } = chosen;
    const { faultOf, agreement } = this.#options;
    const [rate] = rates;
    const { scale, currency, paymentType, type } = kind;
    const price = rate && this.#volumes.priceOf(rate, settlement.merchantId, month);
    const tooPrecise = price && tooPreciseKey(price, scale);
    if (rates.length > 1 || tooPrecise) throw faultOf({ rates, tooPrecise, kind, rowId });
    const { date, accountingToken } = settlement;
    const parts = { month: date.slice(0, 7), accountingToken, currency, paymentType, type };
    const number = price && agreement.rates.indexOf(rate);
    const key = JSON.stringify([parts, scale, number]);
    const line = this.#lines.get(key) ?? emptyLine({ ...parts, rate: price && rate }, scale);
    this.#lines.set(key, line);
    if (rate?.tiers && price) this.#volumeMonths.add(decisiveMonth(rate, month));
    if (!rate || !price) return { line, isTierKnown: !rate };
    const { percent = '0', rounding } = rate.tax ?? {};
    const tax = feesBy({ percent }, { sign: 'returned', round: 'sum', rounding }, scale);
    return {
      line,
      isTierKnown: true,
      agrees: { rate, price, fee: feesBy(price, rate, scale), tax },
    };
  }

  #addRow(
    settlement: Settlement,
    { line, agrees, isTierKnown }: InForce,
    charged: Charged,
    taxes: Map<string, Taxed>,
  ): void {
    const { amount, fee, tax } = charged;
    line.rows += 1;
    line.volume += amount;
    line.charged += fee;
    line.tax += tax;
    if (!agrees) {
      if (!isTierKnown) this.#unknownTiers += 1;
      line.withoutRate += 1;
      line.unchecked += fee;
      return;
    }
    const { rate } = agrees;
    const agreedFee = within(agrees.fee(amount), fee);
    line.agreed += agreedFee;
    if (rate.tax?.per === 'settlement') {
      const key = JSON.stringify([rate.tax, line.currency, line.scale]);
      const sum = taxes.get(key) ?? { line, agrees, agreed: 0n, fee: 0n, tax: 0n };
      if (typesOf(line) < typesOf(sum.line)) sum.line = line;
      sum.agreed += agreedFee;
      sum.fee += fee;
      sum.tax += tax;
      taxes.set(key, sum);
    }
    const agreedTax = rate.tax?.per === 'row' ? within(agrees.tax(agreedFee), tax) : undefined;
    this.#note(settlement, line, agrees, charged, agreedFee, agreedTax);
  }

  /** Adds tax, and what differs, to a line. */
  #note(
    settlement: Settlement,
    line: FeeLine,
    { rate, price }: Pick<FeeDifference, 'rate' | 'price'>,
    { amount, fee, tax, idsOf }: Charged,
    agreedFee: bigint,
    agreedTax: bigint | undefined,
  ): void {
    if (agreedTax !== undefined) {
      line.taxCharged += tax;
      line.taxAgreed += agreedTax;
    }
    if (fee === agreedFee && (agreedTax ?? tax) === tax) return;
    const [over, taxOver] = [excess(fee, agreedFee), excess(tax, agreedTax ?? tax)];
    const [under, taxUnder] = [excess(agreedFee, fee), excess(agreedTax ?? tax, tax)];
    line.over += over;
    line.under += under;
    line.taxOver += taxOver;
    line.taxUnder += taxUnder;
    const claim = over + taxOver;
    if (claim > 0n) line.overRows += 1;
    if (under + taxUnder > 0n) line.underRows += 1;
    const amounts = { amount, fee, agreedFee, tax, agreedTax, claim };
    this.#differences.push({ settlement, ids: idsOf(), line, rate, price, ...amounts });
  }
}

/** The entry for rows that cost more than agreed, if any do. */
export function aboveAgreed(
  differences: readonly FeeDifference[],
): readonly Entry<'above_agreed_rate'>[] {
  const above = differences.filter(({ claim }) => claim > 0n);
  const claims = above.map(({ line: { scale, currency }, claim: minor }) => {
    return { minor, scale, currency };
  });
  return found('above_agreed_rate', above.length, {
    claim: moneySums(claims),
    rates: [...new Set(above.map(({ rate }) => rate.name))].sort(),
    examples: smallestIds(above.flatMap(({ ids }) => ids.id || [])),
  });
}

const typesOf = ({ paymentType, type }: FeeLine) => `${paymentType}\n${type}`;

const noIds: RowIds = { id: '', chargeId: '', orderId: '', timestamp: '' };

function byMinor(one: bigint, other: bigint): number {
  return one < other ? -1 : Number(one > other);
}

/** The amounts of a line, in minor units at its scale. */
export const lineAmounts = [
  ...(['volume', 'charged', 'agreed', 'over', 'under', 'unchecked'] as const),
  ...(['taxCharged', 'taxAgreed', 'taxOver', 'taxUnder'] as const),
] as const;

/** `tax` is that of all rows, whether or not it is agreed. */
const lineSums = [...lineAmounts, 'tax'] as const;

const lineCounts = ['rows', 'withoutRate', 'overRows', 'underRows'] as const;

/** What rows have in common that are charged alike. */
interface LineKey {
  /** Of the settlement, YYYY-MM. */
  readonly month: string;
  readonly accountingToken: string;
  readonly currency: string;
  readonly paymentType: string;
  readonly type: string;
  /** Absent if none was agreed. */
  readonly rate: AgreedRate | undefined;
}

/** `charged` = `agreed` + `over` − `under` + `unchecked`, the fees of rows without a rate; tax, of the others, likewise. */
export interface FeeLine
  extends LineKey,
    Record<(typeof lineSums)[number], bigint>,
    Record<(typeof lineCounts)[number], number> {
  readonly scale: number;
}

function emptyLine(key: LineKey, scale: number): FeeLine {
  const amounts = Object.fromEntries(lineSums.map((name) => [name, 0n]));
  const counts = Object.fromEntries(lineCounts.map((name) => [name, 0]));
  return { ...amounts, ...counts, ...key, scale } as FeeLine;
}

/** The lines with the same parts added up, in the order of the parts; at the largest scale among them. */
export function linesBy<Parts extends object>(
  lines: readonly FeeLine[],
  partsOf: (line: FeeLine) => Parts,
): readonly (FeeLine & Parts)[] {
  return splitBy(lines, partsOf).map(([parts, own]) => ({ ...own.reduce(added), ...parts }));
}

function added(a: FeeLine, b: FeeLine): FeeLine {
  const sum = { ...a, scale: Math.max(a.scale, b.scale) };
  for (const name of lineCounts) sum[name] = a[name] + b[name];
  for (const name of lineSums) {
    sum[name] = rescale(a[name], a.scale, sum.scale) + rescale(b[name], b.scale, sum.scale);
  }
  return sum;
}
