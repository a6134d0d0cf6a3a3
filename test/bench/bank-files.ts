import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { addDays, daysOfMonth } from '../../src/base/calendar.ts';
import { formatMinor } from '../../src/money/money.ts';
import { type Line, type OwnAccount, ownAccounts, type Told } from './bank-year.ts';

// The statements of a year, as banks write them: camt.053 of several versions, MT940 of two kinds, CSV.

/** Where entries stand: numbers of entries by file and line. */
export type Places = Map<string, number>;

/** A text of lines, which remembers where entries begin. */
class Text {
  readonly lines: string[] = [];
  readonly places = new Map<number, number>();

  add(...lines: readonly string[]): void {
    this.lines.push(...lines);
  }

  /** The next line is the first of an entry. */
  mark({ number }: Line): void {
    this.places.set(this.lines.length + 1, number);
  }
}

/** The columns of the CSV files, as the setting `bank_csv` names them. */
export const csvMapping = {
  delimiter: ';',
  decimal: ',',
  date_format: 'DD.MM.YYYY',
  date: 'Booked',
  amount: 'Amount',
  currency: 'Currency',
  account: 'Account',
  texts: ['Text 1', 'Text 2'],
  references: ['Reference'],
  bank_reference: 'Bank reference',
  end_to_end_id: 'End to end',
  name: 'Name',
  counterparty: 'Counterparty',
};

/** A statement of some days of an account. */
interface Days {
  readonly account: OwnAccount;
  readonly from: string;
  readonly to: string;
  readonly lines: readonly Line[];
  /** Minor units at its beginning. */
  readonly opening: number;
  readonly number: number;
}

/** The one closing balance that a bank gets wrong. */
const wrongTotals = { month: '2026-05', account: ownAccounts[0] };

/** Writes all statements into a folder, and says where each entry stands. */
export async function writeStatements(folder: string, lines: readonly Line[]): Promise<Places> {
  await mkdir(folder);
  const places: Places = new Map();
  for (const account of ownAccounts) {
    const own = lines.filter((line) => line.account === account);
    let opening = 1_000_000;
    for (const month of monthsOf('2026')) {
      const days = { from: `${month}-01`, to: daysOfMonth(month)?.to ?? '' };
      const statement = statementOf(account, own, days, opening, Number(month.slice(5)));
      await write(folder, month, statement, places);
      // The last week once more, under another number.
      const from = addDays(days.to, -6);
      const before = booked(statement.lines.filter(({ date }) => date < from));
      const again = statementOf(account, own, { from, to: days.to }, opening + before, 100);
      if (account.format !== 'csv') await write(folder, `${month}-again`, again, places);
      opening += booked(statement.lines);
    }
  }
  return places;
}

function monthsOf(year: string): readonly string[] {
  return Array.from({ length: 12 }, (_, at) => `${year}-${String(at + 1).padStart(2, '0')}`);
}

function booked(lines: readonly Line[]): number {
  return lines.reduce((sum, { amount, isPending }) => sum + (isPending ? 0 : amount), 0);
}

function statementOf(
  account: OwnAccount,
  own: readonly Line[],
  { from, to }: { readonly from: string; readonly to: string },
  opening: number,
  number: number,
): Days {
  const lines = own
    .filter(({ date }) => from <= date && date <= to)
    .sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : a.number - b.number));
  return { account, from, to, lines, opening, number };
}

async function write(folder: string, name: string, days: Days, places: Places): Promise<void> {
  const { account, from } = days;
  const text = new Text();
  const month = Number(from.slice(5, 7));
  const at = ownAccounts.indexOf(account);
  const inner = `${account.number}-${name}`;
  if (account.format === 'camt') camt(days, month, text);
  else if (account.format === 'csv') csv(days, text);
  else mt940(days, text, at % 2 === 1);
  const suffix = { camt: 'xml', mt940: 'sta', csv: 'csv' }[account.format];
  const eol = account.format === 'mt940' ? '\r\n' : '\n';
  const whole = text.lines.join(eol);
  const file = join(folder, `${inner}.${suffix}`);
  // Some months come as archives.
  const isZipped = month % 4 === 1 && account.format !== 'mt940';
  const shown = isZipped ? `${folder}/${inner}.zip:${inner}.${suffix}` : file;
  if (isZipped) {
    const archive = zipSync({ [`${inner}.${suffix}`]: strToU8(whole) });
    await writeFile(join(folder, `${inner}.zip`), archive);
  } else {
    await writeFile(file, whole, account.format === 'camt' && month === 2 ? 'latin1' : 'utf8');
  }
  for (const [line, number] of text.places) places.set(`${shown}:${line}`, number);
}

function plain(minor: number, scale: number): string {
  return formatMinor(BigInt(Math.abs(minor)), scale);
}

/** With zeros before and behind, as some banks write amounts. */
function padded(minor: number, scale: number): string {
  const text = plain(minor, scale);
  return minor % 10 === 7 ? `000${text}${scale > 0 ? '00' : '.00'}` : text;
}

