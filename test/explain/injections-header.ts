import { cause } from '../../src/explain/cause.ts';
import { type IdentityName, identityNames } from '../../src/reconcile/identity.ts';
import { uuid } from '../support/build.ts';
import type { Random } from '../support/random.ts';
import { type Injection, injected } from './injection.ts';
import { roundedBy } from './trade.ts';
import { type HeaderFigures, headerOf, type World, withPayIn } from './world.ts';

/** Changes the header's amounts in the end; its pay-in follows them. */
function slip(world: World, change: (figures: HeaderFigures) => HeaderFigures): void {
  world.slips.push((figures) => withPayIn(world, change(figures)));
}

export const turnSigns: Injection = {
  code: 'sign_convention',
  inject(random, world) {
    const { fees, tax } = headerOf(world);
    if (fees === 0n || tax === 0n) return undefined;
    const amounts = random.pick([['fees'], ['tax'], ['fees', 'tax']] as const);
    const names: readonly string[] = amounts;
    slip(world, ({ fees, tax, ...rest }) => ({
      ...rest,
      fees: names.includes('fees') ? -fees : fees,
      tax: names.includes('tax') ? -tax : tax,
    }));
    return injected([cause('sign_convention', { amounts })]);
  },
};

export const swapFeesAndTax: Injection = {
  code: 'fees_tax_swapped',
  inject(_, world) {
    slip(world, ({ fees, tax, ...rest }) => ({ ...rest, fees: tax, tax: fees }));
    return injected([cause('fees_tax_swapped', {})]);
  },
};

export const putTaxInFees: Injection = {
  code: 'tax_in_fees',
  inject(random, world) {
    // What is moved into one sum hides what was done to the two before.
    const kinds = ['also_in_header', 'also_in_rows'] as const;
    const kind = random.pick(
      world.slips.length > 0 ? kinds : (['moved', 'moved', ...kinds] as const),
    );
    slip(world, ({ fees, tax, ...rest }) => ({
      ...rest,
      fees: kind === 'also_in_rows' ? fees - tax : fees + tax,
      tax: kind === 'moved' ? 0n : tax,
    }));
    return injected([cause('tax_in_fees', { kind })]);
  },
};

export const slipHeader: Injection = {
  code: 'scale_slip',
  inject(random, world) {
    const power = random.pick([1, 2, 3]);
    const factor = 10n ** BigInt(power);
    world.slips.push(({ gross, fees, tax, payIn }) => ({
      gross: gross * factor,
      fees: fees * factor,
      tax: tax * factor,
      payIn: payIn * factor,
    }));
    const facts = cause('scale_slip', { of: 'header', power: -power, decimalPlaces: undefined });
    return injected([facts]);
  },
};

export const otherIdentity: Injection = {
  code: 'identity',
  inject(random, world) {
    // Without fees or tax, several identities say the same.
    const { fees, tax } = headerOf(world);
    if (fees === 0n || tax === 0n) return undefined;
    world.identity = random.pick(identityNames.filter((name) => name !== 'gross-fees-tax'));
    return injected([cause('identity', { identity: world.identity as IdentityName })]);
  },
};

/** Each row by another rule, or once: each tariff, or all. */
export const roundOtherwise: Injection = {
  code: 'rounding',
  suits: ({ exact }) => exact !== undefined,
  inject(random, world) {
    const { exact } = world.trade;
    if (exact === undefined) return undefined;
    const amount = random.pick(['fees', 'tax'] as const);
    const of = random.pick(['row', 'row', 'tariff'] as const);
    const rule = random.pick(of === 'row' ? (['up', 'down'] as const) : (['half_up'] as const));
    const rows = new Map(world.rows.map((row) => [row.id, row]));
    const sums = new Map<string, { numerator: bigint; unit: bigint }>();
    let change = 0n;
    for (const posting of world.postings) {
      const row = rows.get(posting.rowId);
      if (row === undefined || row[amount] === 0n || row.currency !== world.currency) continue;
      const { tariff, numerator, unit } = exact(row, amount);
      // How often the header has the row: once, not at all, or with the opposite sign.
      const times = posting[amount] / row[amount];
      change -= posting[amount];
      if (of === 'row') change += times * roundedBy(rule, numerator, unit);
      else {
        const sum = (sums.get(tariff)?.numerator ?? 0n) + times * numerator;
        sums.set(tariff, { numerator: sum, unit });
      }
    }
    for (const { numerator, unit } of sums.values()) change += roundedBy(rule, numerator, unit);
    slip(world, (figures) => ({ ...figures, [amount]: figures[amount] + change }));
    return { says: ['rounding'], rowIds: [] };
  },
};

