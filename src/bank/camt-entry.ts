import { isDay, withoutTime } from '../base/calendar.ts';
import { largestOf } from '../base/lists.ts';
import { accountNumber, detailsBy, type PaymentDetails } from '../model/bank.ts';
import { atScale, type Decimal, parseDigits, signed } from '../money/decimal.ts';
import { joinedDetails, labelledDetails, noDetails, references } from './details.ts';
import type { WrittenEntry } from './entry-columns.ts';
import {
  type ElementFault,
  entryOf,
  isValueDate,
  type StatementSource,
  type WrittenPart,
} from './written.ts';
import { elementsAt, textAt, textsAt, type XmlElement } from './xml.ts';

export interface EntryContext {
  readonly source: StatementSource;
  readonly account: string;
  readonly currency: string;
  readonly file: string;
}

/** Decodes an entry (`Ntry`) of any version. Without any date in it, its date is empty. */
export function camtEntry(entry: XmlElement, around: EntryContext): WrittenEntry | ElementFault {
  const fault = (element: string, found: string, expected: string): ElementFault => ({
    element: `Ntry/${element}`,
    found,
    expected,
  });
  const invalid = invalidElement(entry);
  if (invalid) return invalid;
  const [money] = elementsAt(entry, 'Amt');
  const currency = money?.currency || around.currency;
  if (!/^[A-Z]{3}$/.test(currency)) return fault('Amt/@Ccy', currency, 'a code such as EUR');
  const direction = textAt(entry, 'CdtDbtInd');
  if (!/^(CRDT|DBIT)$/.test(direction)) return fault('CdtDbtInd', direction, 'CRDT or DBIT');
  const amount = amountIn(entry, 'Amt', direction);
  if (!amount) return fault('Amt', money?.text.trim() ?? '', 'an amount such as 12.50');
  const status = statusOf(entry, around.source);
  if (!status) return fault('Sts', textAt(entry, ...statusPaths), 'BOOK, PDNG, INFO or FUTR');
  const [booked, value] = [dateAt(entry, 'BookgDt'), dateAt(entry, 'ValDt')];
  const date = booked || value;
  const dayLike = 'a date such as 2026-03-05';
  if (booked !== '' && !isDay(booked)) return fault('BookgDt', booked, dayLike);
  const isKnown = value === '' || (booked === '' ? isDay(value) : isValueDate(value));
  if (!isKnown) return fault('ValDt', value, dayLike);
  const payments = elementsAt(entry, 'NtryDtls/TxDtls');
  const listed = Number(textAt(entry, 'NtryDtls/Btch/NbOfTxs'));
  const isBatch = payments.length > 1 || listed > 1;
  const own = detailsOf(entry, {
    paymentInformationIds: ['NtryDtls/Btch/PmtInfId'],
    references: ['NtryRef', 'NtryDtls/Btch/MsgId'],
    texts: ['AddtlNtryInf'],
  });
  const charges = [chargesOf(entry, currency), ...payments.map((one) => chargesOf(one, currency))];
  const all = payments.map((payment) => paymentDetails(payment, direction, around.account));
  const ofPayment = isBatch ? [] : ['NtryDtls/TxDtls/Refs/AcctSvcrRef'];
  const parts = isBatch ? partsOf(payments, all, { amount, currency, direction }) : [];
  return entryOf({
    account: around.account,
    currency,
    amount,
    // Banks that state the charges of an entry may repeat them in its details.
    charges: charges[0] ?? sumOf(charges),
    date,
    valueDate: value,
    status,
    isReversal: /^(true|1)$/.test(textAt(entry, 'RvslInd')),
    returnReason: returnReasonOf(entry),
    bankReference: references(textsAt(entry, 'AcctSvcrRef', ...ofPayment))[0] ?? '',
    details: isBatch ? own : joinedDetails([...all, own]),
    parts: listed > parts.length ? [...parts, ...notListed(parts, amount)] : parts,
    place: { file: around.file, line: entry.line },
  });
}

const singles = ['Amt', 'CdtDbtInd', 'RvslInd', 'Sts', 'BookgDt', 'ValDt', 'Dt'];

/** The first element whose value is ambiguous: several of one kind, or text between elements. */
function invalidElement({ name, text, children }: XmlElement): ElementFault | undefined {
  const own = text.trim();
  if (own !== '') return { element: name, found: own, expected: 'no text between its elements' };
  for (const single of singles) {
    const all = children.filter((child) => child.name === single);
    if (all.length <= 1 && all.every(hasOneValue)) continue;
    const found = all.map(wholeText).join(' ');
    return { element: `${name}/${single}`, found, expected: `one ${single}, with one value` };
  }
  return undefined;
}

