import type { Random } from '../../support/random.ts';
import { isInMonth, type Line, month, type Payout, paidOf, unitOf } from './ledger.ts';
import type { Loose, Provider, ProviderMonth, Written } from './month.ts';

export type FaultKind =
  | 'line_removed'
  | 'line_added'
  | 'sign_flipped'
  | 'amount_changed'
  | 'paid_changed'
  | 'fees_changed'
  | 'not_in_lines'
  | 'batch_missing'
  | 'no_rows'
  | 'no_payout'
  | 'carried_removed'
  | 'carried_changed'
  | 'unreadable'
  | 'files_differ'
  | 'no_payout_id'
  | 'paid_unreadable'
  | 'currency_missing'
  | 'id_cleared';

/** What befell the files, and which pay-out and line. */
export interface Fault {
  readonly kind: FaultKind;
  readonly payout: Payout;
  readonly line?: Line;
}

const common: readonly FaultKind[] = [
  ...(['line_removed', 'line_removed', 'sign_flipped', 'sign_flipped', 'amount_changed'] as const),
  ...([
    'paid_changed',
    'line_added',
    'no_rows',
    'no_payout',
    'unreadable',
    'paid_unreadable',
  ] as const),
];

const kindsOf: Readonly<Record<Provider['name'], readonly FaultKind[]>> = {
  adyen: [
    'batch_missing',
    ...common,
    ...(['carried_removed', 'carried_changed', 'currency_missing', 'files_differ'] as const),
  ],
  stripe: ['no_payout_id', ...common, 'id_cleared', 'files_differ'],
  shopify: ['not_in_lines', ...common, 'fees_changed'],
};

/** An amount that is not round. */
const someAmount = (random: Random, currency: string): bigint =>
  (BigInt(random.int(3, 40)) * unitOf(currency) + BigInt(random.int(1, 98))) *
  (random.chance(50) ? 1n : -1n);

const isSale = ({ kind }: Line) => kind === 'sale';
const isArriving = ({ text }: Line) => text.startsWith('Balancetransfer from');

const changed = (line: Line, by: bigint): Line => {
  const { sale: _, ...own } = line;
  return { ...own, gross: line.gross + by, net: line.net + by };
};

const flipped = ({ sale: _, ...line }: Line): Line => ({
  ...line,
  gross: -line.gross,
  fees: -line.fees,
  net: -line.net,
});

const without = (payout: Payout, line: Line) => payout.told.filter((one) => one !== line);
const replaced = (payout: Payout, line: Line, by: Line) =>
  payout.told.map((one) => (one === line ? by : one));

