import { all, type Dialect, half, type MonthMaker, moment, none } from './month-maker.ts';

/** A way in which an order can stand, made as often as asked for. */
interface Case {
  readonly state: string;
  /** The only dialect that can write it. */
  readonly only?: Dialect;
  readonly make: (maker: MonthMaker) => unknown;
}

const can = (state: string, make: Case['make']): Case => ({ state, make });
const canOnly = (only: Dialect, state: string, make: Case['make']): Case => ({ state, only, make });

/** The last moments that are late, and the first that are not: seven days before 5 April. */
const lastLate = moment('2026-03-29', '23:45');
const firstInTime = moment('2026-03-30', '00:15');

const third = (total: bigint) => total / 3n;
const double = (total: bigint) => total * 2n;
const oneLess = (total: bigint) => total - 1n;
const oneMore = (total: bigint) => total + 1n;

/** The states of payments (ORDERS 3), each with what is likely to be taken for another. */
const payments: readonly Case[] = [
  can('settled', (maker) => {
    const soldAt = maker.random.pick([maker.old(), maker.early(), maker.fresh()]);
    maker.order({ soldAt }).pay().is('settled');
  }),
  // The shop knew only its cart when it charged, but it stored the charge.
  canOnly('plain', 'settled', (maker) =>
    maker.order({ keepsCharge: true }).pay({ note: 'cart-7' }).is('settled'),
  ),
  // A double click, given back at once: the shop heard of neither.
  can('settled', (maker) => {
    const charge = maker.uuid();
    maker.order().pay().pay({ charge }).refund({ charge }).is('settled');
  }),
  // A gift card, or a balance after an order was edited: not all of the total is due.
  can('settled', (maker) => maker.order({ notDue: half }).pay({ amount: half }).is('settled')),
  can('settled', (maker) => maker.order({ total: 0n }).pay().is('settled')),
  // The method in the file is that of an attempt that failed, or one of several.
  can('settled', (maker) => {
    const parts = maker.dialect === 'shopify' ? ['Gift Card + Shopify Payments'] : [];
    const method = maker.random.pick(['Bank transfer', ...parts]);
    maker.order({ method }).pay().is('settled');
  }),
  // Equal captures are not doubles; the later ones have no notes.
  can('settled_in_parts', (maker) => {
    const parts = maker.random.pick([2n, 3n, 4n]);
    const amount = (total: bigint) => total / parts;
    const order = maker.order().pay({ amount });
    for (let n = 1n; n < parts; n++) {
      const by = maker.random.pick([{}, { note: '' }, { note: '', charge: maker.uuid() }]);
      order.pay({ amount, ...by });
    }
    order.is('settled_in_parts');
  }),
  // A split order: two documents of one reference, each with its own charge.
  can('settled_in_parts', (maker) => {
    const order = maker.order().pay();
    const total = maker.amount('EUR');
    order.doc({ total }).pay({ amount: () => total, charge: maker.uuid() });
    order.is('settled_in_parts');
  }),
  // Two documents, one charge for both.
  can('settled', (maker) => maker.order().doc({}).pay().is('settled')),
  can('pending', (maker) => {
    const order = maker.order({ soldAt: maker.random.pick([maker.early(), maker.fresh()]) });
    if (maker.random.chance(50)) order.pay({ isPending: true });
    else order.pay({ isPending: true, amount: half }).pay({ amount: half });
    order.is('pending');
  }),
  can('settled_twice', (maker) => {
    const order = maker.order().pay().pay({ charge: maker.uuid() });
    if (maker.random.chance(30)) order.pay({ charge: maker.uuid() });
    order.is('settled_twice');
  }),
  can('partly_settled', (maker) => {
    const order = maker.order({ soldAt: maker.random.pick([maker.fresh(), firstInTime]) });
    order.pay({ amount: maker.random.pick([oneLess, half]) }).is('partly_settled');
  }),
  can('amount_differs', (maker) => {
    const order = maker.order({ soldAt: maker.random.pick([maker.early(), lastLate]) });
    order.pay({ amount: maker.random.pick([oneLess, oneMore, third]) }).is('amount_differs');
  }),
  // Twice the amount, but not in two rows of it.
  can('amount_differs', (maker) => {
    const parts = maker.random.pick([[half, half, half, half], [all, half, half], [double]]);
    const order = maker.order();
    for (const amount of parts) order.pay({ amount });
    order.is('amount_differs');
  }),
  can('missing_in_settlements', (maker) => {
    const first = moment('2026-03-01', '00:10');
    const edges = [lastLate, first, moment('2026-03-29', '03:05')];
    const soldAt = maker.random.pick([maker.early(), ...edges]);
    maker.order({ soldAt }).is('missing_in_settlements');
  }),
  // Sold before the range, paid within it.
  canOnly('shopify', 'missing_in_settlements', (maker) => {
    const order = maker.order({ soldAt: maker.old(), paidAt: maker.early() });
    order.is('missing_in_settlements');
  }),
  can('in_transit', (maker) => {
    const soldAt = maker.random.pick([maker.fresh(), firstInTime]);
    maker.order({ soldAt }).is('in_transit');
  }),
  // Only a declined attempt, which the rules do not count.
  can('in_transit', (maker) => {
    maker.order({ soldAt: maker.fresh() }).pay({ isDeclined: true }).is('in_transit');
  }),
  can('not_covered', (maker) => {
    const soldAt = maker.random.pick([maker.old(), moment('2026-02-28', '23:50')]);
    maker.order({ soldAt }).is('not_covered');
  }),
  // Only its refund is in the range: it was settled before.
  can('not_covered', (maker) => {
    maker.order({ soldAt: maker.old(), back: all }).refund().is('not_covered', 'open');
  }),
  can('nothing_due', (maker) => {
    const options = maker.random.pick([
      { status: 'cancelled' as const },
      { status: 'cancelled' as const, back: all },
      { status: 'unpaid' as const },
      { total: 0n },
      { total: 0n, method: '' },
      { notDue: all },
    ]);
    maker.order(options).is('nothing_due');
  }),
  can('out_of_scope', (maker) => {
    const soldAt = maker.random.pick([maker.old(), maker.early(), maker.fresh()]);
    const method = maker.random.pick(['Bank transfer', 'Test']);
    maker.order({ soldAt, method }).is('out_of_scope');
  }),
  can('other_currency', (maker) => {
    const currency = maker.random.pick(['JPY', 'KWD']);
    const order = maker.order({ currency: 'EUR' }).pay({ currency });
    if (maker.random.chance(30)) order.pay();
    order.is('other_currency');
  }),
  can('cancelled', (maker) => {
    const order = maker.order({ status: 'cancelled', back: maker.random.pick([none, all]) });
    order.pay().refund().is('cancelled', 'refunded');
  }),
  can('cancelled_but_settled', (maker) => {
    const order = maker.order({ status: 'cancelled' }).pay();
    if (maker.random.chance(50)) order.refund({ amount: half });
    order.is('cancelled_but_settled', 'open');
  }),
  can('unpaid_but_settled', (maker) => {
    const order = maker.order({ status: 'unpaid' });
    order.pay({ amount: maker.random.pick([all, half]) }).is('unpaid_but_settled');
  }),
  // In a currency of its own: what is due of it is not known, and other sums stay exact.
  can('conflicting', (maker) => {
    const order = maker.order({ currency: 'GBP' });
    maker.contradict();
    if (maker.random.chance(50)) order.pay();
    order.is('conflicting');
  }),
  // The note names one order, the charge another.
  canOnly('plain', 'ambiguous', (maker) => {
    const other = maker.order({ keepsCharge: true }).is('ambiguous');
    maker.order().pay({ charge: other.charge }).is('ambiguous');
  }),
];

