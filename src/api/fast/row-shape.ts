import { isUuid } from '../../base/uuid.ts';
import { currencyForm } from '../../model/forms.ts';
import type { RowKind } from '../../model/source-row.ts';
import type { Digest } from '../digest.ts';
import { startOfKind } from '../row-digest.ts';
import { Literal } from './literal.ts';
import {
  closeObject,
  colon,
  comma,
  type Form,
  openObject,
  plainEnd,
  quote,
  readValue,
  skipSpace,
  Values,
} from './values.ts';

/** The fields of a row that are its own (doc 2.8), and their places in `Values`. */
export const place = {
  transactionId: 0,
  chargeId: 1,
  orderId: 2,
  timestamp: 3,
  amount: 4,
  fees: 5,
  tax: 6,
  notes: 7,
} as const;

type OwnField = keyof typeof place;

const forms: Readonly<Record<OwnField, Form>> = {
  transactionId: 'uuid',
  chargeId: 'uuid',
  orderId: 'uuid',
  timestamp: 'timestamp',
  amount: 'minorUnits',
  fees: 'minorUnits',
  tax: 'minorUnits',
  notes: 'notes',
};

const ownFields = Object.keys(place).length;

/** Without these, a row is left to the plain decoder. */
const neededFields: readonly OwnField[] = ['transactionId', 'amount', 'fees', 'tax'];

/** The fields that many rows have in common. */
const kindFields = [
  'settlementId',
  'transactionType',
  'paymentType',
  'state',
  'currencyCode',
  'decimalPlaces',
];

export function newValues(): Values {
  return new Values(ownFields);
}

/** A value of the row's own, and all bytes before it, from the end of the one before it. */
interface Step {
  readonly before: Literal;
  readonly field: number;
  readonly form: Form;
}

/**
 * What rows have in common, to the byte: which fields, in which order, with which white space, and
 * the values that repeat from row to row.
 */
export class RowShape {
  readonly kind: RowKind;
  /** Where the digests of its rows begin. */
  readonly digestStart: Digest;
  readonly #steps: readonly Step[];
  readonly #end: Literal;

  private constructor(kind: RowKind, steps: readonly Step[], end: Literal) {
    this.kind = kind;
    this.digestStart = startOfKind(kind);
    this.#steps = steps;
    this.#end = end;
  }

  /** The shape of the row that begins at `at`; undefined where that has another form. */
  static of(bytes: Buffer, at: number): RowShape | undefined {
    const values = newValues();
    const steps: Step[] = [];
    const names = new Set<string>();
    const texts = new Map<string, string>();
    let from = at;
    let next = at;
    for (;;) {
      const opening = skipSpace(bytes, next);
      if (bytes[opening] !== (names.size === 0 ? openObject : comma)) return undefined;
      const name = textAt(bytes, skipSpace(bytes, opening + 1));
      if (!name || names.has(name.text)) return undefined;
      names.add(name.text);
      const afterName = skipSpace(bytes, name.end);
      if (bytes[afterName] !== colon) return undefined;
      const valueAt = skipSpace(bytes, afterName + 1);
      if (isOwnField(name.text)) {
        const field = place[name.text];
        const form = forms[name.text];
        steps.push({ before: new Literal(bytes.subarray(from, valueAt)), field, form });
        next = readValue(form, bytes, valueAt, field, values);
        if (next < 0) return undefined;
        from = next;
      } else {
        const value = textAt(bytes, valueAt);
        if (!value || !kindFields.includes(name.text)) return undefined;
        texts.set(name.text, value.text);
        next = value.end;
      }
      const behind = skipSpace(bytes, next);
      if (bytes[behind] !== closeObject) continue;
      const kind = kindOf(texts);
      return kind && neededFields.every((needed) => names.has(needed))
        ? new RowShape(kind, steps, new Literal(bytes.subarray(from, behind + 1)))
        : undefined;
    }
  }

  /** Reads the row that begins at `at`: the place behind it, or -1 where it is of another shape. */
  read(bytes: Uint8Array, view: DataView, at: number, values: Values): number {
    if (this.#steps.length < ownFields) values.clear();
    let next = at;
    for (const { before, field, form } of this.#steps) {
      if (!before.isAt(view, next)) return -1;
      next = readValue(form, bytes, next + before.length, field, values);
      if (next < 0) return -1;
    }
    return this.#end.isAt(view, next) ? next + this.#end.length : -1;
  }
}

function isOwnField(name: string): name is OwnField {
  return Object.hasOwn(place, name);
}

/** Undefined where a value is missing, or isn't of the form that the document shows. */
function kindOf(texts: ReadonlyMap<string, string>): RowKind | undefined {
  const text = (name: string) => texts.get(name) ?? '';
  const settlementId = text('settlementId');
  const currency = text('currencyCode');
  const scale = text('decimalPlaces');
  if (!isUuid(settlementId) || !currencyForm.test(currency) || !/^\d$/.test(scale)) {
    return undefined;
  }
  return {
    settlementId,
    type: text('transactionType'),
    paymentType: text('paymentType'),
    state: text('state'),
    currency,
    scale: Number(scale),
  };
}

/** The text of printable ASCII that begins with the quote at `at`, and the place behind it. */
function textAt(bytes: Buffer, at: number) {
  if (bytes[at] !== quote) return undefined;
  const end = plainEnd(bytes, at + 1);
  if (bytes[end] !== quote) return undefined;
  return { text: bytes.toString('latin1', at + 1, end), end: end + 1 };
}
