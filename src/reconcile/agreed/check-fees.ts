import { inOrderOf } from '../../base/texts.ts';
import type { AgreedPrice, AgreedRate, AgreedTax, Agreement } from '../../model/agreed-rates.ts';
import type { Row } from '../../model/row.ts';
import type { RowKind } from '../../model/row-batch.ts';
import type { Settlement } from '../../model/settlement.ts';
import { addMoney, type Money, moneySums } from '../../money/money.ts';
import { type Entry, found } from '../entry.ts';
import { smallestIds } from '../examples.ts';
import type { ReconciledSettlement } from '../reconcile-settlement.ts';
import type { RowColumns } from '../row-columns.ts';
import { factorsBy, type Rules } from '../rules.ts';
import { isInSums } from '../verdict.ts';
import { emptyLine, type FeeLine, type LineKey } from './fee-line.ts';
import { misfitOf, Price, taxOn, within } from './price.ts';
import { decisiveMonth, Volumes } from './volumes.ts';
import { type Chosen, RatesByDay, ratesFor } from './which-rate.ts';

/** A row, or the tax of a settlement (without ids), that was not charged as agreed. Minor units at `scale`. */
export interface FeeDifference
  extends Pick<Row, 'id' | 'chargeId' | 'orderId' | 'timestamp' | 'type' | 'paymentType'> {
  readonly settlement: Settlement;
  readonly currency: string;
  readonly scale: number;
  readonly amount: bigint;
  readonly fee: bigint;
  readonly agreedFee: bigint;
  readonly tax: bigint;
  /** Undefined if tax is not checked. */
  readonly agreedTax: bigint | undefined;
  readonly rate: AgreedRate;
  /** Of the rate, or of the tier that its volume reaches. */
  readonly price: AgreedPrice;
}

/** Settings that cannot be right, with a row that shows it: several rates match it, or have too many decimals. */
export interface AgreementFault {
  readonly rates: readonly AgreedRate[];
  readonly misfit: ReturnType<typeof misfitOf>;
  readonly kind: RowKind;
  readonly rowId: string;
}

/** Fees in a header beyond those of its rows, or below them: reported − computed. */
export interface FeesWithoutRow extends Money {
  readonly settlement: Settlement;
}

/** What a check of fees found. */
export interface CheckedFees {
  readonly lines: readonly FeeLine[];
  /** By currency and claim, the largest first. */
  readonly differences: readonly FeeDifference[];
  readonly withoutRow: readonly FeesWithoutRow[];
  /** Rows whose tier is not known, because not all of its month could be read. */
  readonly unknownTiers: number;
  /** The months whose volumes decided a tier, in order. */
  readonly volumeMonths: readonly string[];
}

interface CheckOptions {
  readonly agreement: Agreement;
  readonly rules: Rules;
  /** Needed by rates with tiers. */
  readonly volumes?: Volumes | undefined;
  readonly faultOf: (fault: AgreementFault) => Error;
}

/** Whether a fee was to be returned, so that one that costs more was kept. */
export function isKept({ amount, rate }: Pick<FeeDifference, 'amount' | 'rate'>): boolean {
  return amount < 0n && rate.sign === 'returned';
}

/** What was charged beyond the agreed fee and tax, never netted with what is below. */
export function claimOf({ fee, agreedFee, tax, agreedTax = tax }: FeeDifference): bigint {
  return excess(fee, agreedFee) + excess(tax, agreedTax);
}

const keyOf = ({ paymentType, type }: FeeLine) => JSON.stringify([paymentType, type]);

function excess(charged: bigint, agreed: bigint): bigint {
  return charged > agreed ? charged - agreed : 0n;
}

/** What applies to the rows of a kind on a day. */
interface InForce {
  readonly line: FeeLine;
  readonly rate: AgreedRate | undefined;
  readonly price: Price | undefined;
}

/** The tax of a settlement that is agreed on all fees together; it counts in one of their lines. */
interface SettlementTax {
  readonly line: FeeLine;
  readonly rate: AgreedRate;
  readonly agreed: AgreedTax;
  readonly agreedFees: Money;
  readonly fees: Money;
  readonly charged: Money;
}

/** Compares the fees and tax of rows with what was agreed. */
export class FeeCheck {
  readonly #options: CheckOptions;
  readonly #volumes: Volumes;
  readonly #rules: Rules;
  readonly #lines = new Map<string, FeeLine>();
  readonly #differences: FeeDifference[] = [];
  readonly #withoutRow: FeesWithoutRow[] = [];
  readonly #volumeMonths = new Set<string>();
  #unknownTiers = 0;

