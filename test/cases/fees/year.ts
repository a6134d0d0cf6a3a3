import { type Account, decimals, type FeeYear, type Rounding, type Tier } from './contract.ts';
import { priced, taxed } from './price-by-digits.ts';
import { dayAfter, YearMaker } from './year-maker.ts';

/** Three contracts by default; `FEES_SEEDS=20` for all that the issue asks for. */
export const seeds = Array.from(
  { length: Number(process.env['FEES_SEEDS'] ?? 3) },
  (_, n) => n + 1,
);

type Plant = (maker: YearMaker, currency: string) => void;

const currencies = ['EUR', 'JPY', 'KWD'] as const;
const roundings: readonly Rounding[] = ['down', 'up', 'half_up', 'half_even'];
const percents = ['1.4', '0.8', '2.5', '1.25', '0.75', '0.0875', '3'];
const times = (count: number, make: (n: number) => void) => {
  for (let n = 0; n < count; n++) make(n);
};

/** Each way in which a fee can be right or wrong, on a payment type of its own. */
const plants: Readonly<Record<string, Plant>> = {
  'as agreed': (maker, currency) => {
    const { random } = maker;
    const rate = maker.rate('agreed', currency, {
      percent: random.pick(percents),
      fixed: maker.money(random.int(0, 40), currency),
      rounding: random.pick(roundings),
      ...(random.chance(50) && { round: random.pick(['sum', 'parts']) }),
      tax: { percent: random.pick(['20', '21', '5.5']), rounding: random.pick(roundings) },
      states: ['approved', 'captured'],
    });
    times(8, () => maker.row(rate, { state: random.pick(['approved', 'captured']) }));
    maker.row(rate, { amount: 0n });
    // Whatever they cost, pending settlements do not count yet.
    times(2, () => maker.row(rate, { isPending: true }, { fee: 77_777n }));
  },

  'percentage too high': (maker, currency) => {
    const terms = { percent: '1.4', fixed: maker.money(25, currency), rounding: 'down' } as const;
    const tax = { percent: '20', rounding: 'down', per: 'row' } as const;
    const rate = maker.rate('percentage', currency, { ...terms, tax });
    times(8, (n) => maker.row(rate, { amount: maker.large(n) }, { as: { percent: '1.7' } }));
  },

  'fixed part too high': (maker, currency) => {
    const { random } = maker;
    const rate = maker.rate('fixed', currency, {
      percent: random.pick(percents),
      fixed: maker.money(20, currency),
      rounding: random.pick(roundings),
      tax: { percent: '20', rounding: 'down' },
    });
    times(8, (n) => maker.row(rate, { amount: maker.large(n) }, { by: 5n, kind: 'fixed' }));
  },

  'rounded up': (maker, currency) => {
    const rounding = maker.random.pick(['down', 'half_up', 'half_even'] as const);
    const rate = maker.rate('rounding', currency, { percent: '1.4', rounding });
    times(12, (n) => {
      const amount = BigInt((n + 2) * 10_000 + (n % 2));
      maker.row(rate, { amount }, { as: { rounding: 'up' }, kind: 'rounding' });
    });
  },

  'half a unit': (maker, currency) => {
    for (const rounding of roundings) {
      for (const round of ['sum', 'parts'] as const) {
        const name = `${rounding}-${round}`;
        const fixed = maker.money(15, currency);
        const rate = maker.rate(name, currency, { percent: '2.5', fixed, rounding, round });
        times(2, (n) =>
          maker.row(rate, { amount: BigInt(20 + 40 * maker.random.int(0, 999) + n * 20) }),
        );
      }
    }
  },

  'tax wrong': (maker, currency) => {
    const { random } = maker;
    const terms = { percent: '2.5', rounding: 'half_up' } as const;
    const open = maker.rate('tax-open', currency, { ...terms, tax: { percent: '21' } });
    const none = maker.rate('tax-none', currency, { ...terms, tax: { percent: '0' } });
    const unchecked = maker.rate('tax-unchecked', currency, terms);
    times(5, () => maker.row(open, {}, { taxBy: random.pick([0n, 0n, 3n, -2n]) }));
    times(4, () => maker.row(none, {}, { taxBy: random.pick([0n, 9n]) }));
    times(2, () => maker.row(unchecked, {}, { tax: 99n }));
  },

  undercharged: (maker, currency) => {
    const fixed = maker.money(60, currency);
    const tax = { percent: '20', rounding: 'half_even' } as const;
    const rate = maker.rate('under', currency, { percent: '0.8', fixed, rounding: 'up', tax });
    times(6, (n) => maker.row(rate, {}, { by: [0n, -1n, -33n][n % 3] ?? 0n }));
    // Over and under in one group.
    times(4, (n) => maker.row(rate, { amount: maker.large(n) }, { by: BigInt(n * 5) }));
  },

  'minimum and maximum': (maker, currency) => {
    const rate = maker.rate('limits', currency, {
      percent: '2.5',
      minimum: maker.money(30, currency),
      maximum: maker.money(500, currency),
      ...(maker.random.chance(50) && { rounding: maker.random.pick(roundings) }),
    });
    for (const amount of [0n, 1n, 1199n, 1200n, 1201n, 1239n, 1241n, 19_999n, 20_000n, 20_041n]) {
      maker.row(rate, { amount });
      maker.row(rate, { amount: amount + 7n }, { by: maker.random.pick([4n, 9n, -2n]) });
    }
  },

  bounds: (maker, currency) => {
    const { random } = maker;
    const rate = maker.rate('interchange', currency, {
      percent_from: '0.3',
      percent_to: '1.15',
      fixed: maker.money(5, currency),
      ...(random.chance(50) && { rounding: random.pick(roundings) }),
      tax: { percent: '20', rounding: 'down' },
    });
    const by = [0n, 0n, 3n, -4n, 12n];
    times(10, (n) => maker.row(rate, { amount: maker.large(n) }, { by: by[n % 5] ?? 0n }));
  },

  'rounding not agreed': (maker, currency) => {
    const fixed = maker.money(3, currency);
    const rate = maker.rate('either', currency, { percent: '1.25', fixed, tax: { percent: '21' } });
    times(10, (n) => maker.row(rate, {}, { by: [0n, 0n, 0n, 2n, -2n, 9n][n % 6] ?? 0n }));
  },

  refunds: (maker, currency) => {
    const { random } = maker;
    const terms = {
      percent: '1.4',
      fixed: maker.money(25, currency),
      types: ['purchase', 'refund'],
    };
    const tax = { percent: '20', rounding: 'down' } as const;
    const back = () => ({ type: 'refund', amount: -maker.amount(currency) });
    const rounding = random.pick(roundings);
    const returned = maker.rate('returned', currency, {
      ...terms,
      rounding,
      sign: 'returned',
      tax,
    });
    times(3, () => maker.row(returned, {}));
    times(3, () => maker.row(returned, back()));
    times(4, () => maker.row(returned, back(), { fee: 0n, kind: 'kept' }));
    maker.row(returned, back(), { by: -3n });
    const open = maker.rate('returned-open', currency, { ...terms, sign: 'returned' });
    times(3, () => maker.row(open, back()));
    times(2, () => maker.row(open, back(), { fee: 0n, kind: 'kept' }));
    const none = maker.rate('refund-free', currency, {
      ...terms,
      sign: 'none',
      minimum: terms.fixed,
    });
    times(2, () => maker.row(none, {}));
    times(3, () => maker.row(none, back()));
    const charged = maker.rate('refund-charged', currency, { ...terms, rounding: 'down' });
    times(2, () => maker.row(charged, {}));
    times(3, () => maker.row(charged, back()));
    const chargebacks = { fixed: maker.money(1500, currency), types: ['chargeback'] };
    const lost = maker.rate('chargeback', currency, { ...chargebacks, sign: 'charged' });
    times(3, () => maker.row(lost, { type: 'chargeback', amount: -maker.amount(currency) }));
  },

  'prices by row day': (maker, currency) => {
    const { changed } = maker.zone;
    const eve = dayAfter(changed, -1);
    const price = (percent: string, from: string, to?: string) =>
      maker.rate('by-row', currency, {
        ...{ name: `by-row ${percent} ${currency}`, percent, rounding: 'down', valid_from: from },
        ...(to !== undefined && { valid_to: to }),
        day: 'row',
      });
    const first = price('2.5', '2026-01-01', dayAfter(eve, -1));
    const second = price('1.4', eve, eve);
    const third = price('0.8', changed);
    for (const [n, time] of [
      '00:00:00',
      '00:15:00',
      '12:00:00',
      '23:45:00',
      '23:59:59',
    ].entries()) {
      maker.row(first, { day: dayAfter(eve, -1), time, amount: maker.large(n) });
      maker.row(second, { day: eve, time, amount: maker.large(n) });
      maker.row(third, { day: changed, time, amount: maker.large(n) });
      // The old price goes on.
      maker.row(third, { day: changed, time, amount: maker.large(n + 5) }, { as: second });
    }
  },

  'prices by settlement day': (maker, currency) => {
    const price = (percent: string, terms: object) =>
      maker.rate('by-settlement', currency, {
        ...{ name: `by-settlement ${percent} ${currency}`, percent, rounding: 'half_even' },
        ...{ day: 'settlement', ...terms },
      });
    const old = price('1.4', { valid_to: '2026-03-12' });
    const now = price('0.75', { valid_from: '2026-03-13' });
    times(9, (n) => {
      const day = dayAfter('2026-03-08', n);
      const isOld = maker.payDay(day) <= '2026-03-12';
      const place = { day, amount: maker.large(n) };
      maker.row(isOld ? old : now, place, !isOld && n % 2 === 0 ? { as: old } : {});
    });
  },

  'volume tiers': (maker, currency) => {
    for (const tier_of of ['month before', 'month'] as const) {
      for (const day of ['row', 'settlement'] as const) plantTiers(maker, currency, tier_of, day);
    }
  },

  'no rate': (maker, currency) => {
    const [only] = maker.of(currency);
    if (!only) throw new RangeError(`No account in ${currency}`);
    const late = maker.rate('late', currency, { percent: '1.4', valid_from: '2026-03-05' });
    maker.row(late, { day: '2026-03-05', time: '00:05:00' });
    const without = (paymentType: string, place: object = {}) =>
      maker.row(undefined, { account: only, paymentType, ...place });
    without('late', { day: '2026-03-04', time: '23:55:00' });
    times(3, () => without('voucher'));
    const limits = { states: ['approved'], types: ['purchase'], tokens: [only.token] };
    const rate = maker.rate('limited', currency, { percent: '1', rounding: 'up', ...limits });
    maker.row(rate, { account: only });
    without('limited', { state: 'declined' });
    without('limited', { type: 'adjustment' });
    without('Limited');
    for (const account of maker.of(currency).slice(1)) without('limited', { account });
    const merchants = maker.rate('merchant', currency, {
      ...{ percent: '1', merchant_ids: [only.merchantId], rounding: 'up' },
    });
    maker.row(merchants, { account: only });
    for (const account of maker.of(currency).slice(1)) without('merchant', { account });
  },

  'tax per settlement': (maker, currency) => {
    const tax = { percent: '21', rounding: 'half_up', per: 'settlement' } as const;
    const terms = { percent: '1.25', rounding: 'half_up', types: ['purchase'], tax } as const;
    const rate = maker.rate('tax-of-all', currency, terms);
    const [account] = maker.of(currency);
    if (!account) throw new RangeError(`No account in ${currency}`);
    for (const [n, day] of ['2026-02-10', '2026-03-02', '2026-03-17', '2026-03-27'].entries()) {
      const settlement = maker.settlement(account, maker.payDay(day));
      const unit = 10n ** BigInt(settlement.scale - (decimals[currency] ?? 2));
      const amounts = [3n, 5n, 9n].map((more) => maker.large(n) + more);
      const fees = amounts.map((amount) => priced(rate, amount * unit, settlement.scale).high);
      const sum = fees.reduce((all, fee) => all + fee, 0n);
      const over = n % 2 === 0 ? 0n : 4n;
      // Per row it would be rounded three times; here the last row takes the rest.
      let rest = taxed(tax, sum).high + over;
      for (const [index, amount] of amounts.entries()) {
        const share =
          index === 2 ? rest : taxed({ ...tax, rounding: 'down' }, fees[index] ?? 0n).low;
        rest -= share;
        maker.row(rate, { account, day, amount, isOnce: true }, { tax: share });
      }
      maker.settlementTax.set(settlement, over);
    }
  },
};

