import { Random } from '../../support/random.ts';
import { makeAdyen } from './adyen.ts';
import { type Fault, plant } from './faults.ts';
import type { Line, Payout, ProviderFile, ProviderName } from './ledger.ts';
import { makeShopify } from './shopify.ts';
import { makeStripe } from './stripe.ts';

/** A line that names no pay-out. */
export interface Loose {
  readonly line: Line;
  readonly currency: string;
}

/** What befalls single lines in the files. */
export interface Written {
  /** Lines whose amount a spreadsheet has changed, and pay-outs of which it changed what is paid. */
  readonly damaged: ReadonlySet<Line | Payout>;
  /** A line that another file has with another amount. */
  readonly differs: { readonly line: Line; readonly as: Line } | undefined;
}

/** How a provider's month comes to be, and how it is written. */
export interface Provider {
  readonly name: ProviderName;
  readonly payouts: readonly Payout[];
  /** Accounts with chains of batches. */
  readonly isNumbered: boolean;
  readonly statesFees: boolean;
  /** Whether pay-outs are stated without a sign that means something. */
  readonly isUnsigned: boolean;
  /** A new line of the provider that no pay-out has, such as a fee that is charged later. */
  looseLine(random: Random): Loose | undefined;
  /** Whether some lines are in several files. */
  readonly isRepeated: boolean;
  write(loose: readonly Loose[], written: Written): readonly ProviderFile[];
  readonly settings: readonly string[];
}

export interface ProviderMonth {
  readonly provider: Provider;
  readonly faults: readonly Fault[];
  readonly loose: readonly Loose[];
  readonly files: readonly ProviderFile[];
}

const makers = { adyen: makeAdyen, stripe: makeStripe, shopify: makeShopify } as const;

export const names = ['adyen', 'stripe', 'shopify'] as const;

/** The month of a provider: the same seed makes the same month. */
export function makeMonth(name: ProviderName, seed: number): ProviderMonth {
  const random = new Random(seed * 10 + names.indexOf(name));
  const provider = makers[name](random);
  return { provider, ...plant(provider, random, seed) };
}