const direction = (minor: number) => (minor < 0 ? 'DBIT' : 'CRDT');

function xml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

function tag(name: string, text: string | undefined): readonly string[] {
  return text === undefined || text === '' ? [] : [`<${name}>${xml(text)}</${name}>`];
}

function camt(days: Days, month: number, text: Text): void {
  const { account, from, to, opening, lines, number } = days;
  const version = ['02', '03', '04', '06', '08', '10'][month % 6] ?? '02';
  // What repeats the last week is a report of the days in every second month.
  const isReport = number === 100 && month % 2 === 0;
  const [kind, message, one] = isReport
    ? ['052', 'BkToCstmrAcctRpt', 'Rpt']
    : ['053', 'BkToCstmrStmt', 'Stmt'];
  const { currency, scale } = account;
  const balance = (code: string, minor: number, day: string) => [
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>`,
    `<Amt Ccy="${currency}">${plain(minor, scale)}</Amt><CdtDbtInd>${direction(minor)}</CdtDbtInd>`,
    `<Dt><Dt>${day}</Dt></Dt></Bal>`,
  ];
  const isWrong = wrongTotals.account === account && from === `${wrongTotals.month}-01`;
  const closing = opening + booked(lines) + (isWrong ? 1 : 0);
  const encoding = month === 2 ? 'ISO-8859-1' : 'UTF-8';
  text.add(
    `<?xml version="1.0" encoding="${encoding}"?>`,
    `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.${kind}.001.${version}">`,
    `<${message}><GrpHdr><MsgId>M${from}</MsgId><CreDtTm>${to}T22:00:00</CreDtTm></GrpHdr>`,
    `<${one}><Id>${number}</Id><ElctrncSeqNb>${number}</ElctrncSeqNb><CreDtTm>${to}T22:00:00</CreDtTm>`,
    `<FrToDt><FrDtTm>${from}T00:00:00</FrDtTm><ToDtTm>${to}T23:59:59</ToDtTm></FrToDt>`,
    `<Acct><Id><IBAN>${account.number}</IBAN></Id><Ccy>${currency}</Ccy></Acct>`,
    ...(isReport ? [] : [...balance('OPBD', opening, from), ...balance('CLBD', closing, to)]),
  );
  for (const line of lines) camtEntry(line, version, text);
  text.add(`</${one}></${message}></Document>`);
}

function camtEntry(line: Line, version: string, text: Text): void {
  const { account, amount, date, parts, payments, isPending, isReversal, bankReference, batchId } =
    line;
  const isNew = Number(version) >= 8;
  const status = isPending ? 'PDNG' : 'BOOK';
  text.mark(line);
  text.add(
    '<Ntry>',
    `<Amt Ccy="${line.currency}">${padded(amount, account.scale)}</Amt>`,
    `<CdtDbtInd>${direction(amount)}</CdtDbtInd>`,
    ...(isReversal ? ['<RvslInd>true</RvslInd>'] : []),
    isNew ? `<Sts><Cd>${status}</Cd></Sts>` : `<Sts>${status}</Sts>`,
    `<BookgDt><Dt>${date}</Dt></BookgDt><ValDt><DtTm>${date}T00:00:00</DtTm></ValDt>`,
    ...tag('AcctSvcrRef', bankReference),
    '<NtryDtls>',
  );
  if (parts.length > 0) text.add(`<Btch><NbOfTxs>${payments}</NbOfTxs></Btch>`);
  if (batchId)
    text.add('<Btch>', ...tag('PmtInfId', `${batchId}  `), '<NbOfTxs>3</NbOfTxs></Btch>');
  for (const part of parts.length > 0 ? parts : [line]) camtPayment(line, part, version, text);
  text.add('</NtryDtls>', '</Ntry>');
}

function camtPayment(line: Line, part: Told, version: string, text: Text): void {
  const { account, name, payer, returnReason, amount: whole } = line;
  const isNew = Number(version) >= 8;
  const party = isNew ? `<Pty><Nm>${xml(name)}</Nm></Pty>` : `<Nm>${xml(name)}</Nm>`;
  const [side, sideAccount] = whole < 0 ? ['Cdtr', 'CdtrAcct'] : ['Dbtr', 'DbtrAcct'];
  const own =
    part.amount === undefined
      ? []
      : [`<Amt Ccy="${line.currency}">${plain(part.amount, account.scale)}</Amt>`];
  const money =
    version === '02' ? own.map((one) => `<AmtDtls><TxAmt>${one}</TxAmt></AmtDtls>`) : own;
  text.add(
    '<TxDtls>',
    '<Refs>',
    ...tag('InstrId', part.reference),
    ...tag('PmtInfId', part.paymentInformationId),
    ...tag('EndToEndId', part.endToEndId ?? 'NOTPROVIDED'),
    '</Refs>',
    ...money,
    ...(version === '02' ? [] : [`<CdtDbtInd>${direction(part.amount ?? whole)}</CdtDbtInd>`]),
    ...(payer || name
      ? [
          `<RltdPties>${name ? `<${side}>${party}</${side}>` : ''}`,
          payer ? `<${sideAccount}><Id><IBAN>${payer}</IBAN></Id></${sideAccount}>` : '',
          '</RltdPties>',
        ]
      : []),
    ...(part.texts.length > 0
      ? [`<RmtInf>${part.texts.flatMap((one) => tag('Ustrd', one)).join('')}</RmtInf>`]
      : []),
    ...(returnReason ? [`<RtrInf><Rsn><Cd>${returnReason}</Cd></Rsn></RtrInf>`] : []),
    '</TxDtls>',
  );
}

