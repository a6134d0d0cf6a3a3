import { addDays, isBusinessDay } from '../../src/base/calendar.ts';
import { addBusinessDays } from '../../src/match/business-days.ts';
import type { BankState } from '../../src/match/match.ts';
import { Random } from '../support/random.ts';

// A year of pay-outs and of bank entries, with the truth beside them: which entries are of which pay-out,
// and what is left in them to know it by.

/** An account of ours, and how its bank writes statements. */
export interface OwnAccount {
  readonly number: string;
  readonly currency: string;
  readonly scale: number;
  readonly format: 'camt' | 'mt940' | 'csv';
  /** The account that the service pays from. */
  readonly payer: string;
}

export const ownAccounts: readonly [OwnAccount, ...OwnAccount[]] = [
  own('NL91BANK0417164300', 'EUR', 2, 'camt'),
  own('DE89370400440532013000', 'EUR', 2, 'mt940'),
  own('GB29BANK60161331926819', 'GBP', 2, 'csv'),
  own('FR1420041010050500013M02606', 'USD', 2, 'camt'),
  own('NL20INGB0001234567', 'EUR', 2, 'mt940'),
  own('BH67BMAG00001299123456', 'BHD', 3, 'camt'),
  own('CH9300762011623852957', 'JPY', 0, 'camt'),
];

function own(
  number: string,
  currency: string,
  scale: number,
  format: OwnAccount['format'],
): OwnAccount {
  return { number, currency, scale, format, payer: `IE12PAYS0000${currency}01` };
}

/** A settlement header, as much of it as a bank has to do with; amounts in minor units. */
export interface Payout {
  readonly id: string;
  readonly account: OwnAccount;
  readonly token: string;
  readonly date: string;
  readonly status: string;
  readonly payIn: number;
  readonly endToEndIds: readonly string[];
  readonly paymentReferences: readonly string[];
  readonly truth: Truth;
}

/** Where a pay-out stands. */
interface Truth {
  state: BankState;
  /** Keys of entries, or of payments in them. */
  readonly entries: string[];
  /**
   * What is left to find it by: `key`, a whole id, or 16 characters of one with the right amount at the
   * end; `amount`, its amount on its days, which nothing else has, or a sum; `nothing`.
   */
  left: 'key' | 'amount' | 'nothing';
}

/** A payment of an entry as the bank tells it. */
export interface Told {
  readonly amount: number | undefined;
  readonly endToEndId?: string | undefined;
  readonly paymentInformationId?: string | undefined;
  readonly reference?: string | undefined;
  readonly texts: readonly string[];
}

/** An entry as the bank tells it. */
export interface Line extends Told {
  readonly number: number;
  readonly account: OwnAccount;
  readonly currency: string;
  readonly amount: number;
  readonly date: string;
  readonly isPending: boolean;
  readonly isReversal: boolean;
  readonly returnReason: string;
  readonly bankReference: string;
  readonly name: string;
  readonly payer: string;
  /** The PmtInfId of a batch that is not listed. */
  readonly batchId: string;
  readonly parts: readonly Told[];
  /** How many payments the bank says that it has; it may list fewer. */
  readonly payments: number;
}

export interface BankYear {
  readonly payouts: readonly Payout[];
  readonly lines: readonly Line[];
}

const tokens = 20;
const begin = '2026-01-05';

/** Makes so many pay-outs and entries, the same for a seed. */
export function makeYear(seed: number, payouts: number, entries: number): BankYear {
  const year = new Year(new Random(seed));
  for (let day = begin; year.payouts.length < payouts; day = addDays(day, 1)) {
    if (isBusinessDay(day)) year.addDay(day, Math.min(tokens, payouts - year.payouts.length));
  }
  while (year.lines.length < entries) year.addStranger();
  year.forgetSharedStarts();
  return { payouts: year.payouts, lines: year.random.shuffled(year.lines) };
}

type Way = (
  id: string,
  random: Random,
) => Omit<Told, 'amount'> & { readonly left: Truth['left']; readonly start?: string };

const words = ['Payout', 'PAYMENTS BV', 'your settlement', 'batch 4', 'Merchant payout ref'];
const bare = (id: string) => id.replaceAll(/[^A-Za-z0-9]/g, '');
const inText = (id: string) => (bare(id).length >= 12 ? 'key' : 'amount');

