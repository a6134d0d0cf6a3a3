import { hash } from 'node:crypto';

/** Where a row stands in a fixture, counted from 1. */
interface Place {
  readonly settlement: number;
  readonly row: number;
  /** The settlement's date, YYYY-MM-DD. */
  readonly date: string;
}

/** Which transaction a row is: everything of it that no amount depends on. */
interface RowIdentity {
  readonly chargeId: string;
  readonly transactionId: string;
  readonly timestamp: string;
  readonly orderId: string;
  readonly notes: readonly { readonly key: string; readonly value: string }[];
}

/**
 * Which transaction the row at a place is. Rows with one label share all of it; `chargeOf` takes charge
 * and order from a labelled row.
 */
export type IdentifyRow = (place: Place, label?: string, chargeOf?: string) => RowIdentity;

/** Identities that follow from the place alone: the same in every run, different everywhere. */
export function rowIdentities(scenario: string) {
  /** Those of the labelled rows that were asked for. */
  const labelled = new Map<string, RowIdentity>();
  const identify: IdentifyRow = (place, label = '', chargeOf = '') => {
    const own = labelled.get(label) ?? identityAt(scenario, place);
    if (label !== '') labelled.set(label, own);
    if (chargeOf === '') return own;
    const other = labelled.get(chargeOf);
    if (other === undefined) throw new Error(`${scenario}: no row above is labelled ${chargeOf}`);
    return { ...own, chargeId: other.chargeId, orderId: other.orderId, notes: other.notes };
  };
  return { identify, labelled };
}

/** The ids of a charge that no row is of, by its name in the fixture. */
export function chargeIdFor(scenario: string, name: string) {
  return {
    chargeId: uuid(`${scenario}/charge ${name}`),
    orderId: uuid(`${scenario}/order ${name}`),
    notes: [{ key: 'merchant_order_ref', value: `ORD-${name}` }],
  };
}

/** The id of the nth settlement of a scenario. */
export function settlementIdFor(scenario: string, number: number): string {
  return uuid(`${scenario}/${number}`);
}

function identityAt(scenario: string, { settlement, row, date }: Place): RowIdentity {
  const name = `${scenario}/${settlement}/${row}`;
  const digits = (value: number, length: number) => String(value).padStart(length, '0');
  return {
    chargeId: uuid(`${name}/charge`),
    transactionId: uuid(`${name}/transaction`),
    timestamp: timestampOf(date, row),
    orderId: uuid(`${name}/order`),
    // Settlement and row can be read off: ORD-07-0012 is the 12th row of the 7th settlement.
    notes: [
      { key: 'merchant_order_ref', value: `ORD-${digits(settlement, 2)}-${digits(row, 4)}` },
      {
        key: 'merchant_customer_ref',
        value: `CUST-${digits((settlement * 7919 + row) % 9973, 4)}`,
      },
    ],
  };
}

/** Two days before the settlement, from 08:00 on, a row every 97 seconds, over 16 hours. */
function timestampOf(date: string, row: number): string {
  const morning = Date.parse(`${date}T08:00:00Z`) - 2 * 86_400_000;
  const time = new Date(morning + ((row * 97_000) % 57_600_000));
  return time.toISOString().replace('.000', '');
}

/** A UUID made from a name (version 5 in form). */
function uuid(name: string): string {
  const hex = hash('sha1', `recon sandbox/${name}`);
  const variant = '89ab'.charAt(Number.parseInt(hex.charAt(16), 16) % 4);
  return uuidOf(hex, '5', variant);
}

/** The UUID of a hash in hexadecimal digits, with two digits of its own for version and variant. */
export function uuidOf(hash: string, version: string, variant: string): string {
  const form = /^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/;
  return hash.replace(form, `$1-$2-${version}$3-${variant}$4-$5`);
}