/** The states of refunds (ORDERS 3), of orders that are settled. */
const refunds: readonly Case[] = [
  // With the note, by the charge, or by the order of the service.
  can('refunded', (maker) => {
    const keys = [{}, { note: '' }, { note: '', charge: maker.uuid() }];
    const order = maker.order({ back: all }).pay();
    order.refund(maker.random.pick(keys)).is('settled', 'refunded');
  }),
  can('refunded_in_part', (maker) => {
    const order = maker.order({ back: half }).pay();
    const quarter = { amount: (total: bigint) => total / 4n };
    if (maker.random.chance(50)) order.refund({ amount: half });
    else order.refund(quarter).refund(quarter);
    order.is('settled', 'refunded_in_part');
  }),
  canOnly('plain', 'refund_in_transit', (maker) => {
    const back = maker.random.pick([all, half]);
    maker.order({ back, backAt: maker.fresh() }).pay().is('settled', 'refund_in_transit');
  }),
  can('refund_missing', (maker) => {
    // A file with one sum and no date cannot say that it was in the last days.
    const backAt = maker.dialect === 'shopify' ? { backAt: maker.fresh() } : {};
    const order = maker.order({ back: maker.random.pick([all, half]), ...backAt }).pay();
    if (maker.random.chance(50)) order.refund({ amount: third });
    order.is('settled', 'refund_missing');
  }),
  can('refund_unknown', (maker) => {
    const amount = maker.random.pick([all, half]);
    maker.order().pay().refund({ amount }).is('settled', 'refund_unknown');
  }),
  // Some shops book a lost dispute as a refund.
  can('charged_back', (maker) => {
    const order = maker.order({ back: maker.random.pick([none, all]) });
    order.pay().chargeBack().is('settled', 'charged_back');
  }),
  // Won back: nothing is left of it.
  can('none', (maker) => {
    const won = { amount: (total: bigint) => -total };
    maker.order().pay().chargeBack().chargeBack(won).is('settled');
  }),
];

export const cases: readonly Case[] = [...payments, ...refunds];
