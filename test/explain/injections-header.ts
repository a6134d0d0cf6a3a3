import { cause } from '../../src/explain/cause.ts';
import { type IdentityName, identityNames } from '../../src/reconcile/identity.ts';
import type { Random } from '../support/random.ts';
import type { Injection } from './injection.ts';
import { type HeaderFigures, halfUp, type World, withPayIn } from './world.ts';

/** Changes the header's amounts in the end; its pay-in follows them. */
function slip(world: World, change: (figures: HeaderFigures) => HeaderFigures): void {
  world.slips.push((figures) => withPayIn(world, change(figures)));
}

export const turnSigns: Injection = {
  code: 'sign_convention',
  inject(random, world) {
    const amounts = random.pick([['fees'], ['tax'], ['fees', 'tax']] as const);
    const names: readonly string[] = amounts;
    slip(world, ({ fees, tax, ...rest }) => ({
      ...rest,
      fees: names.includes('fees') ? -fees : fees,
      tax: names.includes('tax') ? -tax : tax,
    }));
    return { causes: [cause('sign_convention', { amounts })], rowIds: [] };
  },
};

export const swapFeesAndTax: Injection = {
  code: 'fees_tax_swapped',
  inject(_, world) {
    slip(world, ({ fees, tax, ...rest }) => ({ ...rest, fees: tax, tax: fees }));
    return { causes: [cause('fees_tax_swapped', {})], rowIds: [] };
  },
};

export const putTaxInFees: Injection = {
  code: 'tax_in_fees',
  inject(random, world) {
    const kind = random.pick(['moved', 'moved', 'also_in_header', 'also_in_rows'] as const);
    slip(world, ({ fees, tax, ...rest }) => ({
      ...rest,
      fees: kind === 'also_in_rows' ? fees - tax : fees + tax,
      tax: kind === 'moved' ? 0n : tax,
    }));
    return { causes: [cause('tax_in_fees', { kind })], rowIds: [] };
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
    return { causes: [facts], rowIds: [] };
  },
};

export const otherIdentity: Injection = {
  code: 'identity',
  inject(random, world) {
    world.identity = random.pick(identityNames.filter((name) => name !== 'gross-fees-tax'));
    return {
      causes: [cause('identity', { identity: world.identity as IdentityName })],
      rowIds: [],
    };
  },
};

export const roundOtherwise: Injection = {
  code: 'rounding',
  needsRate: true,
  inject(random, world) {
    const amount = random.pick(['fees', 'tax'] as const);
    const [base, rate] =
      amount === 'fees' ? (['gross', world.feeRate] as const) : (['fees', world.taxRate] as const);
    const of = random.pick(['row', 'row', 'total'] as const);
    const rule = of === 'total' ? 'half_up' : random.pick(['up', 'down'] as const);
    const charged = world.postings.filter((one) => one[amount] !== 0n && one[base] !== 0n);
    const listed = charged.reduce((sum, one) => sum + one[amount], 0n);
    const rounded =
      of === 'total'
        ? halfUp(
            charged.reduce((sum, one) => sum + one[base], 0n),
            rate,
          )
        : charged.reduce((sum, one) => sum + roundedTo(one[base], rate, rule === 'up'), 0n);
    slip(world, (figures) => ({ ...figures, [amount]: figures[amount] + rounded - listed }));
    const millionths = Number(rate.digits * 10n ** BigInt(6 - rate.decimals));
    const tariffs = [{ fixed: 0, rate: millionths, scope: {} }];
    const facts = { amount, base, tariffs, rowsRule: 'half_up', rule, of } as const;
    return { causes: [cause('rounding', facts)], rowIds: [] };
  },
};

function roundedTo(amount: bigint, rate: World['feeRate'], up: boolean): bigint {
  const unit = 10n ** BigInt(rate.decimals);
  const product = amount * rate.digits;
  const magnitude = product < 0n ? -product : product;
  const whole = magnitude / unit + (up && magnitude % unit > 0n ? 1n : 0n);
  return product < 0n ? -whole : whole;
}

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
    return { causes: [facts], rowIds: [] };
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
    return { causes: [cause('only_the_service', { status: world.status })], rowIds: [] };
  },
};
