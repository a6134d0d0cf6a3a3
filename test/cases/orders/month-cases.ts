import {
  all,
  type Dialect,
  half,
  type MonthMaker,
  moment,
  none,
  type OrderOptions,
  type RowOptions,
  type Truth,
} from './month-maker.ts';

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
    maker.order().pay().pay({ charge }).refund({ charge }).is('settled', 'quiet');
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
    order.is('settled_twice', 'none', { mayRefund: true });
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

const quarter = (total: bigint) => total / 4n;
const more = (total: bigint) => total + total / 4n;

/** How a refund names its order: with its charge, with one of its own, or by the service's order alone. */
function byAnyKey(maker: MonthMaker, charge?: string): RowOptions {
  const own = { charge: maker.uuid() };
  const same = charge === undefined ? {} : { charge };
  return maker.random.pick([same, own, { ...own, note: '' }]);
}

/** The net agrees, however that came about: nothing is to decide. */
const netted: readonly Case[] = [
  // Lowered after the payment; the file has the total of today.
  can('settled', (maker) => {
    const order = maker.order().pay({ amount: more });
    order.refund({ amount: quarter, ...byAnyKey(maker) }).is('settled', 'quiet');
  }),
  can('pending', (maker) => {
    const order = maker.order().pay({ amount: more, isPending: true });
    order.refund({ amount: quarter, ...byAnyKey(maker) }).is('pending', 'quiet');
  }),
  // Raised after the payment: the rest is paid some days later.
  can('settled_in_parts', (maker) => {
    const lower = (total: bigint) => total - total / 4n;
    const order = maker.order({ soldAt: soon(maker) }).pay({ amount: lower });
    order.pay({ amount: quarter, charge: maker.uuid(), after: 3 }).is('settled_in_parts');
  }),
  // Raised, paid, and lowered again.
  can('settled', (maker) => {
    const order = maker.order().pay().pay({ amount: quarter, charge: maker.uuid() });
    order.refund({ amount: quarter, ...byAnyKey(maker) });
    order.is('settled', 'quiet', { or: ['settled_in_parts'] });
  }),
  // Charged twice, given back in one piece, by a refund with a charge of its own.
  can('settled', (maker) => {
    const order = maker.order().pay().pay({ charge: maker.uuid() });
    order.refund(byAnyKey(maker)).is('settled', 'quiet', { or: ['settled_in_parts'] });
  }),
  // Charged twice, given back in parts, of whichever charge.
  can('settled', (maker) => {
    const charge = maker.uuid();
    const order = maker.order().pay().pay({ charge });
    const parts = maker.random.pick([
      [half, half],
      [third, third, third],
      [quarter, (total: bigint) => total - total / 4n],
    ]);
    for (const amount of parts) order.refund({ amount, ...byAnyKey(maker, charge) });
    order.is('settled', 'quiet', { or: ['settled_in_parts'] });
  }),
  // Charged twice, and the bank of the customer took one back.
  can('settled', (maker) => {
    const charge = maker.uuid();
    const order = maker.order().pay().pay({ charge }).chargeBack({ charge });
    order.is('settled', 'quiet', { or: ['settled_in_parts'] });
  }),
  // Too much in one payment, and what was too much given back.
  can('settled', (maker) => {
    const order = maker.order().pay({ amount: double });
    order.refund(byAnyKey(maker)).is('settled', 'quiet');
  }),
  // Given back before it was captured: only the rest was charged.
  can('settled', (maker) => {
    maker.order({ back: half }).pay({ amount: half }).is('settled', 'quiet');
  }),
  // Given back in full before it was captured: nobody is owed anything.
  can('settled', (maker) => {
    const or = ['nothing_due', 'in_transit', 'not_covered', 'cancelled', 'refunded'];
    maker.order({ back: all }).is('settled', 'quiet', { or });
  }),
  // Paid after the shop had given it up, and given back.
  can('settled', (maker) => {
    const order = maker.order({ status: 'unpaid' }).pay().refund(byAnyKey(maker));
    order.is('settled', 'quiet', { or: ['nothing_due', 'cancelled', 'settled_in_parts'] });
  }),
  can('cancelled', (maker) => {
    maker.order({ status: 'cancelled' }).pay().chargeBack().is('cancelled', 'open');
  }),
  // In parts, one of which was given back.
  can('settled_in_parts', (maker) => {
    const order = maker.order({ back: third, soldAt: soon(maker) });
    for (const after of [0, 4, 8]) order.pay({ amount: third, charge: maker.uuid(), after });
    order.refund({ amount: third, ...byAnyKey(maker) }).is('settled_in_parts', 'refunded_in_part');
  }),
  // Some payments and refunds of nothing.
  can('settled', (maker) => {
    const order = maker.order({ total: 0n });
    const amount = () => 1200n;
    order.pay({ amount }).refund({ amount, ...byAnyKey(maker) });
    order.is('settled', 'quiet', { or: ['nothing_due', 'cancelled'] });
  }),
];

