import type { Names } from '../../model/settlement.ts';
import type { SettlementFilters } from '../../model/source.ts';
import { enumerate } from './phrase.ts';

/** The name of an account, or else its token. */
export function accountName(names: Names, token: string): string {
  return names.get(token) ?? token;
}

/** `mid 4711 and cid 3`. */
export function filtersText(filters: SettlementFilters): string {
  return enumerate(Object.entries(filters).map(([name, value]) => `${name} ${value}`));
}

/** `expected: JPY 2`; empty where only ISO 4217 counts. */
export function expectedScalesText(expected: ReadonlyMap<string, number>): string {
  const scales = [...expected].map(([currency, places]) => `${currency} ${places}`);
  return scales.length === 0 ? '' : `expected: ${scales.join(', ')}`;
}

/** `5 minor units per amount`; empty without a tolerance. */
export function toleranceText(tolerance: bigint): string {
  if (tolerance === 0n) return '';
  return `${tolerance} minor ${tolerance === 1n ? 'unit' : 'units'} per amount`;
}