function csv({ lines }: Days, text: Text): void {
  const { booked: _, ...columns } = { booked: '', ...csvMapping };
  text.add(
    [
      ...[columns.date, columns.amount, columns.currency, columns.account, ...columns.texts],
      ...[...columns.references, columns.bank_reference, columns.end_to_end_id],
      ...[columns.name, columns.counterparty],
    ].join(';'),
  );
  for (const line of lines) {
    const { account, amount, date, texts, bankReference, name, payer, currency } = line;
    const [year, month, day] = date.split('-');
    const sign = amount < 0 ? '-' : '';
    text.mark(line);
    const [first = '', second = ''] = texts;
    text.add(
      [
        ...[`${day}.${month}.${year}`, `${sign}${plain(amount, account.scale).replace('.', ',')}`],
        ...[currency, account.number, first, second, line.reference ?? '', bankReference],
        ...[line.endToEndId ?? '', name, payer],
      ].join(';'),
    );
  }
}

function mt940(days: Days, text: Text, isStructured: boolean): void {
  const { account, from, to, opening, lines, number } = days;
  const short = (day: string) => day.slice(2).replaceAll('-', '');
  const balance = (minor: number, day: string) =>
    `${minor < 0 ? 'D' : 'C'}${short(day)}${account.currency}${comma(minor, account.scale)}`;
  text.add(
    `:20:STARTUMSE${number}`,
    `:25:${account.number}`,
    `:28C:${number}/1`,
    `:60F:${balance(opening, addDays(from, -1))}`,
  );
  for (const line of lines) {
    const { amount, date, isReversal, bankReference, reference } = line;
    const mark = isReversal ? (amount < 0 ? 'RC' : 'RD') : amount < 0 ? 'D' : 'C';
    const own = (reference ?? 'NONREF').slice(0, 16);
    const tail = bankReference ? `//${bankReference}` : '';
    text.mark(line);
    text.add(
      `:61:${short(date)}${date.slice(5).replace('-', '')}${mark}${comma(amount, account.scale)}NTRF${own}${tail}`,
      ...(isStructured ? structured(line) : labelled(line)),
    );
  }
  text.add(`:62F:${balance(opening + booked(lines), to)}`, '-');
}

function comma(minor: number, scale: number): string {
  const text = plain(minor, scale).replace('.', ',');
  return text.includes(',') ? text : `${text},`;
}

/** `:86:` in subfields of 27 characters, in lines of 65. */
function structured(line: Line): readonly string[] {
  const { endToEndId, reference, texts, name, payer, returnReason } = line;
  const said = [
    ...(endToEndId ? [`EREF+${endToEndId}`] : []),
    ...(reference ? [`KREF+${reference}`] : []),
    ...(texts.length > 0 ? [`SVWZ+${texts[0]}`] : []),
    ...(returnReason ? [`SVWZ+RETURN ${returnReason}`] : []),
  ];
  // The pieces of a text each begin a subfield.
  const pieces = [
    ...said.flatMap((one) => cutAt(one, 27)),
    ...texts.slice(1).flatMap((one) => cutAt(one, 27)),
  ];
  const fields = pieces.slice(0, 10).map((piece, at) => `?${20 + at}${piece}`);
  const other = [payer ? `?31${payer}` : '', name ? `?32${name.slice(0, 27)}` : ''];
  return cutAt(`:86:166?00GUTSCHRIFT${[...fields, ...other].join('')}`, 65);
}

/** `:86:` with words between slashes, in lines of 65. */
function labelled(line: Line): readonly string[] {
  const { endToEndId, reference, texts, name, payer, returnReason } = line;
  const said = [
    ...(endToEndId ? [`/EREF/${endToEndId}`] : []),
    ...(reference ? [`/PREF/${reference}`] : []),
    ...(payer ? [`/IBAN/${payer}`] : []),
    ...(name ? [`/NAME/${name}`] : []),
    ...(texts.length > 0 ? [`/REMI/USTD//${texts.join('')}`] : []),
    ...(returnReason ? [`/RTRN/${returnReason}`] : []),
  ];
  return cutAt(`:86:${said.join('')}/`, 65);
}

function cutAt(text: string, size: number): readonly string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
    text.slice(at * size, (at + 1) * size),
  );
}