/** What is due, refunded and paid, line by line. */
const byLine: readonly Case[] = [
  // A gift card pays one line, the service the other.
  can('settled', (maker) => {
    const { order, amount } = splitTender(maker, { back: maker.random.pick([none, all, half]) });
    order.pay({ amount }).is('settled');
  }),
  can('refunded', (maker) => {
    const { order, amount } = splitTender(maker, {}, { back: all });
    order
      .pay({ amount })
      .refund({ amount, ...byAnyKey(maker) })
      .is('settled', 'refunded');
  }),
  can('missing_in_settlements', (maker) => {
    splitTender(maker).order.is('missing_in_settlements');
  }),
  // The card failed at first: that line was never paid.
  can('settled', (maker) => {
    const order = maker.order({ status: 'unpaid' });
    const total = maker.amount('EUR');
    order
      .doc({ total })
      .pay({ amount: () => total })
      .is('settled');
  }),
  // Only the gift card was paid.
  can('nothing_due', (maker) => {
    const { order } = splitTender(maker, {}, { status: 'unpaid' });
    order.is('nothing_due', 'none', { or: ['out_of_scope'] });
  }),
  can('unpaid_but_settled', (maker) => {
    const { order, amount } = splitTender(maker, {}, { status: 'unpaid' });
    order.pay({ amount }).is('unpaid_but_settled', 'open', { or: ['amount_differs'] });
  }),
  // A part of the order was cancelled, before the payment or after it.
  can('settled', (maker) => {
    const total = maker.amount('EUR');
    const amount = () => total;
    const order = maker.order({ total });
    const gone = maker.amount('EUR');
    order.doc({ total: gone, status: 'cancelled' });
    if (maker.random.chance(50)) order.pay({ amount }).is('settled');
    else
      order
        .pay()
        .refund({ amount: () => gone, ...byAnyKey(maker) })
        .is('settled', 'quiet');
  }),
  canOnly('plain', 'settled', (maker) => {
    const triedBack = maker.random.pick([all, half]);
    maker.order({ triedBack }).pay().is('settled');
  }),
  // At the second attempt it went through.
  canOnly('plain', 'refunded_in_part', (maker) => {
    const order = maker.order({ triedBack: half, back: half }).pay();
    order.refund({ amount: half, ...byAnyKey(maker) }).is('settled', 'refunded_in_part');
  }),
  // The shop believes that it failed; the service has made it.
  canOnly('plain', 'refund_unknown', (maker) => {
    maker.order({ triedBack: all }).pay().refund().is('settled', 'refund_unknown');
  }),
  canOnly('plain', 'test', (maker) => maker.trial()),
];

/** The net disagrees, and a rash reader gives money back that nobody is owed. */
const rash: readonly Case[] = [
  // A reference that is paid each week is no double click.
  can('amount_differs', (maker) => {
    const order = maker.order({ soldAt: soon(maker) });
    for (const after of [0, 7, 14]) order.pay({ charge: maker.uuid(), after });
    order.is('amount_differs');
  }),
  // The shop booked the refund of the second payment on the order.
  can('settled_twice', (maker) => {
    const order = maker.order({ back: all }).pay().pay({ charge: maker.uuid() });
    order.refund(byAnyKey(maker));
    order.is('settled_twice', 'open', { or: ['amount_differs', 'settled', 'settled_in_parts'] });
  }),
  // Of the second payment, a part was given back.
  can('settled_twice', (maker) => {
    const order = maker.order().pay().pay({ charge: maker.uuid() });
    order.refund({ amount: half, ...byAnyKey(maker) });
    order.is('settled_twice', 'open', { or: ['amount_differs'] });
  }),
  // Rows of types that nobody named: something happened that is not counted.
  can('left_out', (maker) => maker.order().pay().leftOut().is('settled')),
  can('left_out', (maker) => {
    const order = maker.order().pay().chargeBack();
    order.leftOut().is('settled', 'charged_back');
  }),
];

/** A moment that leaves two weeks of the range. */
const soon = (maker: MonthMaker) => moment(`2026-03-${maker.random.int(10, 19)}`, '12:30');

/** An order that a gift card pays in one line, and the service in the other. */
function splitTender(maker: MonthMaker, gift: OrderOptions = {}, card: OrderOptions = {}) {
  const total = maker.amount('EUR');
  const elsewhere = { method: 'Gift card', isElsewhere: true, ...gift };
  const isFirst = maker.random.chance(50);
  const order = isFirst
    ? maker.order({ total: maker.amount('EUR'), ...elsewhere }).doc({ total, ...card })
    : maker.order({ total, ...card }).doc({ total: maker.amount('EUR'), ...elsewhere });
  return { order, amount: () => total };
}

export const cases: readonly Case[] = [...payments, ...refunds, ...netted, ...byLine, ...rash];

type MakeLater = (
  maker: MonthMaker,
  settledOn: string,
) => { readonly key: string; readonly truth: Pick<Truth, 'state' | 'or'> };

/** Orders of which something is settled after the range: what is right without it, and with it. */
export const laterCases: readonly MakeLater[] = [
  // Charged twice, given back weeks later.
  (maker, settledOn) => {
    const order = maker.order().pay().pay({ charge: maker.uuid() });
    const parts = maker.random.pick([[all], [half, half]]);
    for (const amount of parts) order.refund({ amount, settledOn, ...byAnyKey(maker) });
    const { key } = order.is('settled_twice', 'none', { mayRefund: true });
    return { key, truth: { state: 'settled', or: ['settled_in_parts'] } };
  },
  // Lowered, given back weeks later.
  (maker, settledOn) => {
    const order = maker.order().pay({ amount: more });
    order.refund({ amount: quarter, settledOn, ...byAnyKey(maker) });
    const { key } = order.is('amount_differs');
    return { key, truth: { state: 'settled', or: [] } };
  },
  // Charged twice, and never given back.
  (maker) => {
    const order = maker.order().pay().pay({ charge: maker.uuid() });
    const { key } = order.is('settled_twice', 'none', { mayRefund: true });
    return { key, truth: { state: 'settled_twice', or: [] } };
  },
  (maker) => {
    const { key } = maker.order().pay().is('settled');
    return { key, truth: { state: 'settled', or: [] } };
  },
  (maker) => {
    const { key } = maker.order().is('missing_in_settlements');
    return { key, truth: { state: 'missing_in_settlements', or: [] } };
  },
];
