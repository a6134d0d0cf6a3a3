import { addDays, spanOf } from '../base/calendar.ts';
import { idWords, putIdWords } from '../base/id-table.ts';
import { groupedBy } from '../base/lists.ts';
import type { Row } from '../model/row.ts';
import { fileSettlementId, paidByFile, type Settlement } from '../model/settlement.ts';
import type { FileGap, UnreadableRecord } from '../model/source.ts';
import type { Money } from '../money/money.ts';
import type { FileLine, PayoutLine } from './lines.ts';
import { RowPacks } from './row-packs.ts';

/** What files of pay-outs state. */
type Stated = Pick<PayoutLine, 'payIn' | 'gross' | 'fees' | 'tax' | 'transactions'>;

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
  readonly rows: RowPacks;
  /** Of its id. */
  readonly words = new Int32Array(idWords);
  days = { from: '', to: '' };
  sum = 0n;
  /** Rows that are paid out, as far as the provider says. */
  paidRows = 0;
  #stated: Stated | undefined;
  #paid: bigint | undefined;
  #paidAt: Pick<FileLine, 'day' | 'timestamp'> | undefined;
  readonly #references: string[] = [];

  constructor({ account, payout, currency, scale }: Key & Pick<FileLine, 'scale'>) {
    this.id = fileSettlementId(account, payout, currency);
    this.account = account;
    this.number = payout;
    this.currency = currency;
    this.scale = scale;
    this.rows = new RowPacks(this.id);
    putIdWords(this.id, this.words, 0);
  }

  /** Takes what a file of pay-outs states: it counts before the lines. Several of one day are one. */
  state(line: PayoutLine): void {
    const { reference, day, timestamp } = line;
    const plus = (one: bigint | undefined, more = 0n) => (one === undefined ? one : one + more);
    const { payIn, gross, fees, tax, transactions } = line;
    const before = this.#stated;
    // What lines say of the pay-out no longer counts.
    if (!before) this.#references.length = 0;
    this.#stated = {
      payIn: payIn + (before?.payIn ?? 0n),
      gross: plus(gross, before?.gross),
      fees: plus(fees, before?.fees),
      tax: plus(tax, before?.tax),
      transactions:
        transactions === undefined ? undefined : transactions + (before?.transactions ?? 0),
    };
    this.#paidAt = { day, timestamp };
    this.#span(day);
    this.#refer(reference);
  }

  /** Adds the line that states what is paid. Some are paid in two parts. */
  pay(paid: bigint, { day, timestamp, reference }: FileLine): void {
    this.#paid = (this.#paid ?? 0n) + paid;
    this.#span(day);
    if (this.#stated) return;
    this.#paidAt = { day, timestamp };
    this.#refer(reference);
  }

  /** Notes a row that its file lists again. */
  repeat(line: FileLine, id: string): void {
    const { type, state, currency, scale, amount, fees, tax } = line;
    const { orderId, chargeId, timestamp, method: paymentType } = line;
    const settlementId = this.id;
    const kind = { settlementId, type, paymentType, state, currency, scale };
    const row = { ...kind, id, chargeId, orderId, timestamp, amount, fees, tax, notes: [] };
    this.repeated.push(row);
  }

  /** Adds a row. `words` are those of its id. */
  add(line: FileLine, id: string, words: Int32Array): void {
    const { day, note } = line;
    this.rows.add(line, id, words);
    this.#span(day);
    if (!line.isOpen) this.paidRows += 1;
    this.sum += line.amount - line.fees - line.tax;
    if (line.state === '') return;
    const [, direction, number] = /\b(from|to) batch (\S+)$/i.exec(note) ?? [];
    if (direction === undefined) return;
    const key = `${direction.toLowerCase()} ${number}`;
    this.carried.set(key, (this.carried.get(key) ?? 0n) + line.amount);
  }

  #refer(reference: string): void {
    // A part of a longer text keeps all of it in memory.
    if (reference !== '') this.#references.push(Buffer.from(reference).toString());
  }

  #span(day: string): void {
    const { from, to } = this.days;
    if (from === '' || day < from || day > to)
      this.days = { from: from === '' || day < from ? day : from, to: day > to ? day : to };
  }

  get isCarriedOver(): boolean {
    return [...this.carried.keys()].some((key) => key.startsWith('to '));
  }

  /**
   * Its header, with what the files state; undefined if they state neither a pay-out nor a balance carried
   * over. Where the lines that state it have no sign, it may be collected.
   */
  header(provider: string, isUnsigned = false): Settlement | undefined {
    const stated = this.#stated;
    const paid = isUnsigned && this.#paid === -this.sum ? this.sum : this.#paid;
    const payIn = stated?.payIn ?? paid ?? (this.isCarriedOver ? 0n : undefined);
    if (payIn === undefined) return undefined;
    const { id, account, currency, scale } = this;
    const end = { day: this.days.to, timestamp: this.days.to };
    const { day, timestamp } = this.#paidAt ?? end;
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
      gross: stated?.gross,
      fees: stated?.fees,
      tax: stated?.tax,
      transactions: stated?.transactions,
      paymentReferences: this.#references,
      paymentEndToEndIds: [],
    };
  }

  money(minor: bigint): Money {
    return { minor, scale: this.scale, currency: this.currency };
  }
}

