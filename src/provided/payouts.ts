import { IdTable, idWords, putIdWords } from '../base/id-table.ts';
import type { Row } from '../model/row.ts';
import { kindKey, type RowKind } from '../model/row-batch.ts';
import { fileSettlementId, paidByFile, type Settlement } from '../model/settlement.ts';
import type { FileGap, UnreadableRecord } from '../model/source.ts';
import type { Money } from '../money/money.ts';
import type { FileLine } from './lines.ts';

type Key = Pick<FileLine, 'account' | 'payout' | 'currency'>;

/** A pay-out in one currency, as the lines of files give it. Its rows are kept packed. */
export class Payout {
  readonly id: string;
  readonly account: string;
  readonly number: string;
  readonly currency: string;
  readonly scale: number;
  readonly unreadable: UnreadableRecord[] = [];
  /** Rows that a file lists more than once under one id. */
  readonly repeated: Row[] = [];
  /** Of the balance that comes from the pay-out before and goes to the next, by their numbers. */
  readonly carried = new Map<string, bigint>();
  readonly rows = new PackedRows();
  days = { from: '', to: '' };
  sum = 0n;
  #paid: bigint | undefined;
  #paidAt: Pick<FileLine, 'day' | 'timestamp'> | undefined;
  readonly #references: string[] = [];

  constructor({ account, payout, currency, scale }: Key & Pick<FileLine, 'scale'>) {
    this.id = fileSettlementId(account, payout, currency);
    this.account = account;
    this.number = payout;
    this.currency = currency;
    this.scale = scale;
  }

  /** Adds the line that states what is paid. Some are paid in two parts. */
  pay(paid: bigint, { day, timestamp, reference }: FileLine): void {
    this.#paid = (this.#paid ?? 0n) + paid;
    this.#paidAt = { day, timestamp };
    this.#span(day);
    if (reference !== '') this.#references.push(reference);
  }

  /** Notes a row that its file lists again. */
  repeat(line: FileLine, id: string): void {
    this.repeated.push(this.#row(line, id));
  }

  add(line: FileLine, id: string): void {
    const { day, note } = line;
    this.rows.add(this.#row(line, id));
    this.#span(day);
    this.sum += line.amount - line.fees - line.tax;
    const [, direction, number] = /\b(from|to) batch (\S+)$/i.exec(note) ?? [];
    if (line.state === '' || direction === undefined) return;
    const key = `${direction.toLowerCase()} ${number}`;
    this.carried.set(key, (this.carried.get(key) ?? 0n) + line.amount);
  }

  #row(line: FileLine, id: string): Row {
    const { type, state, currency, scale, amount, fees, tax } = line;
    const { orderId, chargeId, timestamp, method: paymentType } = line;
    const settlementId = this.id;
    const kind = { settlementId, type, paymentType, state, currency, scale };
    return { ...kind, id, chargeId, orderId, timestamp, amount, fees, tax, notes: [] };
  }

  #span(day: string): void {
    const { from, to } = this.days;
    this.days = { from: from === '' || day < from ? day : from, to: day > to ? day : to };
  }

  get isCarriedOver(): boolean {
    return [...this.carried.keys()].some((key) => key.startsWith('to '));
  }

  /** Its header, with what the files state; undefined if they state neither a pay-out nor a balance carried over. */
  header(provider: string): Settlement | undefined {
    const payIn = this.#paid ?? (this.isCarriedOver ? 0n : undefined);
    if (payIn === undefined) return undefined;
    const { id, account, currency, scale } = this;
    const { day, timestamp } = this.#paidAt ?? { day: this.days.to, timestamp: this.days.to };
    return {
      id,
      timestamp,
      date: day,
      accountingToken: account,
      merchantId: account,
      paymentService: provider,
      status: paidByFile,
      currency,
      scale,
      payIn,
      gross: undefined,
      fees: undefined,
      tax: undefined,
      transactions: undefined,
      paymentReferences: this.#references,
      paymentEndToEndIds: [],
    };
  }

  money(minor: bigint): Money {
    return { minor, scale: this.scale, currency: this.currency };
  }
}

const textsPerRow = 4;
const rowsPerPack = 256;

interface Pack {
  readonly kinds: readonly RowKind[];
  readonly figures: Float64Array;
  /** The texts of the rows as JSON. */
  readonly texts: Buffer;
}

/** Rows in little memory, in the order in which they come. */
class PackedRows {
  length = 0;
  #open: Row[] = [];
  readonly #packs: Pack[] = [];
  readonly #kinds = new Map<string, RowKind>();

  add(row: Row): void {
    this.length += 1;
    this.#open.push(row);
    if (this.#open.length === rowsPerPack) this.close();
  }

  /** Packs the last rows. */
  close(): void {
    const rows = this.#open;
    if (rows.length === 0) return;
    this.#open = [];
    const texts = rows.flatMap((row) => [row.id, row.chargeId, row.orderId, row.timestamp]);
    this.#packs.push({
      kinds: rows.map((row) => this.#kindOf(row)),
      figures: Float64Array.from(
        rows.flatMap((row) => [row.amount, row.fees, row.tax].map(Number)),
      ),
      texts: Buffer.from(JSON.stringify(texts)),
    });
  }

