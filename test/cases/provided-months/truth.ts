import type { Fault, FaultKind } from './faults.ts';
import { groupBy, isInMonth, type Line, netOf, type Payout, sum, textOf } from './ledger.ts';
import type { Loose, ProviderMonth } from './month.ts';

/** What a settlement must say of itself. */
export interface TrueSettlement {
  readonly payout: Payout;
  readonly faults: readonly Fault[];
  /** The verdicts that are right; more than one where no page decides. */
  readonly verdicts: readonly string[];
  /** Whether it may be missing from the list. */
  readonly mayBeAbsent: boolean;
  /** Whether its figures are certain; they are not where a line cannot be read, or files differ. */
  readonly isJudged: boolean;
  readonly paid: bigint;
  readonly fees: bigint | undefined;
  readonly computed: Readonly<Record<'gross' | 'fees' | 'payIn', bigint>>;
  /** Whether its gross is certain: no page says if money that comes back is gross. */
  readonly isGrossJudged: boolean;
}

export interface TrueReport {
  readonly verdict: 'balanced' | 'out_of_balance' | 'incomplete';
  readonly exitCode: number;
  readonly settlements: readonly TrueSettlement[];
  /** What is missing, as a text each. */
  readonly missing: readonly string[];
  /** What may be said too: that lines have no pay-out, where it is there and cannot be read. */
  readonly mayBeMissing: readonly string[];
  /** Lines that cannot be read, by their file. */
  readonly unreadable: number;
  readonly rests: 'net pay-out' | 'fees and net pay-out';
}

const unsure: readonly FaultKind[] = ['unreadable', 'paid_unreadable', 'files_differ', 'no_payout'];

function settlementOf(payout: Payout, faults: readonly Fault[]): TrueSettlement {
  const has = (kind: FaultKind) => faults.some((one) => one.kind === kind);
  const { told, statedFees } = payout;
  const paid = sum(payout.stated ?? []);
  const computed = {
    gross: sum(told.map(({ gross }) => gross)),
    fees: sum(told.map(({ fees }) => fees)),
    payIn: netOf(told),
  };
  const differs = paid !== computed.payIn || (statedFees ?? computed.fees) !== computed.fees;
  const verdict = differs ? 'out_of_balance' : 'balanced';
  return {
    ...{ payout, faults, paid, fees: statedFees, computed },
    verdicts:
      has('unreadable') || has('paid_unreadable') || has('no_payout')
        ? ['incomplete']
        : has('files_differ')
          ? ['balanced', 'out_of_balance', 'incomplete']
          : has('no_rows')
            ? ['out_of_balance', 'incomplete']
            : [verdict],
    mayBeAbsent: has('no_payout') || has('paid_unreadable'),
    isJudged: !unsure.some(has),
    isGrossJudged: !payout.lines.some(({ word }) => word === 'payout_reversal'),
  };
}

/** What is missing, as the report must name it. */
export const missingText = {
  numbers: (account: string, from: string, to: string) => `numbers ${account} ${from}-${to}`,
  carried: (account: string, from: string, to: string, out: string, arrived: string) =>
    `carried ${account} ${from} to ${to}: ${out}, ${arrived}`,
  noPayout: (account: string, number: string, rows: number, amount: string) =>
    `no pay-out for ${rows} of ${account} ${number}: ${amount}`,
  noRows: (account: string, number: string, amount: string) =>
    `no rows of ${account} ${number}: ${amount}`,
  differs: (account: string, number: string) => `files differ on ${account} ${number}`,
};

export const moneyText = (amount: bigint, currency: string): string =>
  `${textOf(amount, currency)} ${currency}`;

/** Balances that one batch carries over, and that do not arrive in the next one. */
function brokenChains(payouts: readonly Payout[]): readonly string[] {
  const present = payouts.filter(({ isAbsent }) => !isAbsent);
  const carriedIn = (some: readonly Payout[], currency: string, text: string) =>
    netOf(
      some
        .filter((one) => one.currency === currency)
        .flatMap(({ told }) => told.filter((line) => line.text.startsWith(text))),
    );
  const batches = groupBy(present, ({ account, number }) => `${account} ${number}`);
  return [...batches.values()].flatMap((own) => {
    const [{ account, number } = { account: '', number: '' }] = own;
    const next = String(Number(number) + 1);
    const others = batches.get(`${account} ${next}`);
    if (!others || ![...own, ...others].some(isInMonth)) return [];
    const currencies = [...new Set([...own, ...others].map(({ currency }) => currency))];
    return currencies.flatMap((currency) => {
      const out = -carriedIn(own, currency, 'Balancetransfer to');
      const arrived = carriedIn(others, currency, 'Balancetransfer from');
      const amounts = [moneyText(out, currency), moneyText(arrived, currency)] as const;
      return out === arrived ? [] : [missingText.carried(account, number, next, ...amounts)];
    });
  });
}

