import { addDays, isBusinessDay } from '../base/calendar.ts';
import { groupedBy, largestOf } from '../base/lists.ts';
import { byText } from '../base/texts.ts';
import { minorUnitsOf } from '../money/minor-units.ts';
import { formatMinor, magnitude, rescale } from '../money/money.ts';
import type { Scenario, ScenarioSettlement } from './scenario.ts';

export function camtStatement(scenario: Scenario) {
  return { name: `${scenario.name}.xml`, text: camtOf(scenario.name, sandboxAccounts(scenario)) };
}

/** The statements of a scenario in every format. Only CSV files need a mapping: they have a folder of their own. */
export function statementsIn(scenario: Scenario) {
  const accounts = sandboxAccounts(scenario);
  return [
    camtStatement(scenario),
    { name: `${scenario.name}.mt940`, text: mt940Of(accounts) },
    ...accounts.map((account) => ({
      name: `csv/${scenario.name}-${account.currency.toLowerCase()}.csv`,
      text: bankCsvOf(account),
    })),
  ];
}

/** An account and its entries by date, in minor units at `scale`. */
type Account = ReturnType<typeof sandboxAccounts>[number];

interface Entry {
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
function withoutDetails({ payouts, text }: Entry) {
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

type Unnumbered = Omit<Entry, 'reference'>;

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
  const minor = rescale(BigInt(amount), usual, scale);
  return { ...other, date, amount: minor, fee: 0n, text, payouts: [] };
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

/** One camt.053 message (version 8) with the statements of accounts. */
function camtOf(name: string, accounts: readonly Account[]): string {
  const statements = accounts.map((account, at) => accountElement(name, account, at + 1));
  const made = accounts.map(writtenAt).sort().at(-1) ?? '';
  const header = `<GrpHdr>${element('MsgId', name)}${element('CreDtTm', made)}</GrpHdr>`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08">',
    `<BkToCstmrStmt>${header}`,
    ...statements,
    '</BkToCstmrStmt>',
    '</Document>',
    '',
  ].join('\n');
}

function accountElement(name: string, account: Account, number: number): string {
  const { iban, currency, from, to, opening, closing, entries } = account;
  const days = `${element('FrDtTm', `${from}T00:00:00Z`)}${element('ToDtTm', `${to}T23:59:59Z`)}`;
  return [
    `<Stmt>${element('Id', `${name}-${currency}`)}${element('ElctrncSeqNb', String(number))}`,
    `${element('CreDtTm', writtenAt(account))}<FrToDt>${days}</FrToDt>`,
    `<Acct><Id>${element('IBAN', iban)}</Id>${element('Ccy', currency)}</Acct>`,
    balanceElement('OPBD', opening, from, account),
    balanceElement('CLBD', closing, to, account),
    ...entries.map((one) => entryElement(one, account)),
    '</Stmt>',
  ].join('\n');
}

const writtenAt = ({ to }: Account): string => `${addDays(to, 1)}T06:00:00Z`;

function balanceElement(code: string, minor: bigint, day: string, account: Account): string {
  const type = `<Tp><CdOrPrtry>${element('Cd', code)}</CdOrPrtry></Tp>`;
  return `<Bal>${type}${amountElement(minor, account)}${direction(minor)}<Dt>${element('Dt', day)}</Dt></Bal>`;
}

function entryElement(one: Entry, account: Account): string {
  const { date, reference, payouts, fee } = one;
  const family = one.amount < 0n ? 'ICDT' : 'RCDT';
  const code = `<Fmly>${element('Cd', family)}${element('SubFmlyCd', 'ESCT')}</Fmly>`;
  const batch =
    payouts.length > 1 ? `<Btch>${element('NbOfTxs', String(payouts.length))}</Btch>` : '';
  return [
    `<Ntry>${amountElement(one.amount, account)}${direction(one.amount)}<Sts>${element('Cd', 'BOOK')}</Sts>`,
    `<BookgDt>${element('Dt', date)}</BookgDt><ValDt>${element('Dt', date)}</ValDt>${element('AcctSvcrRef', reference)}`,
    `<BkTxCd><Domn>${element('Cd', 'PMNT')}${code}</Domn></BkTxCd>${fee > 0n ? chargesElement(fee, account) : ''}`,
    `<NtryDtls>${batch}`,
    ...(payouts.length > 0 ? payouts : [{ endToEndId: 'NOTPROVIDED', amount: one.amount }]).map(
      (payout) => detailsElement(payout.endToEndId, payout.amount - fee, one, account),
    ),
    '</NtryDtls></Ntry>',
  ].join('\n');
}

function chargesElement(fee: bigint, account: Account): string {
  const record = `<Rcrd>${amountElement(fee, account)}${direction(-fee)}</Rcrd>`;
  return `<Chrgs>${amountElement(fee, account, 'TtlChrgsAndTaxAmt')}${record}</Chrgs>`;
}

function detailsElement(
  endToEndId: string,
  minor: bigint,
  { name, iban, text: remittance, fee }: Entry,
  account: Account,
): string {
  const side = minor < 0n ? 'Cdtr' : 'Dbtr';
  const parties = `<${side}><Pty>${element('Nm', name)}</Pty></${side}><${side}Acct><Id>${element('IBAN', iban)}</Id></${side}Acct>`;
  const instructed = `<InstdAmt>${amountElement(minor + fee, account)}</InstdAmt>`;
  return [
    `<TxDtls><Refs>${element('EndToEndId', endToEndId)}</Refs>${amountElement(minor, account)}${direction(minor)}`,
    ...(fee > 0n ? [`<AmtDtls>${instructed}</AmtDtls>`] : []),
    `<RltdPties>${parties}</RltdPties>`,
    `<RmtInf>${element('Ustrd', remittance)}</RmtInf></TxDtls>`,
  ].join('\n');
}

function amountElement(minor: bigint, { currency, scale }: Account, name = 'Amt'): string {
  return `<${name} Ccy="${currency}">${formatMinor(magnitude(minor), scale)}</${name}>`;
}

function direction(minor: bigint): string {
  return element('CdtDbtInd', minor < 0n ? 'DBIT' : 'CRDT');
}

const notInXml = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

/** What XML 1.0 cannot hold becomes a question mark. */
function element(name: string, value: string): string {
  const kept = value.replace(notInXml, '?');
  const escaped = kept.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `<${name}>${escaped}</${name}>`;
}

/** Semicolons, decimal commas, days as 03.03.2026. */
function bankCsvOf(account: Account): string {
  const records = account.entries.map((one) => csvRecord(one, account).map(quoted).join(';'));
  return [csvHeader, ...records].map((line) => `${line}\r\n`).join('');
}

const csvHeader =
  'Account;Booking date;Value date;Amount;Currency;Name;IBAN;End-to-end ID;Text;Bank reference';

function csvRecord(one: Entry, { iban, currency, scale }: Account) {
  const day = one.date.split('-').reverse().join('.');
  const { endToEndId, text } = withoutDetails(one);
  const amount = formatMinor(one.amount, scale).replace('.', ',');
  return [iban, day, day, amount, currency, one.name, one.iban, endToEndId, text, one.reference];
}

function quoted(cell: string): string {
  return /[";\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** MT940 with `:86:` in subfields, as German banks write it. */
function mt940Of(accounts: readonly Account[]): string {
  return accounts
    .flatMap((account, at) => [
      `:20:STATEMENT${at + 1}`,
      `:25:${account.iban}`,
      ':28C:1/1',
      `:60F:${balanceLine(account.opening, account.from, account)}`,
      ...account.entries.flatMap((one) => entryLines(one, account)),
      `:62F:${balanceLine(account.closing, account.to, account)}`,
      '-',
    ])
    .map((line) => `${line}\r\n`)
    .join('');
}

function balanceLine(minor: bigint, day: string, account: Account): string {
  return `${sign(minor)}${short(day)}${account.currency}${mt940Amount(minor, account)}`;
}

function entryLines(one: Entry, account: Account): readonly string[] {
  const day = short(one.date);
  const line = `:61:${day}${day.slice(2)}${sign(one.amount)}${mt940Amount(one.amount, account)}NTRFNONREF//${one.reference}`;
  return [line, ...(`:86:${information(one)}`.match(/.{1,65}/g) ?? [])];
}

/** Subfields have at most 27 characters. */
function information(one: Entry): string {
  const { amount: minor, name, iban } = one;
  const { endToEndId, text } = withoutDetails(one);
  const pieces = [`EREF+${plain(endToEndId) || 'NOTPROVIDED'}`, `SVWZ+${plain(text)}`].flatMap(
    (part) => part.match(/.{1,27}/g) ?? [],
  );
  const subfields = pieces.map((piece, at) => `?${at < 10 ? 20 + at : 50 + at}${piece}`);
  const [code, kind] = minor < 0n ? ['177', 'TRANSFER'] : ['166', 'CREDIT'];
  return `${code}?00${kind}${subfields.join('')}?31${iban}?32${plain(name).slice(0, 27)}`;
}

/** The SWIFT characters without the separator. */
const plain = (text: string): string => text.replace(/[^A-Za-z0-9/\-:().,'+ ]/g, '.');

const sign = (minor: bigint): string => (minor < 0n ? 'D' : 'C');

function mt940Amount(minor: bigint, { scale }: Account): string {
  const text = formatMinor(magnitude(minor), scale);
  return scale === 0 ? `${text},` : text.replace('.', ',');
}

const short = (day: string): string => day.slice(2).replaceAll('-', '');