type GapOfDays = FileGap & { readonly days: Payout['days'] };

/** After these, the lines of a missing pay-out no longer concern a range. */
const mostDaysToPayOut = 7;

/** What the pay-outs of an account do not have: numbers, rows, what is paid, a balance that arrives. */
export function gapsIn(payouts: readonly Payout[], numbered: boolean): readonly GapOfDays[] {
  const found: GapOfDays[] = [];
  for (const one of payouts) {
    const { account, number: from, days } = one;
    const own = { account, from, rows: one.rows.length, days };
    const header = one.header('');
    if (!header) {
      if (one.paidRows === 0) continue;
      const examples = one.rows.firstIds();
      // Lines are older than their pay-out.
      const until = { from: days.from, to: addDays(days.to, mostDaysToPayOut) };
      found.push({ kind: 'no_payout', ...own, days: until, sum: one.money(one.sum), examples });
    } else if (one.rows.length === 0 && header.payIn !== 0n) {
      found.push({ kind: 'no_rows', ...own, sum: one.money(header.payIn), examples: [] });
    }
  }
  return numbered ? [...found, ...brokenChains(payouts)] : found;
}

/** Numbers that are in no file, and balances that one number carries over and the next does not have. */
function brokenChains(payouts: readonly Payout[]): readonly GapOfDays[] {
  const found: GapOfDays[] = [];
  const byNumber = groupedBy(
    payouts.filter(({ number }) => /^\d{1,15}$/.test(number)),
    ({ number }) => Number(number),
  );
  const numbers = [...byNumber.keys()].sort((a, b) => a - b);
  for (const [at, number] of numbers.entries()) {
    const next = numbers[at + 1] ?? number;
    const [own = [], others = []] = [byNumber.get(number), byNumber.get(next)];
    const days = spanOf([...own, ...others].flatMap((one) => [one.days.from, one.days.to]));
    const [{ account } = { account: '' }] = own;
    const gap = { account, days: days ?? { from: '', to: '' } };
    if (next > number + 1)
      found.push({ kind: 'numbers', ...gap, from: `${number + 1}`, to: `${next - 1}` });
    if (next !== number + 1) continue;
    for (const [currency, [one]] of groupedBy([...own, ...others], (of) => of.currency)) {
      const carriedIn = (some: readonly Payout[], way: string) =>
        some.find((of) => of.currency === currency)?.carried.get(way) ?? 0n;
      const out = -carriedIn(own, `to ${next}`);
      const arrived = carriedIn(others, `from ${number}`);
      if (!one || out === arrived) continue;
      const moved = { out: one.money(out), arrived: one.money(arrived) };
      found.push({ kind: 'carried', ...gap, from: `${number}`, to: `${next}`, ...moved });
    }
  }
  return found;
}
