import { addDays, isBusinessDay } from '../../base/calendar.ts';
import { groupedBy, largestOf } from '../../base/lists.ts';
import { byText } from '../../base/texts.ts';
import { minorUnitsOf } from '../../money/minor-units.ts';
import { rescale } from '../../money/money.ts';
import type { Scenario, ScenarioSettlement } from '../scenario.ts';

/** An account and its entries by date, in minor units at `scale`. */
export type SandboxAccount = ReturnType<typeof sandboxAccounts>[number];

export interface SandboxEntry {
  readonly name: string;
  readonly iban: string;
  readonly date: string;
  readonly amount: bigint;
  readonly fee: bigint;
  readonly reference: string;
  readonly text: string;
  /** One per settlement; none if it is not a pay-out. */
  readonly payouts: readonly { readonly endToEndId: string; readonly amount: bigint }[];
}

/** End-to-end id and text for formats without details: a batch lists its ids in the text. */
export function withoutDetails({ payouts, text }: SandboxEntry) {
  const ids = payouts.map((one) => one.endToEndId);
  const [endToEndId = ''] = ids;
  return ids.length > 1 ? { endToEndId: '', text: [text, ...ids].join(' ') } : { endToEndId, text };
}

/**
 * The accounts of a scenario, one per currency. Settled settlements are paid on the next business day,
 * unless the scenario says otherwise. Headers that cannot be paid, and repeated ones, are left out.
 */
export function sandboxAccounts({ settlements, otherEntries = [], period }: Scenario) {
  const ids = settlements.map(({ header }) => header['settlementId']);
  const firsts = settlements.filter(({ header }, at) => ids.indexOf(header['settlementId']) === at);
  const payments = firsts.flatMap((one) => paymentOf(one) ?? []);
  const currencies = new Set([...payments, ...otherEntries].map(({ currency }) => currency));
  return [...(currencies.size > 0 ? currencies : ['EUR'])].map((currency) => {
    const own = payments.filter((one) => one.currency === currency);
    const others = otherEntries.filter((one) => one.currency === currency);
    const usual = minorUnitsOf(currency) ?? 2;
    const scale = largestOf([usual, ...own.map((one) => one.scale)]);
    const entries = [
      ...others.map((one) => otherEntry(one, usual, scale)),
      ...payoutEntries(own, scale),
    ]
      .sort((one, other) => byText(one.date, other.date))
      .map((one, at) => ({ ...one, reference: referenceOf(currency, one.date, at + 1) }));
    const opening = 10_000n * 10n ** BigInt(scale);
    return {
      iban: ibanOf(companyBank, currency),
      currency,
      scale,
      from: period.from,
      to: [period.to, ...entries.map(({ date }) => date)].sort().at(-1) ?? '',
      opening,
      closing: entries.reduce((sum, { amount }) => sum + amount, opening),
      entries,
    };
  });
}

type Payment = NonNullable<ReturnType<typeof paymentOf>>;

function paymentOf({ header, bank: quirk = {} }: ScenarioSettlement) {
  const { currencyCode: currency, amountPayIn: amount, decimalPlaces: scale } = header;
  const { settlementStatus: status, settlementDate, paymentEndToEndIds } = header;
  const date = String(settlementDate).slice(0, 10);
  const [endToEndId] = Array.isArray(paymentEndToEndIds) ? paymentEndToEndIds.map(String) : [];
  const isPaid = status === 'settled' || status === 'settled_out_of_balance';
  if (!isPaid || endToEndId === undefined || amount === 0) return undefined;
  if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) return undefined;
  if (typeof scale !== 'number' || !Number.isSafeInteger(amount)) return undefined;
  return { currency, scale, amount: BigInt(Number(amount)), date, endToEndId, quirk };
}

type Unnumbered = Omit<SandboxEntry, 'reference'>;

function payoutEntries(payments: readonly Payment[], scale: number): readonly Unnumbered[] {
  const batches = groupedBy<Payment, unknown>(payments, (one) => one.quirk.batch ?? one);
  return [...batches.values()].flatMap((batch) => {
    const [first] = batch;
    if (first === undefined) return [];
    const { fee = 0, days, times = 1 } = first.quirk;
    const payouts = batch.map(({ endToEndId, amount, scale: own }) => ({
      endToEndId,
      amount: rescale(amount, own, scale),
    }));
    const paid = payouts.reduce((sum, { amount }) => sum + amount, 0n);
    const taken = { amount: paid - BigInt(fee), fee: BigInt(fee) };
    const entry = { ...service, ...taken, text: `Payout ${first.date}`, payouts };
    const booked = days === undefined ? nextBusinessDay(first.date) : addDays(first.date, days);
    const dates = [booked, nextBusinessDay(booked)].slice(0, times);
    return dates.map((date) => ({ ...entry, date }));
  });
}

function otherEntry(
  { date, amount, name, text }: NonNullable<Scenario['otherEntries']>[number],
  usual: number,
  scale: number,
): Unnumbered {
  const other = name === undefined ? service : { name, iban: ibanOf('87654321', name.slice(0, 5)) };
  return {
    ...other,
    date,
    amount: rescale(BigInt(amount), usual, scale),
    fee: 0n,
    text,
    payouts: [],
  };
}

function nextBusinessDay(day: string): string {
  const next = addDays(day, 1);
  return isBusinessDay(next) ? next : nextBusinessDay(next);
}

/** `EUR20260303-01`: MT940 allows 16 characters. */
function referenceOf(currency: string, date: string, number: number): string {
  return `${currency}${date.replaceAll('-', '')}-${String(number).padStart(2, '0')}`;
}

const companyBank = '12345678';
const serviceBank = '99999999';

const service = { name: 'Sandbox Payments', iban: ibanOf(serviceBank, 'PAY') };

/** An IBAN with check digits (ISO 7064). */
function ibanOf(bank: string, word: string): string {
  const digits = word
    .toUpperCase()
    .replace(/[^A-Z]/g, '')
    .replace(/./g, (letter) => String(letter.charCodeAt(0) - 55));
  const account = `${bank}${digits.padStart(10, '0')}`;
  // DE is 1314, the check digits count as 00.
  const check = 98n - (BigInt(`${account}131400`) % 97n);
  return `DE${String(check).padStart(2, '0')}${account}`;
}
