import type { Fixture } from '../../src/sandbox/fixture.ts';
import type { Scenario } from '../../src/sandbox/scenario.ts';
import { scenarioOf } from '../cli/service.ts';
import type { Random } from '../support/random.ts';

type Settlement = Fixture['settlements'][number];
type Row = Extract<Settlement['rows'][number], readonly unknown[]>;

/** The days that hold all settlements of a random scenario. */
export const days = ['2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05'] as const;

/** So few and so many rows as make a difference to the reading of pages. */
const rowCounts = [0, 1, 2, 3, 5, 8, 13, 30, 61, 100, 101, 160, 230] as const;

const accounts = {
  Web: { accountingToken: '3f0c7a52-6d1e-4b8a-9c35-1e7d20a4b601' },
  Stores: {
    accountingToken: '9a41c0de-58b2-4f6e-8d17-c3b5e2a70942',
    currencyCode: 'JPY',
    decimalPlaces: 0,
  },
  // The same group as that of the Web, 100 times too large.
  Kiosk: { accountingToken: '3f0c7a52-6d1e-4b8a-9c35-1e7d20a4b601', decimalPlaces: 0 },
};

/** Some days of settlements: most are sound, the others have one thing or another that is wrong. */
export function randomScenario(random: Random): Scenario {
  const count = random.chance(5) ? 0 : random.int(1, random.chance(15) ? 24 : 8);
  const settlements = Array.from({ length: count }, () => randomSettlement(random));
  return scenarioOf(random.chance(20) ? withSharedRow(settlements) : settlements, { accounts });
}

function randomSettlement(random: Random): Settlement {
  const rows = Array.from({ length: random.pick(rowCounts) }, () => randomRow(random));
  const sound: Settlement = {
    date: random.pick(days),
    account: random.pick(['Web', 'Web', 'Stores']),
    status: random.pick(['settled', 'settled', 'settled', 'settled', 'pending_settlement']),
    rows,
  };
  if (random.chance(60)) return sound;
  return random.pick(random.chance(5) ? unreadable : flaws)(sound, random);
}

function randomRow(random: Random): Row {
  const sign = random.chance(85) ? 1 : -1;
  const amount = sign * random.int(0, 50_000);
  const type = sign > 0 ? 'purchase' : 'refund';
  const state = random.chance(90) ? {} : { state: random.pick(['declined', 'reversed']) };
  return [type, amount, random.int(0, 300), random.int(0, 60), state];
}

/** What is wrong with a settlement itself, however it is read. */
const flaws: readonly ((sound: Settlement, random: Random) => Settlement)[] = [
  (sound, random) => ({ ...sound, off: { fees: random.int(1, 90), amountPayIn: -1 } }),
  (sound, random) => ({ ...sound, off: { amountGross: random.int(-999, 999), tax: 1 } }),
  (sound, random) => ({ ...sound, off: { totalTransactions: random.int(1, 3) } }),
  announcingFewer,
  (sound) => ({ ...sound, status: 'settled_out_of_balance' }),
  (sound) => ({ ...sound, status: 'a status of tomorrow' }),
  (sound, random) => withRow(sound, random, { currencyCode: 'USD' }),
  (sound, random) => withRow(sound, random, { currencyCode: 'KWD', decimalPlaces: '3' }),
  (sound, random) => withRow(sound, random, { decimalPlaces: '3' }),
  (sound, random) => withRow(sound, random, { settlementId: otherId }),
  listedTwice,
  (sound) => ({ ...sound, account: 'Kiosk' }),
];

/** What can't be read, with whatever patience. */
const unreadable: typeof flaws = [
  (sound, random) => withRow(sound, random, { amount: 10.5 }),
  (sound, random) => withRow(sound, random, { decimalPlaces: '' }),
  (sound, random) => withRow(sound, random, { transactionId: null }),
  (sound) => ({ ...sound, header: { fees: '12' } }),
];

const otherId = '0b7f6a51-9f4e-4c1c-8f0e-5d3a1c2b4e6f';

function withRow(sound: Settlement, random: Random, details: Row[4] & object): Settlement {
  const row: Row = ['correction', random.int(1, 900), 1, 0, details];
  const at = random.int(0, sound.rows.length);
  return { ...sound, rows: [...sound.rows.slice(0, at), row, ...sound.rows.slice(at)] };
}

/** The header leaves rows out, in the count as in the sums. */
function announcingFewer(sound: Settlement, random: Random): Settlement {
  const fewer = Math.min(sound.rows.length, random.int(1, 3));
  return { ...sound, off: { totalTransactions: -fewer, amountGross: random.int(-99, 0) } };
}

/** One transaction stands twice in the list: with the same contents, or with other ones. */
function listedTwice(sound: Settlement, random: Random): Settlement {
  const label = `twice ${random.int(1, 1_000_000_000)}`;
  const [amount, other] = [random.int(1, 900), random.int(1, 900)];
  const once: Row = ['purchase', amount, 1, 0, { label }];
  const again: Row = ['purchase', random.chance(50) ? amount : other, 1, 0, { label }];
  return { ...sound, rows: [once, ...sound.rows, again], off: { totalTransactions: -1 } };
}

/** One transaction stands in two settlements. */
function withSharedRow(settlements: readonly Settlement[]): readonly Settlement[] {
  const shared: Row = ['purchase', 1000, 25, 5, { label: 'shared' }];
  return settlements.map((one, at) => (at < 2 ? { ...one, rows: [...one.rows, shared] } : one));
}
