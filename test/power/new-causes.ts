import { cents, sumOf } from './account.ts';
import { feePerRow } from './known-causes.ts';
import { all, type Cause, type Choice, chargeAgain, ofHeader, ofRows, shareOf } from './planted.ts';
import { exactFee, rounded } from './rates.ts';

const paymentTypes = ['card', 'wallet', 'bank_transfer'];

/** A page of rows, as they are listed. */
const page: Choice = ({ rows }, random) => {
  const size = random.pick([50, 100]);
  const at = random.int(0, Math.max(0, Math.floor(rows.length / size) - 1)) * size;
  const found = rows.slice(at, at + size);
  return found.length < size ? [] : found;
};

/** Kinds that the data show, and that no search has to know. */
export const newCauses: Readonly<Record<string, Cause>> = {
  'reserve-10%': { plant: withheld(1000n) },
  'withholding-1%': { plant: withheld(100n) },
  'loan-15%': { plant: withheld(1500n) },
  'fixed-deduction': {
    plant: ofHeader('fixed_deduction', (_, random, { drafts, scale }) => {
      const amount = cents(random.pick([500n, 990n, 1250n, 2000n, 2500n]), scale);
      for (const { header } of drafts) header.extra -= amount;
    }),
  },
  'one-off-fee': {
    needs: { tax: 2000n },
    plant: ofHeader('one_off_fee', (header, random, { scale }) => {
      const fee = cents(random.pick([1000n, 1500n, 2500n, 2990n, 4900n, 10000n]), scale);
      header.fees += fee;
      header.tax += rounded(shareOf(fee, 2000n), 'half_up');
    }),
  },
  'fee-per-refund': {
    needs: { refunds: 10, rows: 60 },
    plant: feePerRow('refund', [15n, 25n, 30n, 50n, 100n]),
  },
  'state-left-out-with-fees': {
    needs: { declined: 8 },
    plant: ({ target: { header, rows: listed } }) => {
      const rows = listed.filter(({ state }) => state === 'declined');
      if (rows.length === 0) return undefined;
      header.gross -= sumOf(rows).gross;
      if (rows.length % 2 === 0) header.transactions -= rows.length;
      return { kind: 'state_left_out', rows, facts: [['declined']] };
    },
  },
  'rate-of-a-payment-type': {
    needs: { rows: 60, ratesDiffer: true, refunds: 0, chargebacks: 0, round: 'half_up' },
    plant: (account, random) => {
      const paymentType = random.pick(paymentTypes);
      const about = all('paymentType', paymentType)(account.target, random);
      const rate = account.rates.get(paymentType);
      if (about.length < 3 || !rate) return undefined;
      const share = rate.share + random.pick([-30n, -20n, 10n, 20n, 25n, 40n, 50n, 100n]);
      chargeAgain(account, about, ({ amount }) =>
        rounded(exactFee(amount, { ...rate, share }), 'half_up'),
      );
      return { kind: 'rate', about, facts: [[paymentType]] };
    },
  },
  'tax-rate-of-a-payment-type': {
    needs: { rows: 60, round: 'half_up', tax: 2000n },
    plant: (account, random) => {
      const paymentType = random.pick(paymentTypes);
      const about = all('paymentType', paymentType)(account.target, random);
      if (about.length < 3) return undefined;
      // 0: exempt.
      chargeAgain(account, about, ({ fees }) => fees, random.pick([0n, 700n, 1000n, 2100n]));
      return { kind: 'rate', about, facts: [[paymentType]] };
    },
  },
  'page-twice': { needs: { rows: 250 }, plant: ofRows('page_twice', page, [1n, 1]) },
  'page-left-out': { needs: { rows: 250 }, plant: ofRows('page_left_out', page, [-1n, -1]) },
  'refund-fees-returned': {
    needs: { refunds: 10, refundFees: 'none', tax: 2000n },
    plant: (account, random) => {
      const about = all('type', 'refund')(account.target, random);
      if (about.length < 2) return undefined;
      chargeAgain(account, about, ({ amount, paymentType }) => {
        const rate = account.rates.get(paymentType);
        return rate ? -rounded(exactFee(-amount, rate), account.settings.round) : 0n;
      });
      return { kind: 'refund_fees_returned', about };
    },
  },
  'least-fee': { needs: { rows: 60 }, plant: limitedFee('least') },
  'most-fee': { needs: { rows: 60 }, plant: limitedFee('most') },
  'partial-refund-in-full': {
    needs: { refunds: 10, rows: 60 },
    plant: ({ target: { header, rows } }, random) => {
      const pairs = rows.flatMap((refund) => {
        const purchase = rows.find(({ chargeId }) => chargeId === refund.chargeId);
        const isPart = purchase && refund.type === 'refund' && -refund.amount < purchase.amount;
        return isPart ? [{ refund, purchase }] : [];
      });
      if (pairs.length === 0) return undefined;
      const { refund, purchase } = random.pick(pairs);
      header.gross += -purchase.amount - refund.amount;
      return { kind: 'partial_refund', rows: [refund], about: [purchase] };
    },
  },
  'pay-in-in-whole-units': {
    plant: ({ drafts, target }, random) => {
      for (const { header } of random.chance(50) ? drafts : [target]) {
        const payIn = header.gross - header.fees - header.tax;
        header.extra = rounded({ over: payIn, under: 100n }, 'half_up') * 100n - payIn;
      }
      return { kind: 'pay_in_rounded' };
    },
  },
};

function withheld(share: bigint): Cause['plant'] {
  return ({ drafts, target }, random) => {
    const isOfPayIn = random.chance(30);
    for (const { header } of random.chance(40) ? drafts : [target]) {
      const base = isOfPayIn ? header.gross - header.fees - header.tax : header.gross;
      header.extra = -rounded(shareOf(base, share), 'half_up');
    }
    const percent = String(share / 100n);
    return { kind: 'share_withheld', facts: [[percent, `${percent}.00`, String(share)]] };
  };
}

function limitedFee(which: 'least' | 'most'): Cause['plant'] {
  return (account, random) => {
    const purchases = account.target.rows.filter(({ type }) => type === 'purchase');
    const { fees: middle = 0n } = random.pick(purchases);
    // To a round amount, as contracts say it.
    const limit = (middle / 5n + 1n) * 5n;
    const about = purchases.filter(({ fees }) => (which === 'least' ? fees < limit : fees > limit));
    if (about.length < 3 || about.length > purchases.length / 2) return undefined;
    chargeAgain(account, about, () => limit);
    return { kind: 'limited_fee', about };
  };
}
