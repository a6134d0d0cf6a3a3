import { bodyOf } from '../../base/http/transport.ts';
import { parseJson } from '../../base/json.ts';
import { keysOf, tableOf } from '../../base/lists.ts';
import { isUuid } from '../../base/uuid.ts';
import { currencyForm, type Note, type Row, rowFields } from '../../model/row.ts';
import { type RowKind, textPlace } from '../../model/row-batch.ts';
import { notesOf } from '../fields.ts';
import * as layout from './kernel/layout.ts';
import { addTexts, type Digest, digestOf, type Kernel } from './kernel.ts';

/** What the kernel reads: a form, its column among the values of this form, its slot in the digest. */
interface Value {
  readonly form: number;
  readonly column: number;
  readonly slot: number;
}

/** Printable ASCII that stands for itself in JSON. */
const plain = '[ !#-[\\]-~]*';
const isPlain = (text: string) => new RegExp(`^${plain}$`).test(text);

/** The fields of a kind: whether a text has the documented form. */
const isUsual: Readonly<Record<keyof RowKind, (text: string) => boolean>> = {
  settlementId: isUuid,
  type: isPlain,
  paymentType: isPlain,
  state: isPlain,
  currency: (text) => currencyForm.test(text),
  scale: (text) => /^\d$/.test(text),
};
const kindFields = keysOf(isUsual);
if (kindFields.length !== layout.textFields) {
  throw new Error(`textFields in kernel/layout.ts must be ${kindFields.length}.`);
}

/** The fields of a row (doc 2.8), in the order of their slots in the digest; notes are last. */
const fields: Readonly<Record<keyof Row, readonly [form: number, column: number]>> = {
  id: [layout.formId, textPlace.id],
  chargeId: [layout.formId, textPlace.chargeId],
  orderId: [layout.formId, textPlace.orderId],
  amount: [layout.formAmount, 0],
  fees: [layout.formAmount, 1],
  tax: [layout.formAmount, 2],
  timestamp: [layout.formTimestamp, textPlace.timestamp],
  ...tableOf(kindFields, (field) => [layout.formKnownText, kindFields.indexOf(field)]),
  notes: [layout.formPlace, textPlace.notes],
};
/** The names on the wire. */
export const rowNames = { id: 'transactionId', ...rowFields };
const slots = keysOf(fields);
const firstNoteSlot = slots.indexOf('notes');

const values: ReadonlyMap<string, Value> = new Map(
  slots.map((field, slot) => {
    const [form, column] = fields[field];
    return [rowNames[field], { form, column, slot }];
  }),
);

/** Rows without one of these are parsed as JSON. */
const needed = 'transactionId settlementId currencyCode decimalPlaces amount fees tax'.split(' ');

/** A value, and all bytes between the previous value and it; quotes are not part of a value. */
interface Step extends Value {
  readonly before: string;
}

/** What rows have in common, to the byte: which fields, in which order, with which white space. */
interface RowShape {
  readonly steps: readonly Step[];
  /** Digest of what is constant for the shape: absent fields and note keys. */
  readonly digest: Digest;
  readonly length: number;
}

