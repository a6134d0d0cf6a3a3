import { addDays, isBusinessDay } from '../../base/calendar.ts';
import { groupedBy } from '../../base/keys.ts';
import { largestOf } from '../../base/lists.ts';
import { byText } from '../../base/texts.ts';
import { minorUnitsOf } from '../../money/minor-units.ts';
import { rescale } from '../../money/money.ts';
import type { OtherEntry, Scenario, ScenarioSettlement } from '../scenarios.ts';

/** An account that pay-outs go to, and what moved on it, by date. Amounts are minor units at `scale`. */
export type SandboxAccount = ReturnType<typeof sandboxAccounts>[number];

/** Money in is positive, money out negative. */
export interface SandboxEntry {
  /** The other side. */
  readonly name: string;
  readonly iban: string;
  /** Of booking and of value, YYYY-MM-DD. */
  readonly date: string;
  readonly amount: bigint;
  /** What the bank has taken off, positive. */
  readonly fee: bigint;
  /** The bank's own, one an entry. */
  readonly reference: string;
  readonly text: string;
  /** What is paid for each settlement; none in an entry that is no pay-out. */
  readonly payouts: readonly { readonly endToEndId: string; readonly amount: bigint }[];
}

/**
 * The end-to-end id and the text of an entry in a format without details: of a batch, the text lists all
 * ids.
 */
export function withoutDetails({ payouts, text }: SandboxEntry) {
  const ids = payouts.map((one) => one.endToEndId);
  const [endToEndId = ''] = ids;
  return ids.length > 1 ? { endToEndId: '', text: [text, ...ids].join(' ') } : { endToEndId, text };
}

/**
 * The accounts of a scenario, one a currency: each settled settlement is paid on the next business day
 * (Monday to Friday), if the scenario doesn't say something else of it. A header that can't be paid as
 * it stands, and a second one of the same settlement, is left out.
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
      ...{ iban: ibanOf(companyBank, currency), currency, scale },
      // The days that its statement covers, YYYY-MM-DD.
      from: period.from,
      to: [period.to, ...entries.map(({ date }) => date)].sort().at(-1) ?? '',
      opening,
      closing: entries.reduce((sum, { amount }) => sum + amount, opening),
      entries,
    };
  });
}

/** A settlement as the service pays it. */
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

/** The entries of what is paid, at the scale of the account. */
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
  { date, amount, name, text }: OtherEntry,
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

/** `EUR20260303-01`: fits the 16 characters of an MT940. */
function referenceOf(currency: string, date: string, number: number): string {
  return `${currency}${date.replaceAll('-', '')}-${String(number).padStart(2, '0')}`;
}

/** Banks that do not exist. */
const companyBank = '12345678';
const serviceBank = '99999999';

/** Who pays out. */
const service = { name: 'Sandbox Payments', iban: ibanOf(serviceBank, 'PAY') };

/** The IBAN of an account, by the code of its bank and a word, with its check digits (ISO 7064). */
function ibanOf(bank: string, word: string): string {
  const digits = word
    .toUpperCase()
    .replace(/[^A-Z]/g, '')
    .replace(/./g, (letter) => String(letter.charCodeAt(0) - 55));
  const account = `${bank}${digits.padStart(10, '0')}`;
  // DE is 1314, and the check digits count as 00.
  const check = 98n - (BigInt(`${account}131400`) % 97n);
  return `DE${String(check).padStart(2, '0')}${account}`;
}
