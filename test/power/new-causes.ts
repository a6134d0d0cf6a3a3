import { cents, sumOf } from './account.ts';
import { type Cause, feePerRow } from './known-causes.ts';
import { addRows, ofType, type Plant } from './planted.ts';
import { exactFee, rounded } from './rates.ts';

const taxed = { tax: 2000n } as const;

/** Kinds that the data show, and that no search has to know. */
export const newCauses: Readonly<Record<string, Cause>> = {
  'reserve-10%': { plant: withheld(1000n) },
  'withholding-1%': { plant: withheld(100n) },
  'loan-15%': { plant: withheld(1500n) },
  'fixed-deduction': {
    plant: ({ drafts, scale }, random) => {
      const amount = cents(random.pick([500n, 990n, 1250n, 2000n, 2500n]), scale);
      for (const { header } of drafts) header.extra -= amount;
      return { kind: 'fixed_deduction' };
    },
  },
  'one-off-fee': {
    needs: taxed,
    plant: ({ target: { header }, scale, settings }, random) => {
      const fee = cents(random.pick([1000n, 1500n, 2500n, 2990n, 4900n, 10000n]), scale);
      header.fees += fee;
      header.tax += rounded({ over: fee * settings.tax, under: 10_000n }, 'half_up');
      return { kind: 'one_off_fee' };
    },
  },
  'fee-per-refund': {
    needs: { refunds: 10, rows: 60 },
    plant: feePerRow('refund', [15n, 25n, 30n, 50n, 100n]),
  },
  'state-left-out-with-fees': {
    needs: { declined: 8 },
    plant: ({ target }) => {
      const rows = target.rows.filter(({ state }) => state === 'declined');
      if (rows.length === 0) return undefined;
      target.header.gross -= sumOf(rows).gross;
      if (rows.length % 2 === 0) target.header.transactions -= rows.length;
      return { kind: 'state_left_out', rows, facts: [['declined']] };
    },
  },
  'rate-of-a-payment-type': {
    needs: { rows: 60, ratesDiffer: true, refunds: 0, chargebacks: 0, round: 'half_up' },
    plant: ({ target, rates, settings }, random) => {
      const paymentType = random.pick(['card', 'wallet', 'bank_transfer']);
      const rows = target.rows.filter((row) => row.paymentType === paymentType);
      const rate = rates.get(paymentType);
      if (rows.length < 3 || !rate) return undefined;
      const share = rate.share + random.pick([-30n, -20n, 10n, 20n, 25n, 40n, 50n, 100n]);
      for (const { amount, fees, tax } of rows) {
        const charged = rounded(exactFee(amount, { ...rate, share }), 'half_up');
        target.header.fees += charged - fees;
        target.header.tax +=
          rounded({ over: charged * settings.tax, under: 10_000n }, 'half_up') - tax;
      }
      return { kind: 'rate', about: rows, facts: [[paymentType]] };
    },
  },
  'tax-rate-of-a-payment-type': {
    needs: { ...taxed, rows: 60, round: 'half_up' },
    plant: ({ target }, random) => {
      const paymentType = random.pick(['card', 'wallet', 'bank_transfer']);
      const rows = target.rows.filter((row) => row.paymentType === paymentType);
      if (rows.length < 3) return undefined;
      // 0: exempt.
      const rate = random.pick([0n, 700n, 1000n, 2100n]);
      for (const { fees, tax } of rows) {
        target.header.tax += rounded({ over: fees * rate, under: 10_000n }, 'half_up') - tax;
      }
      return { kind: 'rate', about: rows, facts: [[paymentType]] };
    },
  },
  'page-twice': { needs: { rows: 300 }, plant: page('page_twice', 1n, 1) },
  'page-left-out': { needs: { rows: 300 }, plant: page('page_left_out', -1n, -1) },
  'refund-fees-returned': {
    needs: { refunds: 10, refundFees: 'none', tax: 2000n },
    plant: ({ target, rates, settings }) => {
      const rows = ofType(target, 'refund');
      if (rows.length < 2) return undefined;
      for (const { amount, paymentType } of rows) {
        const rate = rates.get(paymentType);
        if (!rate) return undefined;
        const fee = rounded(exactFee(-amount, rate), settings.round);
        target.header.fees -= fee;
        target.header.tax -= rounded({ over: fee * settings.tax, under: 10_000n }, settings.round);
      }
      return { kind: 'refund_fees_returned', about: rows };
    },
  },
  'least-fee': { needs: { rows: 60 }, plant: limitedFee('least') },
  'most-fee': { needs: { rows: 60 }, plant: limitedFee('most') },
  'partial-refund-in-full': {
    needs: { refunds: 10, rows: 60 },
    plant: ({ target }, random) => {
      const refunds = ofType(target, 'refund');
      const pairs = refunds.flatMap((refund) => {
        const purchase = target.rows.find(
          (row) => row.chargeId === refund.chargeId && row.type === 'purchase',
        );
        return purchase && purchase.amount !== -refund.amount ? [{ refund, purchase }] : [];
      });
      if (pairs.length === 0) return undefined;
      const { refund, purchase } = random.pick(pairs);
      target.header.gross += -purchase.amount - refund.amount;
      return { kind: 'partial_refund', rows: [refund], about: [purchase] };
    },
  },
  'pay-in-in-whole-units': {
    plant: ({ drafts, target }, random) => {
      const isAlways = random.chance(50);
      for (const { header } of isAlways ? drafts : [target]) {
        const payIn = header.gross - header.fees - header.tax;
        header.extra = rounded({ over: payIn, under: 100n }, 'half_up') * 100n - payIn;
      }
      return target.header.extra === 0n ? undefined : { kind: 'pay_in_rounded' };
    },
  },
};

function withheld(share: bigint): Plant {
  return ({ drafts, target }, random) => {
    const isAlways = random.chance(40);
    const isOfPayIn = random.chance(30);
    for (const { header } of isAlways ? drafts : [target]) {
      const base = isOfPayIn ? header.gross - header.fees - header.tax : header.gross;
      header.extra = -rounded({ over: base * share, under: 10_000n }, 'half_up');
    }
    const percent = String(share / 100n);
    return {
      kind: 'share_withheld',
      facts: [[percent, `${percent} %`, `${percent}.00`, String(share)]],
    };
  };
}

/** A page of rows, as they are listed. */
function page(kind: string, times: bigint, count: number): Plant {
  return ({ target }, random) => {
    const size = random.pick([50, 100]);
    const pages = Math.floor(target.rows.length / size);
    if (pages === 0) return undefined;
    const at = random.int(0, pages - 1) * size;
    const rows = target.rows.slice(at, at + size);
    addRows(target, rows, times, count);
    return { kind, rows };
  };
}

function limitedFee(which: 'least' | 'most'): Plant {
  return ({ target, settings }, random) => {
    const purchases = ofType(target, 'purchase');
    const fees = purchases.map((row) => row.fees).sort((a, b) => Number(a - b));
    const middle = fees[Math.floor(fees.length * (which === 'least' ? 0.3 : 0.7))];
    if (middle === undefined) return undefined;
    // To a round amount, as contracts say it.
    const limit = (middle / 5n + BigInt(random.int(0, 1))) * 5n;
    const rows = purchases.filter((row) =>
      which === 'least' ? row.fees < limit : row.fees > limit,
    );
    if (rows.length < 3) return undefined;
    for (const { fees, tax } of rows) {
      target.header.fees += limit - fees;
      const taxed = rounded({ over: limit * settings.tax, under: 10_000n }, settings.round);
      target.header.tax += taxed - tax;
    }
    return { kind: 'limited_fee', about: rows };
  };
}