export interface Balance {
  readonly type: string;
  readonly date: string;
  readonly currency: string;
  readonly amount: Decimal;
}

export function camtBalance(balance: XmlElement): Balance | ElementFault {
  const invalid = invalidElement(balance);
  if (invalid) return invalid;
  const [money] = elementsAt(balance, 'Amt');
  const amount = amountIn(balance, 'Amt', textAt(balance, 'CdtDbtInd'));
  if (!amount) {
    const found = money?.text.trim() ?? '';
    return { element: 'Bal/Amt', found, expected: 'an amount such as 12.50' };
  }
  return {
    type: textAt(balance, 'Tp/CdOrPrtry/Cd', 'Tp/CdOrPrtry/Prtry', 'Tp/Cd'),
    date: dateAt(balance, 'Dt'),
    currency: money?.currency ?? '',
    amount,
  };
}

function hasOneValue({ text, children: [first, ...others] }: XmlElement): boolean {
  return !first || (others.length === 0 && text.trim() === '' && hasOneValue(first));
}

function wholeText({ text, children }: XmlElement): string {
  return [text.trim(), ...children.map(wholeText)].join(' ').trim();
}

/** Amounts have no sign; CdtDbtInd is the direction of the money, even of a reversal (`RvslInd`). */
function amountIn(element: XmlElement, path: string, direction: string): Decimal | undefined {
  const amount = parseDigits(textAt(element, path));
  return amount && signed(amount, direction === 'DBIT');
}

/** The day of a date or a time as written; any other text unchanged. */
function dateAt(element: XmlElement, path: string): string {
  const written = textAt(element, `${path}/Dt`, `${path}/DtTm`, path);
  return withoutTime(written).replace(/(?<=^\d{4}-\d\d-\d\d)(Z|[+-]\d\d:\d\d)$/, '');
}

const statusPaths = ['Sts/Cd', 'Sts/Prtry', 'Sts'];

function statusOf(entry: XmlElement, source: StatementSource): WrittenEntry['status'] | undefined {
  const status = textAt(entry, ...statusPaths);
  if (status === 'BOOK') return 'booked';
  if (/^(PDNG|INFO|FUTR)$/.test(status)) return 'pending';
  if (status !== '') return undefined;
  return source === 'camt.052' ? 'pending' : 'booked';
}

const returnReasons = ['Rsn/Cd', 'Rsn/Prtry', 'AddtlInf'].map(
  (path) => `NtryDtls/TxDtls/RtrInf/${path}`,
);
const familyCode = 'BkTxCd/Domn/Fmly/SubFmlyCd';

function returnReasonOf(entry: XmlElement): string {
  const reason = textsAt(entry, ...returnReasons);
  const family = textAt(entry, familyCode, `NtryDtls/TxDtls/${familyCode}`);
  if (reason.length > 0) return [...new Set(reason)].join(' ');
  // The codes for a returned and a recalled payment, if no reason is given.
  return /^(RRTN|RPCR)$/.test(family) ? family : '';
}

/** Some banks write the total as the amount of each part; such amounts are not used. */
function partsOf(
  payments: readonly XmlElement[],
  details: readonly PaymentDetails[],
  whole: { readonly amount: Decimal; readonly currency: string; readonly direction: string },
): readonly WrittenPart[] {
  const amounts = payments.map((payment) => {
    const path = elementsAt(payment, 'Amt').length > 0 ? 'Amt' : 'AmtDtls/TxAmt/Amt';
    const [money, ...more] = elementsAt(payment, path);
    const isSame = more.length === 0 && (!money?.currency || money.currency === whole.currency);
    const direction = textAt(payment, 'CdtDbtInd') || whole.direction;
    return isSame ? amountIn(payment, path, direction) : undefined;
  });
  const isTotal = (amount: Decimal | undefined) =>
    amount?.digits === whole.amount.digits && amount.scale === whole.amount.scale;
  const areTotals = amounts.length > 1 && amounts.every(isTotal) && whole.amount.digits !== 0n;
  return details.map((one, index) => ({
    ...one,
    amount: areTotals ? undefined : amounts[index],
    charges: payments[index] && chargesOf(payments[index], whole.currency),
  }));
}