/** Each merchant and month has a volume at the edge of a tier; the tier follows from the plan. */
function plantTiers(
  maker: YearMaker,
  currency: string,
  tier_of: 'month before' | 'month',
  day: 'row' | 'settlement',
): void {
  const { random } = maker;
  const edges = [200_000n, 500_000n];
  const tiers: readonly Tier[] = [
    { up_to: maker.money(200_000, currency), percent: '1.2' },
    { up_to: maker.money(500_000, currency), percent: '0.9', fixed: maker.money(2, currency) },
    { percent: '0.6' },
  ];
  const name = `${tier_of.replace(' ', '-')}-${day}`;
  const rate = maker.rate(name, currency, {
    ...{ tier_by: 'volume', tier_of, tiers, rounding: random.pick(roundings) },
    // The default day is that of the row.
    ...(day === 'settlement' && { day }),
  });
  const tierOf = (volume: bigint) => tiers[edges.filter((edge) => volume > edge).length] ?? {};
  for (const account of maker.of(currency)) {
    let before = 0n;
    for (const month of ['2026-01', '2026-02', '2026-03']) {
      const volume = random.pick([150_000n, 200_000n, 200_001n, 500_000n, 500_001n, 600_000n]);
      const terms = tierOf(tier_of === 'month' ? volume : before);
      const last = month === '2026-02' ? '28' : '31';
      // In January the last days are left out: rows settled in February would need December.
      const isEdge = day === 'row' && month !== '2026-01';
      const days = isEdge ? ['01', '12', '20', last] : ['05', '12', '20', '25'];
      const add = (amount: bigint, index: number, type = 'purchase') => {
        const time = index === 0 ? '00:01:00' : '23:58:00';
        const place = { account, type, amount, day: `${month}-${days[index]}`, time };
        const isDear = type === 'purchase' && index === 1;
        maker.row(rate, place, { terms, ...(isDear && { as: { ...tiers[0], fixed: '0' } }) });
      };
      const parts = [0, 1, 2].map((n) => maker.large(n));
      for (const [index, amount] of parts.entries()) add(amount, index);
      // A refund counts with its sign: it brings the volume back to what is planned.
      const refunded = maker.large(1);
      add(-refunded, 2, 'refund');
      add(volume + refunded - parts.reduce((sum, amount) => sum + amount, 0n), 3);
      before = volume;
    }
  }
}

