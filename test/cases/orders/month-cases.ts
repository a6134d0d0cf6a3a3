import {
  type Dialect,
  type Made,
  type MonthMaker,
  moment,
  type OrderOptions,
} from './month-maker.ts';

/** A way in which an order can stand, made as often as asked for. */
interface Case {
  readonly state: string;
  /** The only dialect that can write it. */
  readonly only?: Dialect;
  readonly make: (maker: MonthMaker) => void;
}

/** An order with a refund in the file: dated long ago, or in the last days of the range. */
function refunded(maker: MonthMaker, options: OrderOptions, amount: bigint, isFresh = false): Made {
  const at = isFresh ? maker.fresh() : moment('2026-03-26', '18:00');
  return maker.order({ ...options, refunds: [{ amount, at }] });
}

/** The last moments that are late, and the first that are not: seven days before 5 April. */
const lastLate = moment('2026-03-29', '23:45');
const firstInTime = moment('2026-03-30', '00:15');

/** The states of payments (ORDERS 3), each with what is likely to be taken for another. */
const payments: readonly Case[] = [
  {
    state: 'settled',
    make: (maker) => {
      const soldAt = maker.random.pick([maker.old(), maker.early(), maker.fresh()]);
      const order = maker.order({ soldAt });
      maker.pay(order, order.total);
      maker.truth(order, 'settled');
    },
  },
  {
    // The shop knew only its cart when it charged, but it stored the charge.
    state: 'settled',
    only: 'plain',
    make: (maker) => {
      const order = maker.order({ charge: maker.uuid() });
      maker.pay(order, order.total, { note: `cart-${maker.uuid()}` });
      maker.truth(order, 'settled');
    },
  },
  {
    // A double click, given back at once: the shop heard of neither.
    state: 'settled',
    make: (maker) => {
      const order = maker.order();
      const charge = maker.uuid();
      maker.pay(order, order.total);
      maker.pay(order, order.total, { charge });
      maker.pay(order, order.total, { charge, type: 'refund' });
      maker.truth(order, 'settled');
    },
  },
  {
    // A gift card, or a balance after an order was edited: not all of the total is due.
    state: 'settled',
    make: (maker) => {
      const currency = maker.currency();
      const due = maker.amount(currency);
      const notDue = maker.amount(currency);
      const order = maker.order({ currency, total: due + notDue, notDue });
      maker.pay(order, due);
      maker.truth(order, 'settled', { net: due, due });
    },
  },
  {
    state: 'settled',
    make: (maker) => {
      const order = maker.order({ total: 0n, soldAt: maker.early() });
      maker.pay(order, 0n);
      maker.truth(order, 'settled');
    },
  },
  {
    // The method in the file is that of an attempt that failed, or one of several.
    state: 'settled',
    make: (maker) => {
      const parts = maker.dialect === 'shopify' ? ['Gift Card + Shopify Payments'] : [];
      const order = maker.order({ method: maker.random.pick(['Bank transfer', ...parts]) });
      maker.pay(order, order.total);
      maker.truth(order, 'settled');
    },
  },
  {
    // Equal captures are not doubles; the later ones have no notes.
    state: 'settled_in_parts',
    make: (maker) => {
      const order = maker.order();
      const parts = maker.random.pick([2n, 3n, 4n]);
      for (let n = 0n; n < parts; n++) {
        const by = maker.random.pick([{}, { note: '' }, { note: '', charge: maker.uuid() }]);
        maker.pay(order, order.total / parts, n === 0n ? {} : by);
      }
      maker.truth(order, 'settled_in_parts');
    },
  },
  {
    // A split order: two documents of one reference, each with its own charge.
    state: 'settled_in_parts',
    make: (maker) => {
      const order = maker.order();
      const other = maker.amount(order.currency);
      maker.order({ total: other }, order);
      maker.pay(order, order.total);
      maker.pay(order, other, { charge: maker.uuid() });
      maker.truth(order, 'settled_in_parts', {
        net: order.total + other,
        due: order.total + other,
      });
    },
  },
  {
    // Two documents, one charge for both.
    state: 'settled',
    make: (maker) => {
      const order = maker.order();
      maker.order({ total: order.total }, order);
      maker.pay(order, order.total * 2n);
      maker.truth(order, 'settled', { net: order.total * 2n, due: order.total * 2n });
    },
  },
  {
    state: 'pending',
    make: (maker) => {
      const order = maker.order({ soldAt: maker.random.pick([maker.early(), maker.fresh()]) });
      const half = order.total / 2n;
      const parts = maker.random.pick([[order.total], [half, half]]);
      for (const [index, part] of parts.entries()) {
        maker.pay(order, part, { isPending: index === 0 });
      }
      maker.truth(order, 'pending');
    },
  },
  {
    state: 'settled_twice',
    make: (maker) => {
      const order = maker.order();
      const times = maker.random.pick([2n, 2n, 3n]);
      for (let n = 0n; n < times; n++) maker.pay(order, order.total, { charge: maker.uuid() });
      maker.truth(order, 'settled_twice', { net: order.total * times });
    },
  },
  {
    state: 'partly_settled',
    make: (maker) => {
      const order = maker.order({ soldAt: maker.random.pick([maker.fresh(), firstInTime]) });
      const net = maker.random.pick([order.total - 1n, order.total / 2n]);
      maker.pay(order, net);
      maker.truth(order, 'partly_settled', { net });
    },
  },
  {
    state: 'amount_differs',
    make: (maker) => {
      const order = maker.order({ soldAt: maker.random.pick([maker.early(), lastLate]) });
      const less = [order.total - 1n, order.total / 3n];
      const net = maker.random.pick([...less, order.total + 1n, order.total + order.total / 2n]);
      maker.pay(order, net);
      maker.truth(order, 'amount_differs', { net });
    },
  },
  {
    // Twice the amount, but not in two rows of it.
    state: 'amount_differs',
    make: (maker) => {
      const order = maker.order();
      const half = order.total / 2n;
      const whole = order.total;
      const parts = maker.random.pick([
        [half, half, half, half],
        [whole, half, half],
        [whole * 2n],
      ]);
      for (const part of parts) maker.pay(order, part);
      maker.truth(order, 'amount_differs', { net: whole * 2n });
    },
  },
  {
    state: 'missing_in_settlements',
    make: (maker) => {
      const soldAt = maker.random.pick([
        maker.early(),
        lastLate,
        moment('2026-03-01', '00:10'),
        moment('2026-03-29', '03:05'),
      ]);
      const order = maker.order({ soldAt });
      maker.truth(order, 'missing_in_settlements', { net: 0n });
    },
  },
  {
    // Sold before the range, paid within it.
    state: 'missing_in_settlements',
    only: 'shopify',
    make: (maker) => {
      const order = maker.order({ soldAt: maker.old(), paidAt: maker.early() });
      maker.truth(order, 'missing_in_settlements', { net: 0n });
    },
  },
  {
    state: 'in_transit',
    make: (maker) => {
      const order = maker.order({ soldAt: maker.random.pick([maker.fresh(), firstInTime]) });
      maker.truth(order, 'in_transit', { net: 0n });
    },
  },
  {
    // Only a declined attempt, which the rules do not count.
    state: 'in_transit',
    make: (maker) => {
      const order = maker.order({ soldAt: maker.fresh() });
      maker.pay(order, order.total, { isDeclined: true });
      maker.truth(order, 'in_transit', { net: 0n });
    },
  },
  {
    state: 'not_covered',
    make: (maker) => {
      const soldAt = maker.random.pick([maker.old(), moment('2026-02-28', '23:50')]);
      const order = maker.order({ soldAt });
      maker.truth(order, 'not_covered', { net: 0n });
    },
  },
  {
    // Only its refund is in the range: it was settled before.
    state: 'not_covered',
    make: (maker) => {
      const total = maker.amount('EUR');
      const order = refunded(maker, { soldAt: maker.old(), currency: 'EUR', total }, total);
      maker.pay(order, total, { type: 'refund', at: maker.early() });
      maker.looseTruth(order, { state: 'not_covered', net: -total, due: 0n });
    },
  },
  {
    state: 'nothing_due',
    make: (maker) => {
      const total = maker.amount('EUR');
      const euros = { currency: 'EUR', total };
      const order = maker.random.pick<() => Made>([
        () => maker.order({ ...euros, status: 'cancelled' }),
        () => refunded(maker, { ...euros, status: 'cancelled' }, total),
        () => maker.order({ ...euros, status: 'unpaid' }),
        () => maker.order({ ...euros, total: 0n }),
        () => maker.order({ ...euros, total: 0n, method: '' }),
        () => maker.order({ ...euros, notDue: total }),
      ])();
      maker.truth(order, 'nothing_due', { net: 0n, due: 0n });
    },
  },
  {
    state: 'out_of_scope',
    make: (maker) => {
      const soldAt = maker.random.pick([maker.old(), maker.early(), maker.fresh()]);
      const order = maker.order({ soldAt, method: maker.random.pick(['Bank transfer', 'Test']) });
      maker.truth(order, 'out_of_scope', { net: 0n, due: 0n });
    },
  },
  {
    state: 'other_currency',
    make: (maker) => {
      const order = maker.order({ currency: 'EUR' });
      maker.pay(order, order.total, { currency: maker.random.pick(['JPY', 'KWD']) });
      if (maker.random.chance(30)) maker.pay(order, order.total);
      maker.looseTruth(order, { state: 'other_currency' });
    },
  },
  {
    state: 'cancelled',
    make: (maker) => {
      const total = maker.amount('EUR');
      const options = { currency: 'EUR', total, status: 'cancelled' } as const;
      const inFile = maker.random.pick([0n, total]);
      const order = inFile ? refunded(maker, options, inFile) : maker.order(options);
      maker.pay(order, total);
      maker.pay(order, total, { type: 'refund' });
      maker.truth(order, 'cancelled', { refund: 'refunded', net: 0n, due: 0n });
    },
  },
  {
    state: 'cancelled_but_settled',
    make: (maker) => {
      const order = maker.order({ status: 'cancelled' });
      const back = maker.random.pick([0n, order.total / 2n]);
      maker.pay(order, order.total);
      if (back) maker.pay(order, back, { type: 'refund' });
      maker.looseTruth(order, {
        state: 'cancelled_but_settled',
        net: order.total - back,
        due: 0n,
      });
    },
  },
  {
    state: 'unpaid_but_settled',
    make: (maker) => {
      const order = maker.order({ status: 'unpaid' });
      const net = maker.random.pick([order.total, order.total / 2n]);
      maker.pay(order, net);
      maker.looseTruth(order, { state: 'unpaid_but_settled', net, due: 0n });
    },
  },
  {
    // In a currency of its own: what is due of it is not known, and other sums stay exact.
    state: 'conflicting',
    make: (maker) => {
      const order = maker.order({ currency: 'GBP' });
      maker.contradict();
      if (maker.random.chance(50)) maker.pay(order, order.total);
      maker.looseTruth(order, { state: 'conflicting' });
    },
  },
  {
    // The note names one order, the charge another.
    state: 'ambiguous',
    only: 'plain',
    make: (maker) => {
      const currency = maker.currency();
      const order = maker.order({ currency });
      const other = maker.order({ currency, total: order.total, charge: maker.uuid() });
      maker.pay(order, order.total, { charge: other.charge });
      maker.truth(order, 'ambiguous', { net: 0n });
      maker.truth(other, 'ambiguous', { net: 0n });
    },
  },
];