/** In so many of a hundred pay-outs, an id arrives in this way. */
const ways: readonly (readonly [percent: number, Way])[] = [
  [38, (id) => ({ endToEndId: id.slice(0, 35), texts: ['Payout'], left: 'key' })],
  [6, (id) => ({ endToEndId: bare(id), texts: [], left: 'key' })],
  [3, (id) => ({ endToEndId: id.slice(0, 35).toLowerCase(), texts: [], left: 'key' })],
  [10, (id) => ({ reference: id.slice(0, 35), texts: ['thank you'], left: 'key' })],
  [14, (id, random) => ({ texts: [`${random.pick(words)} ${id}`], left: inText(id) })],
  [4, (id, random) => ({ texts: [`${id} ${random.pick(words)}`], left: inText(id) })],
  // Broken in two lines, the blank at the end kept or lost.
  [
    7,
    (id, random) => {
      const at = random.int(3, id.length - 2);
      const texts = [`${random.pick(words)} ${id.slice(0, at)}`, `${id.slice(at)} end`];
      return { texts, left: inText(id) };
    },
  ],
  [
    6,
    (id, random) => {
      const texts = [id.replaceAll('-', random.pick(['/', '.', ' ', ':']))];
      return { texts, left: inText(id) };
    },
  ],
  // Put together with what stands beside it: nothing whole is left.
  [1, (id) => ({ texts: [`REF${bare(id)}9Z`], left: 'amount' })],
  [
    6,
    (id, random) => {
      const cut = id.slice(0, random.int(6, id.length - 1));
      const isStart = bare(cut).length >= 16;
      const texts = [`${random.pick(words)} ${cut}`];
      return isStart ? { texts, left: 'key', start: cut } : { texts, left: 'amount' };
    },
  ],
  [5, () => ({ endToEndId: 'NOTPROVIDED', texts: ['Payout of the day'], left: 'amount' })],
];

/** The ways in which a whole id arrives in a field. */
const certainWays = ways.slice(0, 4);

function pickWay(random: Random, among = ways): Way {
  let left = random.int(
    1,
    among.reduce((sum, [percent]) => sum + percent, 0),
  );
  const found = among.find(([percent]) => {
    left -= percent;
    return left <= 0;
  });
  if (!found) throw new RangeError('No way');
  return found[1];
}

/** What happens to a pay-out, in so many of a thousand. */
const fates = [
  ['fee', 20],
  ['fee_apart', 3],
  ['late', 30],
  ['split', 10],
  ['split_unnamed', 2],
  ['missing', 6],
  ['twice', 4],
  ['returned', 5],
  ['returned_unnamed', 2],
  ['paid_again', 3],
  ['other_currency', 1],
  ['negative', 5],
  ['zero', 2],
  ['pending', 4],
  ['pending_at_bank', 3],
  ['twins', 12],
  ['same_id', 2],
] as const;

class Year {
  readonly payouts: Payout[] = [];
  readonly lines: Line[] = [];
  readonly random: Random;
  /** What is left of ids that were cut. */
  readonly #starts: (readonly [start: string, payout: Payout])[] = [];

  constructor(random: Random) {
    this.random = random;
  }

  /** The pay-outs of a day: some in batches, the others each with its fate. */
  addDay(day: string, count: number): void {
    const { random } = this;
    let number = 0;
    while (number < count) {
      const account = ownAccounts[number % ownAccounts.length] as OwnAccount;
      const size = Math.min(random.int(2, 4), count - number);
      if (size > 1 && random.chance(1)) {
        this.#addBatch(day, number, size, account);
        number += size;
      } else {
        number += this.#addOne(day, number, count, account);
      }
    }
  }