  #kindOf(row: Row): RowKind {
    const key = kindKey(row);
    const known = this.#kinds.get(key) ?? (JSON.parse(key) as RowKind);
    this.#kinds.set(key, known);
    return known;
  }

  *batches(): Iterable<readonly Row[]> {
    this.close();
    for (const { kinds, figures, texts } of this.#packs) {
      const all: readonly string[] = JSON.parse(texts.toString());
      yield kinds.map((kind, at): Row => {
        const [id = '', chargeId = '', orderId = '', timestamp = ''] = all.slice(
          at * textsPerRow,
          (at + 1) * textsPerRow,
        );
        const [amount = 0n, fees = 0n, tax = 0n] = Array.from(
          figures.subarray(at * 3, at * 3 + 3),
          BigInt,
        );
        return { ...kind, id, chargeId, orderId, timestamp, amount, fees, tax, notes: [] };
      });
    }
  }
}

const contentWord = { content: 0, kept: 1, firstFile: 2, file: 3, inFile: 4 } as const;
const scratch = new Int32Array(idWords);

/** What became of a line: a new row, one that is in another file too, the same id again, or its id differently. */
export type Seen = 'new' | 'in_other_file' | 'repeated' | 'differs_from_other_file';

/**
 * Tells which lines are new. A line without an id is as often there as in the file that has it most often; a row
 * with an id is there once.
 */
export class SeenLines {
  readonly #table = new IdTable(5);

  /** `file` numbers the files from 1. Returns the id under which the row counts. */
  see(line: FileLine, payout: Payout, file: number): { readonly is: Seen; readonly id: string } {
    const { day, timestamp, amount, fees, tax, paid, reference } = line;
    const { orderId, chargeId, method, note, type } = line;
    const content = JSON.stringify(
      [
        day,
        timestamp,
        amount,
        fees,
        tax,
        paid,
        reference,
        orderId,
        chargeId,
        method,
        note,
        type,
      ].map(String),
    );
    if (line.id === '') return { is: this.#count(`${payout.id}\n${content}`, file), id: '' };
    putIdWords(content, scratch, 0);
    const digest = scratch[0] ?? 0;
    // The reference of a refund and of its reversal may be the same, and so may those of parts of one.
    for (let part = 1; ; part += 1) {
      const id = part === 1 ? line.id : `${line.id} (${part})`;
      putIdWords(`${payout.id}\n${id}`, scratch, 0);
      const known = this.#table.size;
      const number = this.#table.add(scratch, 0);
      if (number === known) {
        this.#table.set(number, contentWord.content, digest);
        this.#table.set(number, contentWord.firstFile, file);
        return { is: 'new', id };
      }
      const isFirst = this.#table.get(number, contentWord.firstFile) === file;
      if (this.#table.get(number, contentWord.content) === digest) {
        return { is: isFirst ? 'repeated' : 'in_other_file', id };
      }
      if (!isFirst && !this.#mayFollow(payout, line, part + 1)) {
        return { is: 'differs_from_other_file', id };
      }
    }
  }

  /** Whether an earlier file has another part of this id. */
  #mayFollow(payout: Payout, { id }: FileLine, part: number): boolean {
    putIdWords(`${payout.id}\n${id} (${part})`, scratch, 0);
    return this.#table.find(scratch, 0) >= 0;
  }

  #count(key: string, file: number): Seen {
    putIdWords(key, scratch, 0);
    const number = this.#table.add(scratch, 0);
    const isSameFile = this.#table.get(number, contentWord.file) === file;
    const inFile = isSameFile ? this.#table.get(number, contentWord.inFile) + 1 : 1;
    this.#table.set(number, contentWord.file, file);
    this.#table.set(number, contentWord.inFile, inFile);
    if (inFile <= this.#table.get(number, contentWord.kept)) return 'in_other_file';
    this.#table.set(number, contentWord.kept, inFile);
    return 'new';
  }
}

/** What the pay-outs of an account do not have: numbers, rows, what is paid, a balance that arrives. */
export function gapsIn(
  payouts: readonly Payout[],
  numbered: boolean,
): readonly (FileGap & { readonly days: Payout['days'] })[] {
  const found: (FileGap & { readonly days: Payout['days'] })[] = [];
  for (const one of payouts) {
    const { account, number: from, days } = one;
    const own = { account, from, rows: one.rows.length, days };
    const header = one.header('');
    if (!header) found.push({ kind: 'no_payout', ...own, sum: one.money(one.sum) });
    else if (one.rows.length === 0 && header.payIn !== 0n) {
      found.push({ kind: 'no_rows', ...own, sum: one.money(header.payIn) });
    }
  }
  if (!numbered) return found;
  const sorted = payouts
    .filter(({ number }) => /^\d{1,15}$/.test(number))
    .sort((a, b) => Number(a.number) - Number(b.number));
  const byNumber = new Map(sorted.map((one) => [`${one.number} ${one.currency}`, one]));
  for (const [at, one] of sorted.entries()) {
    const next = sorted[at + 1];
    if (!next) continue;
    const { account, number } = one;
    const days = {
      from: one.days.from < next.days.from ? one.days.from : next.days.from,
      to: one.days.to > next.days.to ? one.days.to : next.days.to,
    };
    const [from, to] = [Number(number) + 1, Number(next.number) - 1];
    if (from <= to) found.push({ kind: 'numbers', account, from: `${from}`, to: `${to}`, days });
    const other = byNumber.get(`${from} ${one.currency}`);
    const out = -(one.carried.get(`to ${from}`) ?? 0n);
    const arrived = other?.carried.get(`from ${number}`) ?? 0n;
    if (other && out !== arrived) {
      const moved = { out: one.money(out), arrived: other.money(arrived) };
      found.push({ kind: 'carried', account, from: number, to: other.number, ...moved, days });
    }
  }
  return found;
}