function looseTexts(loose: readonly Loose[], account: string): readonly string[] {
  return [...groupBy(loose, ({ currency }) => currency)].map(([currency, own]) =>
    missingText.noPayout(
      account,
      '',
      own.length,
      moneyText(netOf(own.map(({ line }) => line)), currency),
    ),
  );
}

/** What the report of the month must say, from what happened and what befell the files. */
export function truthOf({ provider, faults, loose }: ProviderMonth): TrueReport {
  const settlements = provider.payouts
    .filter((payout) => isInMonth(payout) && !payout.isAbsent)
    .map((payout) =>
      settlementOf(
        payout,
        faults.filter((one) => one.payout === payout),
      ),
    );
  const without = ({ account, number, told, currency }: Payout) =>
    missingText.noPayout(account, number, told.length, moneyText(netOf(told), currency));
  const missing = faults.flatMap(({ kind, payout }): readonly string[] => {
    const { account, number, currency, stated } = payout;
    if (kind === 'batch_missing') return [missingText.numbers(account, number, number)];
    if (kind === 'no_payout') return [without(payout)];
    if (kind === 'no_rows')
      return [missingText.noRows(account, number, moneyText(sum(stated ?? []), currency))];
    return kind === 'files_differ' ? [missingText.differs(account, number)] : [];
  });
  const chains = provider.isNumbered ? brokenChains(provider.payouts) : [];
  const all = [...new Set([...missing, ...chains])];
  all.push(...looseTexts(loose, provider.payouts[0]?.account ?? ''));
  const unreadable = faults.filter(({ kind }) => kind.endsWith('unreadable')).length;
  const isIncomplete = all.length > 0 || unreadable > 0;
  const isOut = settlements.some(
    ({ verdicts, isJudged }) => isJudged && verdicts[0] === 'out_of_balance',
  );
  return {
    verdict: isIncomplete ? 'incomplete' : isOut ? 'out_of_balance' : 'balanced',
    exitCode: isIncomplete ? 4 : isOut ? 1 : 0,
    settlements,
    missing: all.sort(),
    mayBeMissing: faults.flatMap(({ kind, payout }) =>
      kind === 'paid_unreadable' ? [without(payout)] : [],
    ),
    unreadable,
    rests: provider.statesFees ? 'fees and net pay-out' : 'net pay-out',
  };
}

/** Why a settlement does not balance: what explains it, with the line; or nothing that can be known. */
export interface TrueCause {
  readonly codes: readonly string[];
  readonly line: Line | undefined;
}

/** The amounts of a line that the header of a settlement would show. */
const isAlone = (line: Line, { told }: Payout): boolean =>
  told.filter(({ word }) => word === line.word).length === 1;

export function causeOf({ payout, faults }: TrueSettlement): TrueCause | undefined {
  const [fault] = faults;
  const line = fault?.line;
  switch (fault?.kind) {
    case 'line_removed':
    case 'carried_removed':
    case 'id_cleared':
    case 'no_rows':
      return { codes: ['missing_rows'], line: undefined };
    case 'sign_flipped':
      return {
        codes: ['row_sign', ...(line && isAlone(line, payout) ? ['type_sign'] : [])],
        line,
      };
    case 'line_added':
      return {
        codes: ['row_not_counted', ...(line && isAlone(line, payout) ? ['type_left_out'] : [])],
        line,
      };
    default:
      return undefined;
  }
}

/**
 * Whether other lines would fit the difference as well: one of its own that is left out, doubled or turned,
 * or one that the files have in a settlement near it; where fees are stated too, also two of them together.
 */
export function hasRival(
  { payout, computed, paid, fees, faults }: TrueSettlement,
  all: readonly Payout[],
): boolean {
  const difference = paid - computed.payIn;
  const own = payout.told.filter((line) => line !== faults[0]?.line);
  const near = all
    .filter(
      (one) => one !== payout && one.account === payout.account && one.currency === payout.currency,
    )
    .flatMap(({ told }) => told);
  const others = [...own, ...near].flatMap((line) => [line, { net: -line.net, fees: -line.fees }]);
  if (others.some(({ net }) => net === difference)) return true;
  if (own.some(({ net }) => -2n * net === difference)) return true;
  if (fees === undefined) return false;
  const known = new Set(others.map((one) => `${one.net} ${one.fees}`));
  const feesDifference = fees - computed.fees;
  return others.some((one) => known.has(`${difference - one.net} ${feesDifference - one.fees}`));
}