export const miscount: Injection = {
  code: 'wrong_count',
  inject(random, world, alone) {
    // Beside a row, 1 would be the row's own count.
    const by = random.pick(alone ? [-2, -1, -1, 1, 1, 2, 10] : [-4, -3, 3, 4, 10]);
    world.miscounted += by;
    return injected([cause('wrong_count', { by })]);
  },
};

/** Something is withheld here and paid with a neighbour, or a neighbour's debt is set off. */
export const carryOver: Injection = {
  code: 'neighbour',
  inject(random, world) {
    const [neighbour] = world.neighbours;
    if (neighbour === undefined) return undefined;
    const kind = random.pick(['opposite_difference', 'negative_pay_in'] as const);
    const amount = carried(random);
    world.payInShift -= amount;
    const { settlement } = neighbour;
    const payIn = kind === 'opposite_difference' ? settlement.payIn + amount : -amount;
    const gross =
      kind === 'opposite_difference' ? settlement.gross : settlement.fees + settlement.tax - amount;
    world.neighbours = [{ ...neighbour, settlement: { ...settlement, gross, payIn } }];
    const { id, date } = settlement;
    const facts = cause('neighbour', { kind, settlementId: id, date, count: 'follows' });
    return injected([facts]);
  },
};

/** Two or three settlements before this one owed something, or had something withheld: it is settled here. */
export const carryOn: Injection = {
  code: 'neighbour',
  aloneOnly: true,
  inject(random, world) {
    const [neighbour] = world.neighbours;
    if (neighbour === undefined) return undefined;
    const kind = random.pick(['carried_balance', 'reserve'] as const);
    const { settlement } = neighbour;
    const several = Array.from({ length: random.int(2, 3) }, (_, n) => {
      const amount = carried(random);
      const { fees, tax, gross } = settlement;
      const amounts =
        kind === 'reserve'
          ? { payIn: gross - fees - tax - amount }
          : { gross: fees + tax - amount, payIn: -amount };
      const date = `2026-03-0${n + 2}`;
      return { amount, settlement: { ...settlement, ...amounts, id: uuid(n + 2), date } };
    });
    const sum = several.reduce((total, { amount }) => total + amount, 0n);
    world.payInShift += kind === 'reserve' ? sum : -sum;
    world.neighbours = several.map((one) => ({ ...neighbour, settlement: one.settlement }));
    const [first, ...others] = several.map(({ settlement: { id, date } }) => ({
      settlementId: id,
      date,
    }));
    if (first === undefined) return undefined;
    return injected([cause('neighbour', { kind, ...first, count: 'follows', others })]);
  },
};

/** A fee for each row of a type, such as chargebacks, that stands on no row. */
export const chargeWithoutRow: Injection = {
  code: 'fee_without_row',
  inject(random, world) {
    const types = [...new Set(world.rows.map(({ type }) => type))];
    const others = types.filter((type) => type !== 'purchase' && type !== 'sale');
    if (others.length === 0) return undefined;
    const type = random.pick(others);
    const count = BigInt(world.rows.filter((row) => row.type === type).length);
    // More than rows cost on average.
    const usual = headerOf(world).fees / BigInt(world.rows.length);
    const least = (usual / 5_00n + 1n) * 5_00n;
    const fee = least + BigInt(random.pick([0, 2_50, 5_00, 10_00, 15_00]));
    slip(world, ({ fees, ...rest }) => ({ ...rest, fees: fees + fee * count }));
    return injected([cause('fee_without_row', { type })]);
  },
};

function carried(random: Random): bigint {
  return BigInt(random.int(1_00, 900_00));
}

export const blameNobody: Injection = {
  code: 'only_the_service',
  aloneOnly: true,
  inject(_, world) {
    world.status = 'settled_out_of_balance';
    return injected([cause('only_the_service', { status: world.status })]);
  },
};
