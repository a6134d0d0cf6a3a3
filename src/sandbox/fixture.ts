import { hash } from 'node:crypto';
import { expandCharge, type FixtureCharge } from './charges.ts';
import type { Scenario, ScenarioSettlement, WireRecord } from './scenario.ts';

/** A scenario as in fixtures/: the rest is derived. */
export interface Fixture extends Pick<Scenario, 'about' | 'period' | 'otherEntries'> {
  readonly defaults: WireRecord;
  readonly accounts?: Readonly<Record<string, WireRecord>>;
  readonly pricing?: Pricing;
  readonly settlements: readonly FixtureSettlement[];
  readonly charges?: Readonly<Record<string, FixtureCharge>>;
}

interface FixtureSettlement extends Pick<ScenarioSettlement, 'filter' | 'bank'> {
  readonly account?: string;
  readonly date: string;
  readonly status?: string;
  readonly header?: WireRecord;
  readonly off?: Partial<Totals>;
  readonly rows: readonly (FixtureRow | Purchases)[];
}

type FixtureRow = readonly [
  type: string,
  amount: number,
  fees: number,
  tax: number,
  details?: RowDetails,
];

interface RowDetails extends WireRecord {
  /** Rows with the same label are the same transaction. */
  readonly label?: string;
  readonly chargeOf?: string;
}

/** Many purchases: the amount of the nth, from 0, is `from` + (n × `step` modulo `spread`). */
interface Purchases {
  readonly purchases: number;
  readonly from: number;
  readonly step: number;
  readonly spread: number;
}

/** Fees: `fixedFee` + amount × `feeBasisPoints` ÷ 10,000; tax on them: `taxPercent`. Truncated. */
interface Pricing {
  readonly fixedFee: number;
  readonly feeBasisPoints: number;
  readonly taxPercent: number;
}

type Totals = Readonly<
  Record<'amountGross' | 'fees' | 'tax' | 'amountPayIn' | 'totalTransactions', number>
>;

/** Expands a fixture to records of the wire (doc 2.7, 2.8). */
export function expandFixture(name: string, fixture: Fixture): Scenario {
  const { about, period, defaults, accounts = {}, settlements, charges = {} } = fixture;
  const { identify, labelled } = rowIdentities(name);
  const accountOf = ({ account = '' }: { account?: string }) => ({
    ...defaults,
    ...accounts[account],
  });
  return {
    name,
    about,
    period,
    names: Object.fromEntries(
      Object.entries(accounts).map(([account, own]) => [String(own['accountingToken']), account]),
    ),
    settlements: settlements.map((settlement, index) => {
      const number = index + 1;
      const own = { settlementId: uuid(`${name}/${number}`), paymentService: 'cards' };
      const account = { ...own, ...accountOf(settlement) };
      return expandSettlement(settlement, number, account, fixture.pricing, identify);
    }),
    charges: Object.entries(charges).map(([label, charge]) => {
      const ids = labelled.get(label) ?? chargeIdFor(name, label);
      return expandCharge(charge, { ...accountOf(charge), ...ids });
    }),
    ...(fixture.otherEntries && { otherEntries: fixture.otherEntries }),
  };
}

function expandSettlement(
  settlement: FixtureSettlement,
  number: number,
  account: WireRecord,
  pricing: Pricing | undefined,
  identify: ReturnType<typeof rowIdentities>['identify'],
): ScenarioSettlement {
  const { date, status = 'settled', header: written, off = {}, filter, bank } = settlement;
  const rows = settlement.rows.flatMap((row) => ('purchases' in row ? write(row, pricing) : [row]));
  const sum = (column: 1 | 2 | 3) => rows.reduce((total, row) => total + row[column], 0);
  const reference = `${date.replaceAll('-', '')}-${String(number).padStart(2, '0')}`;
  // Known "at settlement processing" (doc 2.7).
  const isPaid = status.startsWith('settled');
  const header: WireRecord = {
    ...account,
    settlementStatus: status,
    settlementDate: `${date}T04:30:00Z`,
    amountGross: sum(1) + (off.amountGross ?? 0),
    fees: sum(2) + (off.fees ?? 0),
    tax: sum(3) + (off.tax ?? 0),
    amountPayIn: sum(1) - sum(2) - sum(3) + (off.amountPayIn ?? 0),
    totalTransactions: rows.length + (off.totalTransactions ?? 0),
    paymentEndToEndIds: isPaid ? [`E2E-${reference}`] : [],
    paymentReferences: isPaid ? [`PMT-${reference}`] : [],
    ...written,
  };
  return {
    header,
    rows: rows.map(([type, amount, fees, tax, details = {}], index) => {
      const { label, chargeOf, ...others } = details;
      return {
        ...identify({ settlement: number, row: index + 1, date }, label, chargeOf),
        transactionType: type,
        paymentType: 'card',
        amount,
        fees,
        tax,
        // A string here, a number in the header (doc 2.7, 2.8).
        decimalPlaces: String(account['decimalPlaces']),
        currencyCode: account['currencyCode'],
        state: 'approved',
        settlementId: header['settlementId'],
        ...others,
      };
    }),
    ...(filter && { filter }),
    ...(bank && { bank }),
  };
}