/** The states of refunds (ORDERS 3), of orders that are settled. */
const refunds: readonly Case[] = [
  {
    state: 'refunded',
    make: (maker) => {
      const currency = maker.currency();
      const total = maker.amount(currency);
      const order = refunded(maker, { currency, total }, total);
      maker.pay(order, total);
      // With the note, by the charge, or by the order of the service.
      const keys = [{}, { note: '' }, { note: '', charge: maker.uuid() }];
      maker.pay(order, total, { type: 'refund', ...maker.random.pick(keys) });
      maker.truth(order, 'settled', { refund: 'refunded', net: 0n, due: 0n });
    },
  },
  {
    state: 'refunded_in_part',
    make: (maker) => {
      const currency = maker.currency();
      const total = maker.amount(currency);
      const half = total / 2n;
      const order = refunded(maker, { currency, total }, half);
      maker.pay(order, total);
      const parts = maker.random.pick([[half], [half / 2n, half / 2n]]);
      for (const part of parts) maker.pay(order, part, { type: 'refund' });
      maker.truth(order, 'settled', { refund: 'refunded_in_part', net: half, due: half });
    },
  },
  {
    state: 'refund_in_transit',
    only: 'plain',
    make: (maker) => {
      const currency = maker.currency();
      const total = maker.amount(currency);
      const back = maker.random.pick([total, total / 2n]);
      const order = refunded(maker, { currency, total }, back, true);
      maker.pay(order, total);
      maker.truth(order, 'settled', { refund: 'refund_in_transit', due: total - back });
    },
  },
  {
    state: 'refund_missing',
    make: (maker) => {
      const currency = maker.currency();
      const total = maker.amount(currency);
      const back = maker.random.pick([total, total / 2n]);
      const made = maker.random.pick([0n, back - 1n]);
      // A file with one sum and no date cannot say that it was in the last days.
      const isFresh = maker.dialect === 'shopify' && maker.random.chance(50);
      const order = refunded(maker, { currency, total }, back, isFresh);
      maker.pay(order, total);
      if (made) maker.pay(order, made, { type: 'refund' });
      const due = total - back;
      maker.truth(order, 'settled', { refund: 'refund_missing', net: total - made, due });
    },
  },
  {
    state: 'refund_unknown',
    make: (maker) => {
      const order = maker.order();
      const back = maker.random.pick([order.total, order.total / 2n]);
      maker.pay(order, order.total);
      maker.pay(order, back, { type: 'refund' });
      maker.truth(order, 'settled', { refund: 'refund_unknown', net: order.total - back });
    },
  },
  {
    state: 'charged_back',
    make: (maker) => {
      const currency = maker.currency();
      const total = maker.amount(currency);
      // Some shops book a lost dispute as a refund.
      const back = maker.random.pick([0n, total]);
      const options = { currency, total };
      const order = back ? refunded(maker, options, back) : maker.order(options);
      maker.pay(order, total);
      maker.pay(order, total, { type: 'chargeback' });
      maker.truth(order, 'settled', { refund: 'charged_back', net: 0n, due: total - back });
    },
  },
  {
    // Won back: nothing is left of it.
    state: 'none',
    make: (maker) => {
      const order = maker.order();
      maker.pay(order, order.total);
      maker.pay(order, order.total, { type: 'chargeback' });
      maker.pay(order, -order.total, { type: 'chargeback' });
      maker.truth(order, 'settled');
    },
  },
];

export const cases: readonly Case[] = [...payments, ...refunds];
