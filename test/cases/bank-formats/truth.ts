import type { Random } from '../../support/random.ts';

/** A booking, in minor units of its account's currency; negative is money out. */
export interface Entry {
  readonly day: string;
  readonly valueDay: string;
  readonly amount: number;
  /** What the bank writes about it, with the id if it has one. */
  readonly text: string;
  /** The id in its text; empty for what is no pay-out. */
  readonly id: string;
  readonly name: string;
  /** The bank's number of it. */
  readonly reference: string;
}

/** An account over whole days. */
export interface Account {
  /** Bank, branch and number as the country writes them. */
  readonly bank: string;
  readonly branch: string;
  readonly number: string;
  /** What reports name it by. */
  readonly name: string;
  readonly currency: string;
  readonly decimals: number;
  readonly from: string;
  readonly to: string;
  readonly opening: number;
  /** By day. */
  readonly entries: readonly Entry[];
}

/** A settlement as the service lists it, and what the bank made of it. */
export interface Payout {
  readonly id: string;
  readonly day: string;
  readonly currency: string;
  readonly decimals: number;
  readonly amount: number;
  readonly endToEndId: string;
  /** What arrived; nothing if it is missing. */
  readonly received: number | undefined;
}

/** What is right: the accounts, and where each pay-out stands. */
export interface Truth {
  readonly month: string;
  readonly accounts: readonly Account[];
  readonly payouts: readonly Payout[];
}

/** Minor units by ISO 4217. */
const decimalsOf: Readonly<Record<string, number>> = {
  ...{ EUR: 2, USD: 2, GBP: 2, CHF: 2, PLN: 2, INR: 2 },
  ...{ JPY: 0, KWD: 3 },
};

/** What a form of statements can say. */
export interface Country {
  readonly currencies: readonly string[];
  readonly account: (random: Random) => Pick<Account, 'bank' | 'branch' | 'number' | 'name'>;
  /** How many accounts a file may hold. */
  readonly mostAccounts: number;
  readonly maxText?: number;
  readonly names?: readonly string[];
}

export const digits = (random: Random, count: number): string =>
  Array.from({ length: count }, () => random.int(0, 9)).join('');

const pad = (value: number, width = 2) => String(value).padStart(width, '0');

