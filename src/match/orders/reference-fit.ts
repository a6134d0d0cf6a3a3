import { inOrderOf } from '../../base/texts.ts';
import type { Orders } from '../../model/orders.ts';
import type { OrderRows } from './order-rows.ts';

/**
 * What would make references of the files and of rows the same:
 * - `case`, `zeros`, `long_digits`: the same but for letters, zeros in front, or digits after the fifteenth
 * - `row_prefix`, `row_suffix`: rows have a text more; `file_prefix`, `file_suffix`: the files have
 * - `several`: rows name several orders at once
 * - `account`: they are the same, of different accounts
 */
export type ReferenceHintCode =
  | keyof typeof forms
  | 'row_prefix'
  | 'row_suffix'
  | 'file_prefix'
  | 'file_suffix'
  | 'several'
  | 'account';

/** What both have in common, in this form. */
const forms = {
  case: (text: string) => text.toLowerCase(),
  zeros: (text: string) => text.replace(/^0+(?=\d)/, ''),
  long_digits: (text: string) => text.replace(/^(\d{15})\d+$/, '$1'),
} as const;

interface ReferenceHint {
  readonly code: ReferenceHintCode;
  /** The prefix or suffix. */
  readonly text: string;
  /** How many orders without a row it would give one. */
  readonly orders: number;
}

/** How references of the files and of rows meet. */
export interface ReferenceFit {
  /** Orders with a row, and those that are due and have none. */
  readonly joined: number;
  readonly open: number;
  /** Rows without an order. */
  readonly rows: number;
  /** The references of these, in their order, each once. */
  readonly references: ReadonlySet<string>;
  /** The keys of other notes of rows that have no reference. */
  readonly otherNotes: readonly string[];
  /** The most fitting first; nothing is matched by them. */
  readonly hints: readonly ReferenceHint[];
}

/** More orders and rows are not compared. */
const most = 100_000;
const longest = 60;
const mostHints = 3;

/** Compares the references of orders and rows that did not meet. */
export function referenceFit(orders: Orders, rows: OrderRows): ReferenceFit {
  const without = rows.without();
  const isOpen = (order: number) =>
    rows.of(order).length === 0 &&
    orders.documents(order).some((one) => one.isInScope && !one.isUnpaid && !one.isCancelled);
  const open: number[] = [];
  let joined = 0;
  for (let order = 0; order < orders.size; order += 1) {
    if (rows.of(order).length > 0) joined += 1;
    else if (isOpen(order)) open.push(order);
  }
  const own = without.slice(0, most).filter((row) => rows.reference(row) !== '');
  const references = new Set(own.map((row) => rows.reference(row)));
  const found = new Map<string, Set<number>>();
  const note = (code: ReferenceHintCode, text: string, order: number) => {
    const key = `${code}\n${text}`;
    found.set(key, (found.get(key) ?? new Set()).add(order));
  };
  for (const row of open.length > 0 ? own : []) {
    const { accountingToken } = rows.settlement(row);
    const find = (text: string) => {
      const order = orders.find(text, accountingToken);
      return order !== undefined && isOpen(order) ? [order] : [];
    };
    const reference = rows.reference(row);
    for (const [start, end] of cutsOf(reference)) {
      for (const order of find(end)) note('row_prefix', start, order);
      for (const order of find(start)) note('row_suffix', end, order);
    }
    const parts = reference.split(/[\s,;|/]+/).flatMap(find);
    for (const order of parts.length > 1 ? parts : []) note('several', '', order);
  }
  const alike = Object.entries(forms).map(([code, form]) => {
    return [code as keyof typeof forms, form, new Set([...references].map(form))] as const;
  });
  for (const order of references.size > 0 ? open.slice(0, most) : []) {
    const reference = orders.reference(order);
    const isSame = references.has(reference);
    if (isSame) note('account', '', order);
    for (const [code, form, all] of alike) {
      if (!isSame && all.has(form(reference))) note(code, '', order);
    }
    for (const [start, end] of cutsOf(reference)) {
      if (references.has(end)) note('file_prefix', start, order);
      if (references.has(start)) note('file_suffix', end, order);
    }
  }
  return {
    joined,
    open: open.length,
    rows: without.length,
    references,
    otherNotes: [...rows.otherNotes],
    hints: bestOf(found, open.length),
  };
}

/** The two parts of a text, cut at each place. */
function cutsOf(text: string): readonly (readonly [start: string, end: string])[] {
  const cuts = Math.min(text.length, longest) - 1;
  return Array.from({ length: Math.max(0, cuts) }, (_, at) => [
    text.slice(0, at + 1),
    text.slice(at + 1),
  ]);
}

/** A prefix or suffix of one order of several may be chance. */
function bestOf(found: ReadonlyMap<string, ReadonlySet<number>>, open: number) {
  const hints = [...found].map(([key, { size: orders }]): ReferenceHint => {
    const at = key.indexOf('\n');
    return { code: key.slice(0, at) as ReferenceHintCode, text: key.slice(at + 1), orders };
  });
  const likely = hints
    .filter(({ text, orders }) => text === '' || orders > 1 || open === 1)
    .sort(inOrderOf(({ orders, code }) => [-orders, code]));
  const [best] = likely;
  return likely.filter(({ orders }) => 2 * orders > (best?.orders ?? 0)).slice(0, mostHints);
}
