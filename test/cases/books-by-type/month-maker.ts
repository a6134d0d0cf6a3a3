import { createHash } from 'node:crypto';
import { Random } from '../../support/random.ts';
import {
  type Accounts,
  type Books,
  type Month,
  type OfRow,
  ofRows,
  type Row,
  type RowAccounts,
  type Rules,
  type Settlement,
} from './month.ts';

export const seeds = Array.from(
  { length: Number(process.env['BOOKS_SEEDS'] ?? 3) },
  (_, n) => n + 1,
);

/** As the service might write them: no two of these are the same type. */
export const types = [
  ...['purchase', 'refund', 'chargeback', 'reserve', 'adjustment'],
  ...['Refund', 'RESERVE', 'reserve release', 'fee (scheme), monthly', 'refund.partial'],
  ...['chargeback-fee', 'Rückbuchung', 'a "quoted" type', 'constructor', ''],
];

/** On rows, and never in a mapping. */
export const noType = '';

const decimals: Readonly<Record<string, number>> = { EUR: 2, JPY: 0, KWD: 3, USD: 2 };

/** Makes a month of settlements and a mapping of accounts with gaps on every level. */
export function makeMonth(seed: number): Month {
  const random = new Random(seed);
  let count = 0;
  const uuid = () => {
    const hex = createHash('sha256').update(`books ${seed} ${count++}`).digest('hex');
    return [hex.slice(0, 8), hex.slice(8, 12), '4000', '8000', hex.slice(12, 24)].join('-');
  };
  const tokens = [uuid(), uuid(), uuid()] as const;
  const [shop, stores, gulf] = tokens;
  const rules: Rules = {
    isDeclinedLeftOut: seed % 3 !== 1,
    isRefundTurned: seed % 3 === 2,
    isTaxInFees: seed % 3 === 0,
  };
  const ledgers = [
    ...[[shop, 'EUR'] as const, [stores, 'EUR'] as const],
    ...[[stores, 'JPY'] as const, [gulf, 'KWD'] as const],
  ];
  const settlements = ledgers.flatMap(([token, currency]) =>
    [0, 1, 2, 3].map((n): Settlement => {
      // In each ledger: all kinds of rows, a gross without a row, one still pending.
      const scale = (decimals[currency] ?? 2) + (currency === 'EUR' && n === 1 ? 1 : 0);
      const some = n === 0 ? types : random.sample(types, random.int(3, 9));
      const rows = some.flatMap((type) => rowsOf(type, currency, scale));
      const foreign = rowOf(n === 0 ? 'purchase' : 'refund', 'USD', 2);
      if (n < 2) rows.push({ ...foreign, isTwice: false });
      const day = `2026-03-${String(2 + 7 * n + random.int(0, 6)).padStart(2, '0')}`;
      return {
        ...{ id: uuid(), day, token, currency, scale, rows, isPending: n === 3 },
        grossWithoutRow: n === 2 ? BigInt(random.pick([-8_450, 5_000, 12])) : 0n,
      };
    }),
  );
  return { books: makeBooks(random, seed, tokens), rules, settlements };

  function rowsOf(type: string, currency: string, scale: number): Row[] {
    return Array.from({ length: type === 'purchase' ? 4 : random.int(1, 2) }, () =>
      rowOf(type, currency, scale),
    );
  }

  function rowOf(type: string, currency: string, scale: number): Row {
    const isPositive = type === 'purchase' || /release|adjust|fee/.test(type);
    const size = BigInt(random.pick([0, random.int(1, 99), random.int(100, 90_000)]));
    const receivable = isPositive && !random.chance(10) ? size : -size;
    const [fees, tax] = random.chance(25) ? [0, 0] : [random.int(-50, 900), random.int(-9, 180)];
    return {
      ...{ id: uuid(), type, currency, scale, receivable },
      ...{ fees: BigInt(fees), tax: BigInt(tax) },
      state: random.chance(15) ? 'declined' : 'approved',
      isTwice: random.chance(10),
    };
  }
}

function makeBooks(random: Random, seed: number, tokens: readonly string[]): Books {
  const mapped = types.filter((type) => type !== noType);
  // Levels share some accounts, and an account can be for fees and tax.
  const account = (level: string, purpose: OfRow): string => {
    if (purpose !== 'receivable' && random.chance(20)) return 'expenses:shared costs';
    return random.chance(10) ? `shared:${purpose}` : `${level}:${purpose}`;
  };
  const entry = (level: string): RowAccounts => {
    const own = random.sample(ofRows, random.int(1, 3));
    return Object.fromEntries(own.map((purpose) => [purpose, account(level, purpose)]));
  };
  // Over three seeds, the wider levels have an account of their own for each purpose.
  const wider = (level: string, n: number): Accounts => {
    const purpose = ofRows[(seed + n) % 3] ?? 'fees';
    return {
      ...(random.chance(50) && entry(level)),
      [purpose]: `${level}:${purpose}`,
      ...(random.chance(50) && { in_transit: `${level}:in transit` }),
      ...(random.chance(50) && { suspense: `${level}:suspense` }),
    };
  };
  const entries = (list: readonly string[], level: string) =>
    new Map(list.map((type) => [type, entry(`${level} ${mapped.indexOf(type)}`)]));
  // Most types of a token have an entry for all tokens too.
  const typed = random.sample(mapped, 7);
  const ofToken = () => [...random.sample(typed, 4), ...random.sample(mapped, 2)];
  return {
    general: {
      ...{ in_transit: 'assets:payments in transit', bank: 'assets:bank' },
      ...{ fees: 'expenses:payment fees', tax: 'assets:input tax' },
      ...{ receivable: 'assets:receivables:payments', suspense: 'assets:suspense' },
      accepted: 'expenses:accepted differences',
    },
    currency: new Map(['EUR', 'JPY'].map((one, n) => [one, wider(one, n)])),
    token: new Map(tokens.slice(1).map((token, n) => [token, wider(`token ${n}`, n)])),
    type: entries(typed, 'type'),
    tokenType: new Map(
      tokens.slice(0, 2).map((token, n) => [token, entries(ofToken(), `token ${n} type`)]),
    ),
  };
}