/** A day so many days later. */
export function later(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

const months = ['2026-01', '2026-02', '2026-03', '2025-12', '2024-02', '2026-06'];

export function lastDayOf(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
}

const hex = (random: Random, count: number) =>
  Array.from({ length: count }, () => random.int(0, 15).toString(16)).join('');

function uuid(random: Random): string {
  const [a, b, c, d, e] = [8, 4, 4, 4, 12].map((count) => hex(random, count));
  return `${a}-${b}-${c}-${d}-${e}`;
}

/** Ids as services make them: with a day, with a word, as one number, as a UUID. */
function endToEndIdOf(random: Random, day: string, index: number): string {
  const number = pad(index, 3);
  return random.pick([
    () => `E2E-${day.replaceAll('-', '')}-${number}`,
    () => `PO${day.replaceAll('-', '').slice(2)}${digits(random, 6)}${number}`,
    () => `STL${digits(random, 9)}X${number}`,
    () => `MRCH-1001-${day.slice(2)}-${number}`,
    () => uuid(random),
  ])();
}

const around: readonly ((id: string) => string)[] = [
  (id) => `Payout ${id}`,
  (id) => id,
  (id) => `${id} Gutschrift`,
  (id) => `Settlement ${id} batch 7`,
  (id) => `REF:${id}`,
  (id) => `Payments of the day, ref. ${id}.`,
  (id) => `/EREF/${id}/ payout`,
  (id) => `Payout (${id})`,
  (id) => `12:21:33 payout ${id}`,
];

const otherTexts = [
  ...['Rent', 'Salaries March', 'Card 1234 fuel 45.60', 'Account fee', 'Interest', 'Tax 21,00 %'],
  ...[
    'Invoice 2026-0312',
    'Refund order 77812',
    'Electricity 02/2026',
    'Opening hours',
    'Total care',
  ],
];

/** Makes a month of some accounts from a seed: pay-outs in full, short, missing, and all that a business has beside. */
export function truthOf(random: Random, country: Country): Truth {
  const month = random.pick(months);
  const [from, to] = [`${month}-01`, lastDayOf(month)];
  const count = random.int(1, country.mostAccounts);
  const currencies = random.sample(country.currencies, country.currencies.length);
  const payouts: Payout[] = [];
  const taken = new Set<number>();
  const amountOf = (decimals: number) => {
    for (;;) {
      const most = random.pick([999, 99_999, 9_999_999, 999_999_999]);
      const amount = random.int(1, most) * (decimals === 3 ? 10 : 1) + random.int(0, 9);
      if (amount > 0 && !taken.has(amount)) {
        taken.add(amount);
        return amount;
      }
    }
  };
  const nameOf = () =>
    random.pick(country.names ?? ['Example Payments', "O'Brien & Sons", 'Mueller GmbH']);
  const accounts = Array.from({ length: count }, (_, which): Account => {
    // Two accounts may be of one currency.
    const currency = currencies[random.chance(30) ? 0 : which % currencies.length] ?? 'EUR';
    const decimals = decimalsOf[currency] ?? 2;
    const entries: Entry[] = [];
    const book = (day: string, amount: number, text: string, id: string) => {
      const valueDay = random.chance(70) ? day : later(day, random.pick([-1, 1, 2]));
      const reference = `${pad(which + 1)}${digits(random, 8)}`;
      entries.push({ day, valueDay, amount, text, id, reference, name: nameOf() });
    };
    const settled = random.int(1, 7);
    for (let n = 0; n < settled; n++) {
      const index = payouts.length;
      const day = later(from, random.int(0, 20));
      const [endToEndId, amount] = [endToEndIdOf(random, day, index), amountOf(decimals)];
      const isMissing = random.chance(12);
      const short = random.chance(20) && amount > 400 ? random.pick([150, 1, 390, -25]) : 0;
      const received = isMissing ? undefined : amount - short;
      payouts.push({ id: uuid(random), day, currency, decimals, amount, endToEndId, received });
      if (received === undefined) continue;
      const id = endToEndId.slice(0, 35);
      const texts = around.map((words) => words(id));
      const fitting = texts.filter((text) => text.length <= (country.maxText ?? 200));
      book(later(day, random.int(1, 3)), received, random.pick(fitting), id);
    }
    const others = random.int(1, 8);
    for (let n = 0; n < others; n++) {
      const day = later(from, random.int(0, Number(to.slice(-2)) - 1));
      const sign = random.chance(75) ? -1 : 1;
      const [amount, text] = [sign * amountOf(decimals), random.pick(otherTexts)];
      book(day, amount, text, '');
      // The same thing bought twice on one day: two payments.
      if (random.chance(15)) book(day, amount, text, '');
    }
    entries.sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0));
    const opening = random.int(-500_000, 5_000_000) * (random.chance(90) ? 1 : 0);
    return { ...country.account(random), currency, decimals, from, to, opening, entries };
  });
  return { month, accounts, payouts };
}

export const sumOf = ({ entries }: Pick<Account, 'entries'>): number =>
  entries.reduce((all, { amount }) => all + amount, 0);

/** Decimal text of minor units. */
export function decimal(minor: number, decimals: number, point = '.', group = ''): string {
  const all = String(Math.abs(minor)).padStart(decimals + 1, '0');
  const whole = all.slice(0, all.length - decimals);
  const grouped = group ? whole.replace(/\B(?=(\d{3})+$)/g, group) : whole;
  const text = decimals === 0 ? grouped : `${grouped}${point}${all.slice(-decimals)}`;
  return minor < 0 ? `-${text}` : text;
}
