import { formatMinor, type Money, rescale } from '../../money/money.ts';

/** An amount as JSON carries it: exact as text, and exact as an integer. */
export interface JsonAmount {
  readonly amount: string;
  readonly minor: string;
}

/** An amount of an object whose `decimalPlaces` is `scale`. */
export function jsonAmount(minor: bigint, scale: number): JsonAmount {
  return { amount: formatMinor(minor, scale), minor: String(minor) };
}

/** The same, where there may be none. */
export function jsonAmountOrNull(minor: bigint | undefined, scale: number): JsonAmount | null {
  return minor === undefined ? null : jsonAmount(minor, scale);
}

/**
 * Facts as JSON values, whatever their shape. Amounts are brought to the decimal places of the
 * object they stand in, so that its minor units can be compared with each other.
 */
export function jsonFacts(value: unknown, scale: number): unknown {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => jsonFacts(item, scale));
  if (isMoney(value)) return jsonMoney(value, scale);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, jsonFacts(item, scale)]),
  );
}

function jsonMoney({ minor, scale, currency }: Money, wanted: number) {
  const shared = Math.max(scale, wanted);
  return { ...jsonAmount(rescale(minor, scale, shared), shared), currency };
}

function isMoney(value: object): value is Money {
  return 'minor' in value && typeof value.minor === 'bigint' && 'scale' in value;
}