/** Rows in another currency than their settlement, some of them with a rate. */
function plantForeign(maker: YearMaker): void {
  const rate = maker.rate('abroad', 'USD', { percent: '2.5', fixed: '0.30', rounding: 'half_up' });
  for (const account of maker.accounts) {
    const place = { account, currency: 'USD' };
    for (const [n, by] of [0n, 6n, -3n].entries()) {
      maker.row(rate, { ...place, amount: maker.large(n) }, { by });
    }
    maker.row(undefined, { ...place, paymentType: 'abroad-free' });
  }
}

/** Fees in headers alone: as agreed in EUR, above it in JPY, not agreed at all in KWD. */
function plantFeesWithoutRow(maker: YearMaker): void {
  const charged: Readonly<Record<string, bigint>> = { EUR: 2900n, JPY: 500n, KWD: 1250n };
  for (const [currency, fee] of Object.entries(charged)) {
    const [account] = maker.of(currency) as readonly Account[];
    if (!account) continue;
    for (const day of ['2026-02-12', '2026-03-14']) {
      const settlement = maker.settlement(account, maker.payDay(day));
      settlement.feesWithoutRow = fee * 10n ** BigInt(settlement.scale - (decimals[currency] ?? 2));
      // A header has rows.
      maker.row(undefined, { account, day });
    }
  }
}

/** The contract and the rows of a seed: the same seed gives the same ones. */
export function makeYear(seed: number, only?: readonly string[]): FeeYear {
  const maker = new YearMaker(seed);
  for (const [name, plant] of Object.entries(plants)) {
    if (only && !only.includes(name)) continue;
    for (const currency of currencies) plant(maker, currency);
  }
  if (only) return maker.year();
  plantForeign(maker);
  plantFeesWithoutRow(maker);
  return maker.year([
    { name: 'terminal rent', every: 'month', amount: '29.00', currency: 'EUR' },
    { name: 'terminal rent', every: 'month', amount: '300', currency: 'JPY' },
  ]);
}