  constructor(options: CheckOptions) {
    const { tax_in_fees: tax } = options.rules;
    this.#options = options;
    this.#volumes = options.volumes ?? new Volumes(() => false);
    // The other values are about headers.
    this.#rules = { ...options.rules, tax_in_fees: tax === 'also_in_rows' ? tax : undefined };
  }

  /** Adds all rows of a settlement, unless it is pending or incomplete. Returns what is to be said of it. */
  add(
    { settlement, verdict, difference, scale }: ReconciledSettlement,
    rows: RowColumns,
  ): readonly Entry<'above_agreed_rate'>[] {
    if (!isInSums(verdict)) return [];
    const before = this.#differences.length;
    const { currency } = settlement;
    if (difference && difference.fees !== 0n) {
      this.#withoutRow.push({ settlement, minor: difference.fees, scale, currency });
    }
    const { rates, timeZone } = this.#options.agreement;
    const kinds = rows.kinds.map((kind) => {
      const factors = factorsBy(this.#rules, kind);
      const own = ratesFor(rates, settlement, kind);
      const byDay = new RatesByDay(own, settlement.date, timeZone);
      return factors && { kind, factors, byDay, inForce: new Map<Chosen, InForce>() };
    });
    const taxes = new Map<string, SettlementTax>();
    for (let row = 0; row < rows.size; row += 1) {
      const one = kinds[rows.kindNumber(row)];
      if (!one) continue;
      const { kind, factors, byDay, inForce } = one;
      const chosen = byDay.at(rows.details(row).timestamp);
      let applies = inForce.get(chosen);
      if (!applies) {
        applies = this.#inForce(settlement, kind, chosen, rows.id(row));
        inForce.set(chosen, applies);
      }
      const listedTax = rows.tax(row);
      const amount = rows.amount(row) * BigInt(factors.gross);
      const fee = rows.fees(row) * BigInt(factors.fees) + listedTax * BigInt(factors.taxInFees);
      const tax = listedTax * BigInt(factors.tax);
      this.#addRow(settlement, rows, row, kind, applies, { amount, fee, tax }, taxes);
    }
    for (const one of taxes.values()) this.#addSettlementTax(settlement, one);
    return aboveAgreed(this.#differences.slice(before));
  }

  /** What was found, once all settlements are added. */
  checked(): CheckedFees {
    const key = (one: FeeDifference) =>
      [one.currency, -Number(claimOf(one)) / 10 ** one.scale, one.settlement.date, one.id] as const;
    return {
      lines: [...this.#lines.values()],
      differences: this.#differences.sort(inOrderOf(key)),
      withoutRow: this.#withoutRow,
      unknownTiers: this.#unknownTiers,
      volumeMonths: [...this.#volumeMonths].sort(),
    };
  }

  #inForce(settlement: Settlement, kind: RowKind, chosen: Chosen, rowId: string): InForce {
    const [rate, ...others] = chosen.rates;
    const { faultOf } = this.#options;
    if (others.length > 0) throw faultOf({ rates: chosen.rates, misfit: undefined, kind, rowId });
    const { merchantId } = settlement;
    const terms = rate && this.#volumes.priceOf(rate, merchantId, chosen.month);
    if (rate?.tiers && terms) this.#volumeMonths.add(decisiveMonth(rate, chosen.month));
    const misfit = terms && misfitOf(terms, kind.scale);
    if (rate && misfit) throw faultOf({ rates: [rate], misfit, kind, rowId });
    const price = rate && terms && new Price(terms, rate, kind.scale);
    return { line: this.#line(settlement, kind, price && rate), rate, price };
  }

  #line(
    { date, accountingToken }: Settlement,
    { currency, paymentType, type, scale }: Omit<RowKind, 'settlementId' | 'state'>,
    rate: AgreedRate | undefined,
  ): FeeLine {
    const parts = { month: date.slice(0, 7), accountingToken, currency, paymentType, type };
    const key: LineKey = { ...parts, rate };
    const number = rate ? this.#options.agreement.rates.indexOf(rate) : -1;
    const text = JSON.stringify([parts, scale, number]);
    const line = this.#lines.get(text) ?? emptyLine(key, scale);
    this.#lines.set(text, line);
    return line;
  }

  #addRow(
    settlement: Settlement,
    rows: RowColumns,
    row: number,
    { type, paymentType, currency, scale }: RowKind,
    { line, rate, price }: InForce,
    { amount, fee, tax }: Record<'amount' | 'fee' | 'tax', bigint>,
    taxes: Map<string, SettlementTax>,
  ): void {
    line.rows += 1;
    line.volume += amount;
    if (rate && !price) this.#unknownTiers += 1;
    if (!rate || !price) {
      line.withoutRate += 1;
      line.unchecked += fee;
      return;
    }
    line.charged += fee;
    const agreedFee = within(price.fee(amount), fee);
    const { tax: agreed } = rate;
    const isTaxChecked = agreed?.per === 'row';
    const agreedTax = isTaxChecked ? within(taxOn(agreedFee, agreed), tax) : undefined;
    line.agreed += agreedFee;
    if (agreed?.per === 'settlement') {
      const key = JSON.stringify([currency, agreed]);
      const sum = taxes.get(key);
      const money = (minor: bigint): Money => ({ minor, scale, currency });
      taxes.set(key, {
        ...(sum && keyOf(sum.line) < keyOf(line) ? sum : { line, rate, agreed }),
        agreedFees: sum ? addMoney(sum.agreedFees, money(agreedFee)) : money(agreedFee),
        fees: sum ? addMoney(sum.fees, money(fee)) : money(fee),
        charged: sum ? addMoney(sum.charged, money(tax)) : money(tax),
      });
    }
    if (agreedTax !== undefined) {
      line.taxCharged += tax;
      line.taxAgreed += agreedTax;
    }
    if (fee === agreedFee && (agreedTax ?? tax) === tax) return;
    const { id, chargeId } = { id: rows.id(row), chargeId: rows.chargeId(row) };
    const own = { id, chargeId, ...rows.details(row), type, paymentType, currency, scale, amount };
    const { terms } = price;
    const charged = { fee, agreedFee, tax, agreedTax, rate, price: terms };
    this.#note(line, { settlement, ...own, ...charged });
  }

  #addSettlementTax(
    settlement: Settlement,
    { line, rate, agreed, agreedFees, fees, charged }: SettlementTax,
  ): void {
    const { scale, currency } = charged;
    const tax = charged.minor;
    const agreedTax = within(taxOn(agreedFees.minor, agreed), tax);
    line.taxCharged += tax;
    line.taxAgreed += agreedTax;
    if (tax === agreedTax) return;
    const { type, paymentType } = line;
    const nothing = { id: '', chargeId: '', orderId: '', timestamp: '', type, paymentType };
    const amounts = { amount: agreedFees.minor, fee: 0n, agreedFee: 0n, tax, agreedTax };
    const own = { settlement, ...nothing, currency, scale };
    const price = { percent: agreed.percent };
    this.#note(line, { ...own, ...amounts, rate, price }, fees.minor);
  }

  /** Adds a difference to its line. */
  #note(line: FeeLine, one: FeeDifference, taxed = one.fee): void {
    this.#differences.push(one);
    const { amount, fee, agreedFee, tax, agreedTax = tax, rate } = one;
    const [over, taxOver] = [excess(fee, agreedFee), excess(tax, agreedTax)];
    line.over += over;
    line.under += excess(agreedFee, fee);
    line.taxOver += taxOver;
    line.taxUnder += excess(agreedTax, tax);
    if (over + taxOver > 0n) line.overRows += 1;
    if (fee < agreedFee || tax < agreedTax) line.underRows += 1;
    if (rate.tax && taxOver > 0n) {
      const wrong = excess(tax, taxOn(taxed, rate.tax).high);
      line.wrongTax += wrong < taxOver ? wrong : taxOver;
    }
    if (over === 0n) return;
    if (isKept(one)) {
      line.kept += over;
      line.keptRows += 1;
      return;
    }
    line.feeRows += 1;
    line.least = line.least === 0n || over < line.least ? over : line.least;
    line.most = over > line.most ? over : line.most;
    line.isBeyondUnit ||= over > 1n;
    line.hasSeveralAmounts ||= (line.amount ?? amount) !== amount;
    line.amount ??= amount;
  }
}

function aboveAgreed(differences: readonly FeeDifference[]) {
  const above = differences.filter((one) => claimOf(one) > 0n);
  return found('above_agreed_rate', above.length, {
    claim: moneySums(above.map((one) => ({ ...one, minor: claimOf(one) }))),
    rates: [...new Set(above.map(({ rate }) => rate.name))].sort(),
    examples: smallestIds(above.flatMap(({ id }) => id || [])),
  });
}