/** What the bank says it charged for an entry or a payment, if it is all in one currency. */
function chargesOf(element: XmlElement, currency: string): Decimal | undefined {
  const stated = elementsAt(element, 'Chrgs');
  const records = stated.flatMap((one) => {
    const apart = elementsAt(one, 'Rcrd');
    return apart.length > 0 ? apart : one;
  });
  const amounts = records.map((record) => {
    const path = elementsAt(record, 'Amt').length > 0 ? 'Amt' : 'TtlChrgsAndTaxAmt';
    const [money] = elementsAt(record, path);
    const isSame = !money?.currency || money.currency === currency;
    // A charge is a debit, because the direction is that of the money.
    const isBack = textAt(record, 'CdtDbtInd') === 'CRDT';
    return isSame ? amountIn(record, path, isBack ? 'DBIT' : 'CRDT') : undefined;
  });
  return amounts.every((amount) => amount !== undefined) ? sumOf(amounts) : undefined;
}

/** The sum of the defined amounts; undefined if there are none. */
function sumOf(amounts: readonly (Decimal | undefined)[]): Decimal | undefined {
  const stated = amounts.filter((amount) => amount !== undefined);
  if (stated.length === 0) return undefined;
  const scale = largestOf(stated.map((one) => one.scale));
  return { digits: stated.reduce((sum, one) => sum + atScale(one, scale), 0n), scale };
}

/** The rest of the amount of a batch that is not fully listed, as one part without details. */
function notListed(parts: readonly WrittenPart[], whole: Decimal): readonly WrittenPart[] {
  const listed = parts.flatMap(({ amount }) => amount ?? []);
  if (listed.length === 0 || listed.length < parts.length) return [];
  const scale = largestOf([whole.scale, ...listed.map((one) => one.scale)]);
  const digits = listed.reduce((rest, one) => rest - atScale(one, scale), atScale(whole, scale));
  const isRest = digits !== 0n && digits < 0n === whole.digits < 0n;
  return isRest ? [{ ...noDetails, amount: { digits, scale } }] : [];
}

const ownReferences = 'InstrId TxId UETR MndtId MsgId ClrSysRef AcctSvcrRef Prtry/Ref'.split(' ');

/** The details of one payment (`TxDtls`), with the names of the other party. */
function paymentDetails(payment: XmlElement, direction: string, own: string): PaymentDetails {
  const [first, second] =
    direction === 'CRDT' ? (['Dbtr', 'Cdtr'] as const) : (['Cdtr', 'Dbtr'] as const);
  const one = partyOf(payment, first);
  const isOwn = one.accounts.includes(own) || one.accounts.length + one.names.length === 0;
  const other = isOwn ? partyOf(payment, second) : one;
  const isForeign = !other.accounts.includes(own);
  const details = detailsOf(payment, {
    endToEndIds: ['Refs/EndToEndId'],
    paymentInformationIds: ['Refs/PmtInfId'],
    references: [
      'RmtInf/Strd/CdtrRefInf/Ref',
      'RmtInf/Strd/CdtrRefInf/CdtrRef',
      'RmtInf/Strd/RfrdDocInf/Nb',
      'RmtInf/Strd/RfrdDocInf/RfrdDocNb',
      ...ownReferences.map((name) => `Refs/${name}`),
    ],
    texts: ['RmtInf/Ustrd', 'RmtInf/Strd/AddtlRmtInf', 'AddtlTxInf'],
  });
  return isForeign ? joinedDetails([{ ...noDetails, ...other }, details]) : details;
}

/** The paths to the names and accounts of a party, in any version. */
const partyPaths = (side: 'Dbtr' | 'Cdtr') => ({
  names: ['Nm', 'Pty/Nm'].flatMap((name) => [
    `RltdPties/${side}/${name}`,
    `RltdPties/Ultmt${side}/${name}`,
  ]),
  accounts: ['IBAN', 'Othr/Id', 'PrtryAcct/Id'].map((id) => `RltdPties/${side}Acct/Id/${id}`),
});

const parties = { Dbtr: partyPaths('Dbtr'), Cdtr: partyPaths('Cdtr') };

function partyOf(payment: XmlElement, side: 'Dbtr' | 'Cdtr') {
  const { names, accounts } = parties[side];
  return {
    names: [...new Set(textsAt(payment, ...names))],
    accounts: textsAt(payment, ...accounts).map(accountNumber),
  };
}

type DetailPaths = Partial<Record<keyof PaymentDetails, readonly string[]>>;

function detailsOf(element: XmlElement, paths: DetailPaths): PaymentDetails {
  const at = (key: keyof PaymentDetails) => textsAt(element, ...(paths[key] ?? []));
  const texts = at('texts');
  const own = detailsBy((field) => (field === 'texts' ? texts : references(at(field))));
  return joinedDetails([own, labelledDetails(texts)]);
}