  #payout(day: string, number: number, account: OwnAccount, other: Partial<Payout> = {}): Payout {
    const { random, payouts } = this;
    // A report of the weekend, now and then.
    const date = random.chance(4) ? addDays(day, -1) : day;
    const payout: Payout = {
      id: uuidOf(random),
      account,
      token: `token-${String(number).padStart(2, '0')}`,
      date,
      status: random.chance(2) ? 'settled_out_of_balance' : 'settled',
      payIn: random.int(12_000, 4_000_000),
      endToEndIds: [idOf(date, number, payouts.length, random)],
      paymentReferences: [`FILE-${day}-${account.currency}`],
      truth: { state: 'missing_on_bank', entries: [], left: 'key' },
      ...other,
    };
    payouts.push(payout);
    return payout;
  }

  /** Adds an entry, by default of the pay-out, on one of the next days. Returns its key. */
  #line(payout: Pick<Payout, 'account' | 'date' | 'payIn'>, told: Partial<Line>): string {
    const { random, lines } = this;
    const { account } = payout;
    const number = lines.length + 1;
    lines.push({
      number,
      account,
      currency: account.currency,
      amount: payout.payIn,
      date: addBusinessDays(payout.date, random.int(1, 3)),
      isPending: false,
      isReversal: false,
      returnReason: '',
      bankReference: random.chance(70) ? `B${String(number).padStart(9, '0')}` : '',
      name: random.pick(['PAYMENT SERVICES BV', 'Payment Sërvices B.V.', '']),
      payer: random.chance(account.format === 'csv' ? 60 : 93) ? account.payer : '',
      texts: [],
      batchId: '',
      parts: [],
      payments: 0,
      ...told,
    });
    return String(number);
  }

  /** An entry that pays a settlement, named in one of the ways. */
  #pay(payout: Payout, other: Partial<Line> = {}, among = ways): void {
    const { left, start, ...told } = pickWay(this.random, among)(this.#idOf(payout), this.random);
    if (start) this.#starts.push([start, payout]);
    payout.truth.entries.push(this.#line(payout, { ...told, ...other }));
    payout.truth.left = left;
    payout.truth.state = left === 'key' ? 'matched' : 'suggested';
  }

  #idOf({ endToEndIds }: Payout): string {
    return endToEndIds[0] ?? '';
  }

  /** Returns how many pay-outs were added. */
  #addOne(day: string, number: number, count: number, account: OwnAccount): number {
    const { random } = this;
    let dice = random.int(1, 1000);
    const fate = fates.find(([, odds]) => {
      dice -= odds;
      return dice <= 0;
    })?.[0];
    const payout = () => this.#payout(day, number, account);
    const conclude = ({ truth }: Payout, state: BankState, left: Truth['left'] = 'key') => {
      truth.state = state;
      truth.left = left;
    };
    switch (fate) {
      case undefined: {
        const one = payout();
        // The id of the payer's file, which others of the day share, and nothing else.
        const isByFile = account.format === 'camt' && random.chance(4);
        const [paymentInformationId] = one.paymentReferences;
        if (isByFile) {
          one.truth.entries.push(this.#line(one, { paymentInformationId }));
          conclude(one, 'matched');
        } else this.#pay(one);
        return 1;
      }
      case 'fee_apart': {
        const one = payout();
        this.#pay(one, { date: addBusinessDays(one.date, 1) }, certainWays);
        const fee = { amount: -random.int(20, 900), texts: [`Charges for ${this.#idOf(one)}`] };
        // It is told of in a text, where short ids say nothing.
        const isNamed = inText(this.#idOf(one)) === 'key';
        const key = this.#line(one, { ...fee, payer: '' });
        if (isNamed) one.truth.entries.push(key);
        conclude(one, isNamed ? 'difference' : 'matched');
        return 1;
      }
      case 'fee': {
        const one = payout();
        this.#pay(one, { amount: one.payIn - random.int(50, 900) }, certainWays);
        conclude(one, 'difference');
        return 1;
      }
      case 'late': {
        const one = payout();
        const days = one.date < '2026-12' ? random.int(6, 15) : random.int(1, 3);
        this.#pay(one, { date: addBusinessDays(one.date, days) }, certainWays);
        return 1;
      }
      case 'split':
      case 'split_unnamed': {
        const one = payout();
        const first = random.int(1000, one.payIn - 1000);
        const isNamed = fate === 'split';
        const told = isNamed
          ? { endToEndId: this.#idOf(one).slice(0, 35) }
          : { payer: account.payer };
        for (const amount of [first, one.payIn - first]) {
          one.truth.entries.push(this.#line(one, { ...told, amount }));
        }
        conclude(one, isNamed ? 'matched' : 'suggested', isNamed ? 'key' : 'amount');
        return 1;
      }
      case 'missing': {
        const one = payout();
        conclude(one, 'missing_on_bank', 'nothing');
        // Somebody else pays the same on one of these days.
        if (random.chance(50)) this.addStranger({ account, amount: one.payIn, date: one.date });
        return 1;
      }
      case 'twice': {
        const one = payout();
        this.#pay(one, {}, certainWays);
        this.#pay(one, {}, certainWays);
        conclude(one, 'difference');
        return 1;
      }
      case 'returned':
      case 'returned_unnamed':
      case 'paid_again': {
        const one = payout();
        this.#pay(one, { date: addBusinessDays(one.date, 1) }, certainWays);
        const told = { endToEndId: this.#idOf(one).slice(0, 35), returnReason: 'AC04' };
        const back = { amount: -one.payIn, date: addBusinessDays(one.date, 4), payer: '' };
        // A CSV file has no mark of a reversal.
        const isUnnamed = fate === 'returned_unnamed' && account.format !== 'csv';
        const how = isUnnamed ? { isReversal: true } : told;
        one.truth.entries.push(this.#line(one, { ...back, ...how }));
        conclude(one, 'returned');
        if (fate !== 'paid_again') return 1;
        this.#pay(one, { date: addBusinessDays(one.date, 6) }, certainWays);
        conclude(one, 'matched');
        return 1;
      }
      case 'other_currency': {
        const one = payout();
        const currency = account.currency === 'EUR' ? 'USD' : 'EUR';
        const there = ownAccounts.find((other) => other.currency === currency) ?? account;
        const other = { account: there, currency, payer: '' };
        this.#pay(one, { ...other, amount: random.int(12_000, 4_000_000) }, certainWays);
        conclude(one, 'difference');
        return 1;
      }
      case 'negative': {
        const one = this.#payout(day, number, account, { payIn: -random.int(500, 90_000) });
        this.#pay(one);
        return 1;
      }
      case 'zero': {
        conclude(this.#payout(day, number, account, { payIn: 0 }), 'nothing_due', 'nothing');
        return 1;
      }
      case 'pending': {
        const one = this.#payout(day, number, account, { status: 'pending_settlement' });
        conclude(one, 'not_paid_yet', 'nothing');
        return 1;
      }
      case 'pending_at_bank': {
        const one = payout();
        const isTold = account.format === 'camt';
        if (isTold) this.#pay(one, { isPending: true }, certainWays);
        conclude(one, isTold ? 'pending_on_bank' : 'missing_on_bank', isTold ? 'key' : 'nothing');
        return 1;
      }
      case 'twins':
      case 'same_id': {
        if (number + ownAccounts.length >= count) {
          this.#pay(payout());
          return 1;
        }
        const [one, other] = [payout(), payout()] as const;
        const twin = { ...other, date: one.date, payIn: one.payIn };
        if (fate === 'same_id') {
          const same = { ...twin, endToEndIds: one.endToEndIds };
          this.payouts.splice(-1, 1, same);
          const told = { endToEndId: this.#idOf(one).slice(0, 35) };
          const key = this.#line(one, told);
          for (const each of [one, same]) {
            each.truth.entries.push(key);
            conclude(each, 'ambiguous', 'nothing');
          }
          return 2;
        }
        this.payouts.splice(-1, 1, twin);
        this.#pay(one);
        this.#pay(twin);
        const lefts = [one.truth.left, twin.truth.left];
        // Neither has more than an amount that the other one has too.
        if (lefts.every((left) => left === 'amount')) {
          for (const each of [one, twin]) conclude(each, 'ambiguous', 'nothing');
        }
        return 2;
      }
    }
  }

  /** Several pay-outs of an account in one entry. */
  #addBatch(day: string, number: number, size: number, account: OwnAccount): void {
    const { random } = this;
    const kind = random.pick(
      account.format === 'camt'
        ? ([
            'details',
            'details',
            'stranger',
            'no_amounts',
            'each_total',
            'short',
            'file',
            'sum',
          ] as const)
        : (['sum'] as const),
    );
    const file = `BATCH-${day}-${number}`;
    const payouts = Array.from({ length: kind === 'sum' ? 2 : size }, (_, at) =>
      this.#payout(day, number + at, account, { date: day, paymentReferences: [file] }),
    );
    const all = { account, date: day, payIn: payouts.reduce((sum, { payIn }) => sum + payIn, 0) };
    const told = payouts.map(
      (one): Told => ({
        amount: kind === 'no_amounts' ? undefined : kind === 'each_total' ? all.payIn : one.payIn,
        endToEndId: this.#idOf(one).slice(0, 35),
        texts: [],
      }),
    );
    const stranger = { amount: random.int(500, 9_000), endToEndId: 'OTHER-MERCHANT', texts: [] };
    const parts: readonly Told[] = {
      details: told,
      stranger: [...told, stranger],
      no_amounts: told,
      each_total: told,
      // The bank lists the first one only.
      short: told.slice(0, 1),
      file: [],
      sum: [],
    }[kind];
    const key = this.#line(all, {
      amount: all.payIn + (kind === 'stranger' ? stranger.amount : 0),
      parts,
      payments: kind === 'short' ? payouts.length : parts.length,
      payer: account.payer,
      batchId: kind === 'file' ? file : '',
      texts: kind === 'sum' ? ['Payouts of the day'] : [],
    });
    for (const [at, { truth }] of payouts.entries()) {
      const isApart = kind === 'details' || kind === 'stranger';
      // What the bank doesn't list is one payment of which it says nothing.
      const isLeftOut = kind === 'short' && at > 0;
      const part = kind === 'short' ? Math.min(at, 1) : at;
      truth.entries.push(isApart || kind === 'short' ? `${key}.${part + 1}` : key);
      truth.state = kind === 'sum' || isLeftOut ? 'suggested' : 'matched';
      truth.left = kind === 'sum' ? 'amount' : isLeftOut ? 'nothing' : 'key';
    }
  }

  /** Of a start that several ids have, nobody can tell which one was meant. */
  forgetSharedStarts(): void {
    for (const [start, { truth, id }] of this.#starts) {
      const others = this.payouts.filter((one) => one.id !== id);
      if (others.some((one) => this.#idOf(one).startsWith(start))) truth.left = 'nothing';
    }
  }

  /** An entry that has nothing to do with the service, though it may look so. */
  addStranger(other: Partial<Pick<Line, 'account' | 'amount' | 'date'>> = {}): void {
    const { random, payouts } = this;
    const account = other.account ?? random.pick(ownAccounts);
    const some = payouts.length > 0 ? random.pick(payouts) : undefined;
    const id = some ? this.#idOf(some) : 'E2E';
    const told: Partial<Line> = random.pick([
      { texts: ['Rent March'], name: 'Landlord' },
      { texts: ['Salary'], endToEndId: 'NOTPROVIDED' },
      { texts: ['Invoice 2026-118'], endToEndId: `INV-${random.int(1, 99_999)}` },
      { texts: ['Account fee'], name: '' },
      // Like an id, and none.
      { texts: [`payment ${id}7`] },
      { texts: [`X${bare(id)}`] },
      { endToEndId: id.length < 35 ? `${id}0` : 'NONREF', texts: [] },
      { texts: [`Order ${id.slice(0, 11)}`] },
    ]);
    const isOut = other.amount === undefined && random.chance(60);
    const amount = other.amount ?? random.int(100, 900_000) * (isOut ? -1 : 1);
    const date = other.date ?? addBusinessDays(begin, random.int(0, 240));
    // Without an account, the same amount on the same days could be the service's as well.
    const isNamed = other.amount !== undefined || random.chance(70);
    const payer = isNamed ? `DE0${random.int(1, 9)}STRANGER${random.int(1000, 9999)}` : '';
    this.#line({ account, date, payIn: amount }, { ...told, payer });
  }
}

/** Ids of several kinds, by accounting token. */
function idOf(date: string, token: number, number: number, random: Random): string {
  const serial = String(number).padStart(6, '0');
  switch (token % 5) {
    case 0:
      return uuidOf(random);
    case 1:
      return `E2E-${date.replaceAll('-', '')}-${String(token).padStart(2, '0')}-${serial}`;
    case 2:
      return `TX${serial}${random.int(10_000, 99_999)}XT`;
    case 3:
      return `${random.int(100_000, 999_999)}${serial}${random.int(100_000, 999_999)}`;
    default:
      return `P${serial}X${random.int(10, 99)}`;
  }
}

function uuidOf(random: Random): string {
  const hex = Array.from({ length: 4 }, () =>
    random.int(0, 0x7fffffff).toString(16).padStart(8, '0'),
  );
  const all = hex.join('');
  return [
    all.slice(0, 8),
    all.slice(8, 12),
    `4${all.slice(13, 16)}`,
    `8${all.slice(17, 20)}`,
    all.slice(20),
  ].join('-');
}
