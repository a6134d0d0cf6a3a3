import { Random } from '../../support/random.ts';
import type { Bank, Line } from './banks.ts';

export interface Payout {
  /** A UUID. */
  readonly id: string;
  readonly endToEndId: string;
  readonly day: string;
  readonly minor: number;
}

/** A month of pay-outs, what the bank booked of them, and what others paid who write nearly the same. */
export interface Month {
  readonly payouts: readonly Payout[];
  /** Those whose money is on the account, by the line that is theirs. */
  readonly paid: ReadonlyMap<Line, Payout>;
  readonly lines: readonly Line[];
}

const hex = (random: Random, count: number) =>
  Array.from({ length: count }, () => random.pick([...'0123456789abcdef'])).join('');

const uuidOf = (digits: string) =>
  [0, 8, 12, 16, 20].map((at, part) => digits.slice(at, [8, 12, 16, 20, 32][part])).join('-');

/** Ids of payments: of dates, counters and words, so that many begin alike. */
const forms: readonly ((day: string, number: number, random: Random) => string)[] = [
  (day, number, random) =>
    `CRP-${day.slice(2).replaceAll('-', '')}-USD-${String(number).padStart(4, '0')}-${hex(random, 4)}`,
  (day, number) => `${day.replaceAll('-', '')}-${String(number).padStart(6, '0')}`,
  (day) => `SETTLEMENT-MARCH-PAYOUT-${day.slice(8)}`,
  (day, number) => `BATCH-2026-${day.slice(8)}-${number}`,
  (_, number, random) => `PO${String(number).padStart(5, '0')}USD${hex(random, 6)}`,
  (_, number) => `DEADBEEF-${String(number).padStart(8, '0')}`,
];

/** Few amounts, so that others pay the same. */
const amounts = [100_00, 250_00, 1_000_00, 99_99];

const dayOf = (random: Random) => `2026-03-${String(random.int(2, 24)).padStart(2, '0')}`;
const dayAfter = (day: string, days: number) =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);

export function makeMonth(seed: number, bank: Bank): Month {
  const random = new Random(seed);
  const twins: string[] = [];
  const payouts = Array.from({ length: random.int(4, 14) }, (_, number): Payout => {
    const twin = random.chance(20) ? twins.at(-1) : undefined;
    const digits = (twin ?? '').slice(0, random.pick([8, 10, 12, 14])) + hex(random, 32);
    const id = uuidOf(digits.slice(0, 32));
    twins.push(id.replaceAll('-', ''));
    const day = dayOf(random);
    return {
      id,
      day,
      minor: random.pick(amounts),
      endToEndId: random.pick(forms)(day, seed * 100 + number, random),
    };
  });
  const paid = new Map<Line, Payout>();
  const others: Line[] = [];
  for (const payout of payouts) {
    const { id, endToEndId, minor } = payout;
    const day = dayAfter(payout.day, random.int(0, 3));
    if (random.chance(60)) {
      const reference = random.pick([id, id, id.replaceAll('-', ''), endToEndId, '']);
      paid.set({ day, minor, payer: 'CORALPAY', reference }, payout);
    } else if (random.chance(70)) {
      const reference = lookalikeOf(id, endToEndId, bank, random);
      others.push({ day, minor, payer: random.pick(['CORALPAY', 'OTHER SL']), reference });
    }
  }
  const lines = [...paid.keys(), ...others].sort((a, b) => (a.day < b.day ? -1 : 1));
  return { payouts, paid, lines };
}

/** What others write that looks like the id of a pay-out, and is not it. */
function lookalikeOf(id: string, endToEndId: string, { keeps }: Bank, random: Random): string {
  const digits = id.replaceAll('-', '');
  const other = (at: number) => (digits[at] === '7' ? '6' : '7');
  const kept = keeps(digits).length;
  const changed = (at: number) => digits.slice(0, at) + other(at) + digits.slice(at + 1);
  return random.pick([
    // The last character that the bank keeps is another.
    changed(kept - 1),
    uuidOf(changed(6)),
    uuidOf(changed(kept - 4)).replaceAll('-', ' '),
    // Begins in the midst of another id.
    `9${digits.slice(0, 11)}`,
    `7B-${digits.slice(0, 12)}`,
    digits.slice(0, 7),
    digits.slice(1, 12),
    // Parts of ids of payments, as words and numbers of other texts.
    endToEndId.slice(0, 9),
    endToEndId.replaceAll('-', ' ').slice(0, 11),
    'SETTLEMENT MARCH',
    'SETTLEMENT-MARCH-PAYOUT',
    // A number of theirs that an id begins with.
    /^(\d+-\d{4}|)/.exec(endToEndId)?.[0] ?? '',
    'BATCH 2026',
    '20260305',
    String(random.int(10_000_000, 99_999_999)),
  ]);
}

/** Whether a person who sees only what the bank kept may be sure of the pay-out. */
export function isSure(kept: string, payouts: readonly Payout[]): boolean {
  const bare = (text: string) => text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
  const start = bare(kept);
  const owners = payouts.filter(({ id, endToEndId }) =>
    [id, endToEndId].some((one) => bare(one).startsWith(start)),
  );
  const isUuid = owners.every(({ id }) => bare(id).startsWith(start));
  const isMixed = /\d/.test(start) && /[A-Z]/.test(start);
  return isMixed && owners.length === 1 && start.length >= (isUuid ? 8 : 12);
}