const opening = /[ \t\r\n]*([{,])[ \t\r\n]*"(\w+)"[ \t\r\n]*:[ \t\r\n]*("?)/y;
const plainText = new RegExp(`${plain}(?=")`, 'y');
const wholeNumber = /-?\d+/y;
const closing = /[ \t\r\n]*\}/y;

/** The shape of the row at an offset; undefined if it has another form. */
function shapeOf(bytes: Buffer, at: number): RowShape | undefined {
  const page = bytes.toString('latin1');
  const steps: Step[] = [];
  const missing = new Map(values);
  let keys: readonly string[] = [];
  let from = at;
  let next = at;
  for (;;) {
    const [, sign, name = '', quote] = match(opening, page, next) ?? [];
    const value = missing.get(name);
    if (!value || sign !== (steps.length === 0 ? '{' : ',')) return undefined;
    missing.delete(name);
    const isNotes = name === 'notes';
    const isText = !isNotes && value.form !== layout.formAmount;
    if (isText !== (quote === '"')) return undefined;
    const begin = opening.lastIndex;
    steps.push({ before: page.slice(from, begin), ...value });
    if (isNotes) {
      const list = listAt(bytes, begin);
      if (!list || !parseNotes(list)) return undefined;
      const notes = list.toString('latin1');
      steps.push(...noteSteps(notes));
      keys = plainNotes.test(notes) ? (notes.match(noteKey) ?? []) : [];
      from = begin + notes.length;
    } else {
      const form = isText ? plainText : wholeNumber;
      if (!match(form, page, begin)) return undefined;
      from = form.lastIndex;
    }
    next = isText ? from + 1 : from;
    if (match(closing, page, next)) break;
  }
  if (needed.some((one) => missing.has(one))) return undefined;
  const end = closing.lastIndex;
  steps.push(step(page.slice(from, end), { form: layout.formRowEnd }));
  return { steps, digest: digestOfShape(missing, keys), length: end - at };
}

const noteValue = /(?<="value"\s*:\s*")[^"]*/;
const noteKey = /(?<="key"\s*:\s*")[^"]*/g;

/** Notes as documented have a step for each value; all others are one step. */
function noteSteps(notes: string): readonly Step[] {
  const end = { form: layout.formPlace, column: textPlace.notesEnd };
  if (!plainNotes.test(notes)) return [step('', { form: layout.formOtherNotes }), step('', end)];
  return notes.split(noteValue).map((before, index, { length }) => {
    const slot = firstNoteSlot + 2 * index + 1;
    return step(before, index === length - 1 ? end : { form: layout.formPlainText, slot });
  });
}

function step(before: string, value: Pick<Value, 'form'> & Partial<Value>): Step {
  return { before, column: 0, slot: 0, ...value };
}

function digestOfShape(missing: ReadonlyMap<string, Value>, keys: readonly string[]): Digest {
  return digestOf(() => {
    for (const [name, { slot }] of missing) if (name !== 'notes') addTexts(slot, ['']);
    for (const [index, key] of keys.entries()) addTexts(firstNoteSlot + 2 * index, [key]);
  });
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

const plainNotes = new RegExp(
  `^\\[\\s*(?:\\{\\s*"key"\\s*:\\s*"${plain}"\\s*,\\s*"value"\\s*:\\s*"${plain}"\\s*\\}\\s*(?:,\\s*(?=\\{)|(?=\\])))*\\]$`,
);

const quote = 0x22;
const backslash = 0x5c;
const openList = 0x5b;
const closeList = 0x5d;

function listAt(bytes: Buffer, from: number): Buffer | undefined {
  if (bytes[from] !== openList) return undefined;
  let depth = 0;
  let isText = false;
  for (let at = from; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === quote) isText = !isText;
    else if (isText) at += byte === backslash ? 1 : 0;
    else if (byte === openList) depth += 1;
    else if (byte === closeList) depth -= 1;
    if (depth === 0) return bytes.subarray(from, at + 1);
  }
  return undefined;
}

/** Any notes, from the bytes of their list; undefined if these are not JSON. */
export function parseNotes(list: Buffer): readonly Note[] | undefined {
  const parsed = parseJson(bodyOf({ bytes: list }));
  return parsed === undefined ? undefined : notesOf(parsed);
}

/** The digest of a decoded row, over all its fields. */
export function digestOfRow(row: Row): Digest {
  return digestOf(() => {
    const texts = slots.slice(0, firstNoteSlot).map((field) => String(row[field]));
    addTexts(0, texts);
    addNotes(row.notes);
  });
}

function addNotes(notes: readonly Note[]): void {
  const texts = notes.flatMap(({ key, value }) => [key, value]);
  addTexts(firstNoteSlot, texts);
}

// With more, finding the right one would take longer than parsing JSON.
const mostShapes = 16;
const mostTexts = 2 ** layout.codeBits - 1;

/** The shapes and texts of rows, in the kernel's memory, for the kernel to recognise them by their bytes. */
export class Learned {
  readonly #kernel: Kernel;
  #shapes = 0;
  /** By column and code. Code 0 is for rows without the field. */
  #texts: string[][] = [];
  readonly #kinds = new Map<number, RowKind>();
  #next = 0;

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
  }

  /** Makes room for what the next page may bring: forgets all if it is full or another scanner's. */
  prepare(usedByOther: boolean): void {
    const isFull =
      usedByOther ||
      !this.#hasRoomForShape ||
      this.#texts.some((texts) => texts.length === mostTexts) ||
      this.#next > layout.literals + layout.literalsBytes / 2;
    if (isFull) this.#forget();
  }

  get #hasRoomForShape(): boolean {
    return this.#shapes < mostShapes;
  }

  /** Learns the shape of the row at an offset; false if it is unusual, or no room is left. */
  addShape(page: Buffer, at: number): boolean {
    const shape = shapeOf(page, at);
    if (!shape || !this.#hasRoomForShape || !this.#hasRoom(shape.length)) return false;
    const words = shape.steps.flatMap(({ before, form, column, slot }, index) => [
      this.#literal(before, index === 0 ? shape.digest : undefined),
      form,
      column,
      slot,
    ]);
    const address = this.#allocate(4 * words.length);
    for (const [index, word] of words.entries()) this.#put(address + 4 * index, word);
    this.#put(layout.shapes + 4 * this.#shapes, address);
    this.#shapes += 1;
    return true;
  }

  /** Learns the text of a field at an offset; false if it is unusual, or no room is left. */
  addText(column: number, page: Buffer, at: number): boolean {
    const field = kindFields[column];
    const texts = this.#texts[column] ?? [];
    const end = page.indexOf('"', at);
    const text = page.toString('latin1', at, end);
    const mayLearn = end > 0 && texts.length < mostTexts && this.#hasRoom(text.length);
    if (!mayLearn || !field || !isUsual[field](text)) return false;
    const digest = digestOf(() => addTexts(slots.indexOf(field), [text]));
    const address = layout.texts + column * layout.fieldBytes + 4 * texts.length;
    this.#put(address, this.#literal(`${text}"`, digest));
    texts.push(text);
    return true;
  }

  /** Adds notes to the digest, and returns the offset behind them, or 0. Plain ones are left to a new shape. */
  readNotes(page: Buffer, at: number): number {
    const list = listAt(page, at);
    const isForShape = this.#hasRoomForShape && plainNotes.test(String(list));
    const notes = list && !isForShape && parseNotes(list);
    if (!notes) return 0;
    addNotes(notes);
    return at + list.length;
  }

  /** The kinds of rows, each from the packed codes of its texts. */
  kinds(packedCodes: Int32Array): RowKind[] {
    const kinds: RowKind[] = [];
    for (const packed of packedCodes) kinds.push(this.#kind(packed));
    return kinds;
  }

  #kind(packed: number): RowKind {
    const known = this.#kinds.get(packed);
    if (known) return known;
    const text = (field: keyof RowKind) => {
      const column = kindFields.indexOf(field);
      return this.#texts[column]?.[(packed >> (layout.codeBits * column)) & mostTexts] ?? '';
    };
    const kind = { ...tableOf(kindFields, text), scale: Number(text('scale')) };
    this.#kinds.set(packed, kind);
    return kind;
  }

  #forget(): void {
    this.#kernel.forget();
    this.#shapes = 0;
    this.#texts = kindFields.map(() => ['']);
    this.#kinds.clear();
    this.#next = layout.literals;
  }

  /** Whether so many characters fit, with the most that their steps may add. */
  #hasRoom(characters: number): boolean {
    return this.#next + 8 * characters + 2048 <= layout.literals + layout.literalsBytes;
  }

  #literal(text: string, { high, low }: Digest = { high: 0, low: 0 }): number {
    const { memory } = this.#kernel;
    const blocks = Math.ceil(text.length / 16);
    const address = this.#allocate(16 + 32 * blocks);
    this.#put(address, text.length);
    this.#put(address + 8, high);
    this.#put(address + 12, low);
    for (let block = 0; block < blocks; block += 1) {
      const at = address + 16 + 32 * block;
      const length = memory.write(text.slice(16 * block, 16 * (block + 1)), at, 'latin1');
      memory.fill(0, at + length, at + 32).fill(0xff, at + 16, at + 16 + length);
    }
    return address;
  }

  #allocate(bytes: number): number {
    const address = this.#next;
    this.#next += bytes;
    return address;
  }

  #put(address: number, word: number): void {
    this.#kernel.memory.writeInt32LE(word, address);
  }
}
