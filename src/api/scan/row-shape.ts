import { Literal, listEnd, openList } from './bytes.ts';
import { kindFields } from './kinds.ts';

/** How the value of a field looks. */
type Form = 'id' | 'timestamp' | 'amount' | 'kind' | 'notes';

interface Field {
  readonly form: Form;
  readonly field: number;
}

/** The fields of a row (doc 2.8): how each looks, and its number among those that look like it. */
const fields: ReadonlyMap<string, Field> = new Map(
  Object.entries({
    id: ['transactionId', 'chargeId', 'orderId'],
    timestamp: ['timestamp'],
    amount: ['amount', 'fees', 'tax'],
    kind: kindFields,
    notes: ['notes'],
  } satisfies Record<Form, readonly string[]>).flatMap(([form, names]) =>
    names.map((name, field) => [name, { form: form as Form, field }] as const),
  ),
);

/** Without these, a row is left to those who parse JSON. */
const needed = ['transactionId', 'amount', 'fees', 'tax'];

/** A value, and all bytes before it, from the end of the one before it; quotes are no part of a value. */
interface Step extends Field {
  readonly before: Literal;
}

/** What rows have in common, to the byte: which fields, in which order, with which white space. */
export interface RowShape {
  readonly steps: readonly Step[];
  readonly end: Literal;
  /** The fields that such a row hasn't. */
  readonly missing: readonly Field[];
}

const opening = /[ \t\r\n]*([{,])[ \t\r\n]*"(\w+)"[ \t\r\n]*:[ \t\r\n]*("?)/y;
const plainText = /[ !#-[\]-~]*(?=")/y;
const number = /-?\d+/y;
const closing = /[ \t\r\n]*\}/y;

/** The shape of the row that begins at `at`; undefined where it has another form. */
export function shapeOf(bytes: Buffer, at: number): RowShape | undefined {
  const page = bytes.toString('latin1');
  const steps: Step[] = [];
  const missing = new Set(fields.keys());
  let from = at;
  let next = at;
  for (;;) {
    const [, sign, name = '', quote] = match(opening, page, next) ?? [];
    const field = fields.get(name);
    if (!field || sign !== (steps.length === 0 ? '{' : ',') || !missing.delete(name)) {
      return undefined;
    }
    const isText = field.form !== 'amount' && field.form !== 'notes';
    if (isText !== (quote === '"')) return undefined;
    const begin = opening.lastIndex;
    steps.push({ before: new Literal(page.slice(from, begin)), ...field });
    from = valueEnd(field.form, bytes, page, begin);
    if (from < 0) return undefined;
    next = isText ? from + 1 : from;
    if (!match(closing, page, next)) continue;
    if (needed.some((one) => missing.has(one))) return undefined;
    return {
      steps,
      end: new Literal(page.slice(from, closing.lastIndex)),
      missing: [...fields].flatMap(([one, of]) => (missing.has(one) ? [of] : [])),
    };
  }
}

function valueEnd(form: Form, bytes: Buffer, page: string, at: number): number {
  if (form === 'notes') return bytes[at] === openList ? listEnd(bytes, at) : -1;
  const value = form === 'amount' ? number : plainText;
  return match(value, page, at) ? value.lastIndex : -1;
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