/** Plants faults into what the files tell, and writes the files. */
export function plant(
  provider: Provider,
  random: Random,
  seed: number,
): Pick<ProviderMonth, 'faults' | 'loose' | 'files'> {
  const faults: Fault[] = [];
  const loose: Loose[] = [];
  const damaged = new Set<Line | Payout>();
  let differs: Written['differs'];
  const used = new Set<string>();
  const keyOf = ({ account, number }: Payout) => `${account} ${number}`;
  // Of a pay-out that is stated without a sign and has a fault, no one knows whether it is negative.
  const hasSign = (payout: Payout) => !provider.isUnsigned || paidOf(payout) > 0n;
  const isFree = (payout: Payout) =>
    isInMonth(payout) && !payout.isCarried && !used.has(keyOf(payout)) && hasSign(payout);
  const free = (fits: (payout: Payout) => boolean) => {
    const some = provider.payouts.filter((one) => isFree(one) && fits(one));
    const payout = some.length === 0 ? undefined : random.pick(some);
    if (payout) used.add(keyOf(payout));
    return payout;
  };
  const add = (kind: FaultKind): void => {
    const needsLine = ({ told }: Payout) => told.filter(isSale).length >= 2;
    const hasArriving = ({ told }: Payout) => told.some(isArriving);
    // The batch itself is there: it has another currency.
    const hasOthers = (payout: Payout) =>
      hasArriving(payout) &&
      provider.payouts.some((one) => one !== payout && keyOf(one) === keyOf(payout));
    const carries = ['carried_changed', 'carried_removed', 'currency_missing'].includes(kind);
    const payout = free(
      kind === 'currency_missing' ? hasOthers : carries ? hasArriving : needsLine,
    );
    if (!payout) return;
    const { currency } = payout;
    const by = someAmount(random, currency);
    const sale = random.pick(payout.told.filter(carries ? isArriving : isSale));
    const any = random.pick(payout.told.filter(({ kind: one }) => one !== 'carried' || carries));
    const stated = payout.stated ?? [];
    const state = (amount: bigint) => [(stated[0] ?? 0n) + amount, ...stated.slice(1)];
    const fault = (line?: Line) => faults.push({ kind, payout, ...(line && { line }) });
    switch (kind) {
      case 'line_removed': {
        payout.told = without(payout, any);
        fault(any);
        return;
      }
      case 'line_added': {
        const { sale: _, ...own } = changed(sale, by < 0n ? -by : by);
        const line = {
          ...own,
          ...(own.id && { id: `${own.id.slice(0, -3)}${random.int(100, 999)}` }),
        };
        payout.told = [...payout.told, line];
        fault(line);
        return;
      }
      case 'carried_removed': {
        payout.told = without(payout, sale);
        fault(sale);
        return;
      }
      case 'sign_flipped': {
        const line = flipped(any);
        payout.told = replaced(payout, any, line);
        fault(line);
        return;
      }
      case 'amount_changed': {
        payout.told = replaced(payout, sale, changed(sale, by));
        fault(sale);
        return;
      }
      case 'carried_changed': {
        payout.told = replaced(payout, sale, { ...sale, net: sale.net + by });
        payout.stated = state(by);
        fault(sale);
        return;
      }
      case 'paid_changed': {
        payout.stated = state(by);
        fault();
        return;
      }
      case 'fees_changed': {
        payout.statedFees = (payout.statedFees ?? 0n) + by;
        fault();
        return;
      }
      case 'not_in_lines': {
        payout.stated = state(by < 0n ? by : -by);
        fault();
        return;
      }
      case 'no_rows': {
        payout.told = [];
        fault();
        return;
      }
      case 'no_payout': {
        payout.stated = undefined;
        fault();
        return;
      }
      case 'batch_missing': {
        if (faults.some((one) => one.kind === kind)) return;
        for (const one of provider.payouts) if (keyOf(one) === keyOf(payout)) one.isAbsent = true;
        fault();
        return;
      }
      case 'unreadable': {
        damaged.add(sale);
        fault(sale);
        return;
      }
      case 'paid_unreadable': {
        damaged.add(payout);
        fault();
        return;
      }
      case 'currency_missing': {
        payout.isAbsent = true;
        fault();
        return;
      }
      case 'files_differ': {
        if (differs) return;
        differs = { line: sale, as: changed(sale, by) };
        fault(sale);
        return;
      }
      case 'no_payout_id': {
        const one = provider.looseLine(random);
        const other = provider.looseLine(random);
        if (one && other) loose.push(one, other);
        fault();
        return;
      }
      case 'id_cleared': {
        payout.told = without(payout, sale);
        loose.push({ line: sale, currency });
        fault(sale);
      }
    }
  };
  // Nothing in every fourth seed; each kind comes first in some of the others.
  const kinds = kindsOf[provider.name];
  const first = kinds[(seed - Math.floor(seed / 4) - 1) % kinds.length];
  if (seed % 4 !== 0 && first) {
    add(first);
    if (faults.length === 0 || random.chance(40)) add(random.pick(kinds));
  }
  if (random.chance(20)) spoilEarlier(provider, random);
  return { faults, loose, files: provider.write(loose, { damaged, differs }) };
}

/** A pay-out before the month lacks a line: nothing that the report of the month is about. */
function spoilEarlier({ payouts }: Provider, random: Random): void {
  const some = payouts.filter(
    ({ day, told, isCarried, isAbsent }) =>
      day < month.from && told.length > 2 && !isCarried && !isAbsent,
  );
  if (some.length === 0) return;
  const payout = random.pick(some);
  const line = payout.told.find(({ kind }) => kind === 'sale');
  if (line) payout.told = without(payout, line);
}
