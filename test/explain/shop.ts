import type { Row } from '../../src/model/row.ts';
import { buildRow, uuid } from '../support/build.ts';
import type { Random } from '../support/random.ts';
import { anyCurrency, roundedBy, type Trade } from './trade.ts';

/** `fixed` minor units and `digits` / 10^`decimals` of the gross. */
interface Tariff {
  readonly fixed: bigint;
  readonly digits: bigint;
}

const decimals = 4;
const unit = 10n ** BigInt(decimals);
const taxUnit = 1000n;

/** A shop with its prices, tariffs and customs: few rows without fees, refunds as it likes. */
export function anyShop(random: Random): Trade {
  const [currency, scale] = anyCurrency(random);
  const priceOf = anyPrices(random);
  const tariffs = anyTariffs(random);
  const taxRate = BigInt(random.pick([0, 77, 190, 200, 250]));
  const taxOn = random.pick(['fees', 'fees', 'gross'] as const);
  const refunds = random.pick(['returned', 'kept', 'rate_only'] as const);
  const percent = {
    refund: random.pick([0, 5, 15]),
    chargeback: random.pick([0, 2, 5]),
    adjustment: random.pick([0, 0, 4]),
    foreign: random.pick([0, 0, 4]),
    otherState: random.pick([0, 2, 10]),
    withoutFees: random.pick([0, 0, 5]),
  };

  const tariffOf = ({ type, paymentType }: Pick<Row, 'type' | 'paymentType'>): Tariff => {
    const tariff = tariffs.get(paymentType) ?? { fixed: 0n, digits: 0n };
    return type === 'purchase' || refunds === 'returned' ? tariff : { ...tariff, fixed: 0n };
  };
  const exact = (row: Row, amount: 'fees' | 'tax') => {
    if (amount === 'tax') {
      const base = taxOn === 'fees' ? row.fees : row.amount;
      return { tariff: 'tax', numerator: base * taxRate, unit: taxUnit };
    }
    const { fixed, digits } = tariffOf(row);
    const numerator = (row.amount < 0n ? -fixed : fixed) * unit + digits * row.amount;
    return { tariff: `${row.paymentType} ${fixed}`, numerator, unit };
  };

  const row = (random: Random, number: number) => {
    const type = anyType(random, percent);
    const isForeign = random.chance(percent.foreign);
    const price = priceOf(random);
    const given = buildRow({
      id: uuid(number),
      chargeId: uuid(number + 500_000),
      type,
      paymentType: random.pick([...tariffs.keys()]),
      state: random.chance(percent.otherState)
        ? random.pick(['declined', 'reversed', 'pending'])
        : 'approved',
      ...(isForeign ? foreign(random) : { currency, scale }),
      amount: type === 'purchase' ? price : -(type === 'adjustment' ? price / 10n : price),
      fees: 0n,
      tax: 0n,
    });
    const isFree =
      type === 'adjustment' ||
      (type !== 'purchase' && refunds === 'kept') ||
      random.chance(percent.withoutFees);
    const charged = (row: Row, amount: 'fees' | 'tax') => {
      const { numerator, unit } = exact(row, amount);
      return roundedBy('half_up', numerator, unit);
    };
    const withFees = isFree ? given : { ...given, fees: charged(given, 'fees') };
    return isFree ? withFees : { ...withFees, tax: charged(withFees, 'tax') };
  };
  return { currency, scale, row, exact };
}

function foreign(random: Random): Pick<Row, 'currency' | 'scale'> {
  const [currency, scale] = anyCurrency(random);
  return { currency, scale };
}

function anyType(
  random: Random,
  percent: Readonly<Record<'refund' | 'chargeback' | 'adjustment', number>>,
) {
  if (random.chance(percent.refund)) return 'refund';
  if (random.chance(percent.chargeback)) return 'chargeback';
  return random.chance(percent.adjustment) ? 'adjustment' : 'purchase';
}

/** Any price, a list of few, one for all, or multiples of 5.00. */
function anyPrices(random: Random): (random: Random) => bigint {
  const most = random.pick([50_00, 200_00, 900_00]);
  const any = (random: Random) => BigInt(random.int(1_00, most));
  const list = Array.from(
    { length: random.int(1, 8) },
    () => any(random) - (any(random) % 100n) + 99n,
  );
  return random.pick([
    any,
    any,
    any,
    any,
    (random: Random) => random.pick(list),
    (random: Random) => BigInt(random.int(1, most / 5_00)) * 5_00n,
  ]);
}

/** One tariff for all, or one for each way to pay: a rate, a fixed part, both, or nothing. */
function anyTariffs(random: Random): ReadonlyMap<string, Tariff> {
  const one = (): Tariff => ({
    fixed: BigInt(random.pick([0, 0, 10, 25, 30])),
    digits: BigInt(random.pick([99, 140, 175, 250, 290])),
  });
  const flat = { fixed: BigInt(random.int(1, 30)), digits: 0n };
  return random.pick([
    () => new Map([['card', one()]]),
    () => new Map([['card', one()]]),
    () => new Map(['card', 'wallet', 'invoice'].map((name) => [name, one()])),
    () => new Map([['card', flat]]),
  ])();
}