function write({ purchases, from, step, spread }: Purchases, pricing?: Pricing): FixtureRow[] {
  if (pricing === undefined) throw new Error('purchases need the pricing of the fixture');
  return Array.from({ length: purchases }, (_, index) => {
    const amount = from + ((index * step) % spread);
    const fees = pricing.fixedFee + divide(amount * pricing.feeBasisPoints, 10_000);
    return ['purchase', amount, fees, divide(fees * pricing.taxPercent, 100)];
  });
}

function divide(dividend: number, divisor: number): number {
  return (dividend - (dividend % divisor)) / divisor;
}

interface Place {
  readonly settlement: number;
  readonly row: number;
  readonly date: string;
}

type RowIdentity = ReturnType<typeof identityAt>;

/** Identities that depend on the place alone, so runs agree. */
function rowIdentities(scenario: string) {
  const labelled = new Map<string, RowIdentity>();
  /** The transaction at a place; rows with one label share it, `chargeOf` shares charge and order. */
  const identify = (place: Place, label = '', chargeOf = ''): RowIdentity => {
    const own = labelled.get(label) ?? identityAt(scenario, place);
    if (label !== '') labelled.set(label, own);
    if (chargeOf === '') return own;
    const other = labelled.get(chargeOf);
    if (other === undefined) throw new Error(`${scenario}: no row above is labelled ${chargeOf}`);
    return { ...own, chargeId: other.chargeId, orderId: other.orderId, notes: other.notes };
  };
  return { identify, labelled };
}

function chargeIdFor(scenario: string, name: string) {
  return {
    chargeId: uuid(`${scenario}/charge ${name}`),
    orderId: uuid(`${scenario}/order ${name}`),
    notes: [{ key: 'merchant_order_ref', value: `ORD-${name}` }],
  };
}

function identityAt(scenario: string, { settlement, row, date }: Place) {
  const name = `${scenario}/${settlement}/${row}`;
  const customer = (settlement * 7919 + row) % 9973;
  const digits = (value: number, length: number) => String(value).padStart(length, '0');
  return {
    chargeId: uuid(`${name}/charge`),
    transactionId: uuid(`${name}/transaction`),
    timestamp: timestampOf(date, row),
    orderId: uuid(`${name}/order`),
    // ORD-07-0012 is the 12th row of the 7th settlement.
    notes: [
      { key: 'merchant_order_ref', value: `ORD-${digits(settlement, 2)}-${digits(row, 4)}` },
      { key: 'merchant_customer_ref', value: `CUST-${digits(customer, 4)}` },
    ],
  };
}

/** Two days before, from 08:00, every 97 seconds over 16 hours. */
function timestampOf(date: string, row: number): string {
  const morning = Date.parse(`${date}T08:00:00Z`) - 2 * 86_400_000;
  const time = new Date(morning + ((row * 97_000) % 57_600_000));
  return time.toISOString().replace('.000', '');
}

/** A UUID from a name (version 5 in form). */
function uuid(name: string): string {
  const hex = hash('sha1', `recon sandbox/${name}`);
  const variant = '89ab'.charAt(Number.parseInt(hex.charAt(16), 16) % 4);
  return uuidOf(hex, '5', variant);
}

/** A UUID from hexadecimal digits. */
export function uuidOf(hash: string, version: string, variant: string): string {
  const form = /^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/;
  return hash.replace(form, `$1-$2-${version}$3-${variant}$4-$5`);
}
