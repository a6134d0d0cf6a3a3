import { ReconError } from '../base/errors.ts';
import { encodeWindows1252 } from '../base/texts.ts';
import { uuidInText } from '../base/uuid.ts';
import type { DatevMapping } from '../model/account-mapping.ts';
import type { JournalEntry, Posting } from '../model/journal-entry.ts';
import type { DateRange } from '../model/source.ts';
import { formatMinor, magnitude, rescale } from '../money/money.ts';
import type { AccountForm } from './accounts.ts';
import { type JournalFile, oneLine } from './journal-file.ts';

/** Numbers of up to 8 digits, or of 9 for customers and suppliers. */
export const datevAccounts: AccountForm = {
  pattern: /^(?!0+$)\d{1,9}$/,
  says: 'a DATEV account number of up to 9 digits',
};

const mostRows = 99_999;
const scale = 2;
const mostDigits = 10;

/**
 * A journal as DATEV imports it: a batch of entries (EXTF 700, format 21, version 13), in windows-1252.
 * It takes one fiscal year at a time, and the year of a date is that of the batch. Throws ReconError
 * if the range or an amount does not fit.
 */
export function* datevText(file: JournalFile): Generator<Uint8Array> {
  const { entries, range, mapping } = file;
  const { datev } = mapping;
  if (!datev) {
    throw new ReconError('configuration', 'The DATEV adviser and client are not set.', {
      where: 'books',
      hint: 'Set adviser and client under [profiles.NAME.books.datev]. To see an example, run: recon journal --init --for datev',
    });
  }
  const rows = entries.flatMap((entry) =>
    pairsOf(entry.postings, datev.tax_keys).map((pair) => ({ entry, ...pair })),
  );
  if (rows.length > mostRows) {
    throw new ReconError('usage', 'A DATEV file holds 99,999 rows at most.', {
      hint: 'Use a shorter range, or --per day.',
    });
  }
  const line = (fields: readonly string[]) => encodeWindows1252(`${fields.join(';')}\r\n`);
  yield line(headerFields(range, datev));
  yield line(datevColumns.map(({ heading }) => heading));
  for (const { entry, posting, against } of rows) {
    yield line(rowFields(entry, posting, { against, datev }));
  }
}

function headerFields(range: DateRange, datev: DatevMapping): readonly string[] {
  const { adviser, client, account_length, currency, chart = '', locked } = datev;
  const [from, to, yearStart] = [range.from, range.to, fiscalYear(range, datev)].map(compact);
  const label = text(`Settlements ${written(range.from).slice(0, 6)}-${written(range.to)}`, 30);
  return [
    ...['"EXTF"', '700', '21', '"Buchungsstapel"', '13'],
    // As time of creation the last day, so the same journal gives the same bytes.
    ...[`${to}000000000`, '', '""', '"recon"', '""'],
    ...[`${adviser}`, `${client}`, `${yearStart}`, `${account_length}`, `${from}`, `${to}`],
    ...[label, '""', '1', '0', locked ? '1' : '0', text(currency), '', '""', '', ''],
    ...[text(chart), '', '', '""', '""'],
  ];
}

function fiscalYear({ from, to }: DateRange, { year_start }: DatevMapping): string {
  const year = Number(from.slice(0, 4));
  const starts = [year - 1, year, year + 1].map((one) => `${one}-${year_start}`);
  const start = starts.findLast((day) => day <= from) ?? '';
  const next = starts.find((day) => day > from);
  if (from.slice(0, 4) === to.slice(0, 4) && (next === undefined || to < next)) return start;
  throw new ReconError('usage', 'A DATEV file holds days of one calendar and fiscal year.', {
    where: `${from} to ${to}`,
    hint: `Write one file for each year (the fiscal year starts on ${year_start}).`,
  });
}

/**
 * An entry in pairs of accounts: each posting, and the account that it is booked against. This is one account
 * for all: that of the only posting on its side, or else of the first posting, if possible without a tax key,
 * since a key is lost there. An entry comes to zero, so the pairs give its amounts on every account.
 */
export function pairsOf(postings: readonly Posting[], taxKeys: DatevMapping['tax_keys'] = {}) {
  const sides = [
    postings.filter(({ minor }) => minor < 0n),
    postings.filter(({ minor }) => minor > 0n),
  ];
  const alone = sides.flatMap((side) => (side.length === 1 ? side : []));
  const candidates = [...alone, ...postings];
  const hub = candidates.find(({ purpose }) => !taxKeys[purpose]) ?? candidates[0];
  return postings
    .filter(({ account }) => account !== hub?.account)
    .map((posting) => ({ posting, against: hub?.account ?? '' }));
}

function rowFields(
  entry: JournalEntry,
  posting: Posting,
  { against, datev }: { readonly against: string; readonly datev: DatevMapping },
): readonly string[] {
  const { id, date, bookingDate, currency, settlementIds, isPending, reverses } = entry;
  const [, leftOut = ''] = entry.text.split(/(?=Not booked: )/);
  // The format marks neither. With its field for reversals, DATEV would swap the sides again.
  const mark = reverses !== undefined ? 'Reversal: ' : isPending ? 'Pending: ' : '';
  const { account, minor, purpose } = posting;
  const reference = posting.settlementId || (settlementIds.length === 1 ? settlementIds[0] : id);
  const [, month, day] = date.split('-');
  const ofDay = date === bookingDate ? '' : bookingDate.split('-').reverse().join('');
  for (const one of [account, against]) requireLength(one, datev);
  const values: Readonly<Record<number, string>> = {
    1: amountText(entry, minor),
    2: minor > 0n ? 'S' : 'H',
    3: currency,
    7: account,
    8: against,
    9: datev.tax_keys?.[purpose] ?? '',
    10: `${day}${month}`,
    11: (reference ?? '').replace(/[^\w$&%*+/-]/g, '').slice(0, 36),
    14: shortText(`${mark}${entry.text}`),
    48: 'recon',
    49: id,
    50: posting.transactionId && 'transaction',
    51: posting.transactionId,
    52: leftOut && 'left out',
    53: leftOut,
    // Empty, it would lock the whole batch.
    114: datev.locked ? '1' : '0',
    115: ofDay,
  };
  return datevColumns.map(({ isText }, at) => {
    const value = values[at + 1] ?? '';
    return isText ? text(value, 210) : value;
  });
}

const mostText = 60;
const idsInText = new RegExp(` ${uuidInText.source}`, 'gi');

/** A text that fits: the ids in it stand in fields of their own, so what is beside them is kept. */
function shortText(text: string): string {
  if (text.length <= mostText) return text;
  return text.replaceAll(idsInText, '').slice(0, mostText);
}

/** Accounts of customers and suppliers have one digit more than the others. */
function requireLength(account: string, { account_length: digits }: DatevMapping): void {
  if (account.length <= digits + 1) return;
  const message = `The account ${account} is too long: accounts have ${digits} digits, those of customers ${digits + 1}.`;
  throw new ReconError('configuration', message, {
    where: 'books',
    hint: 'Correct the account, or account_length under [profiles.NAME.books.datev].',
  });
}

/** Always positive, with two decimals. */
function amountText({ settlementIds, scale: from, currency }: JournalEntry, minor: bigint): string {
  const factor = 10n ** BigInt(Math.max(0, from - scale));
  const at2 = from > scale ? magnitude(minor) / factor : rescale(magnitude(minor), from, scale);
  const digits = formatMinor(at2, scale);
  if (minor % factor === 0n && digits.length <= mostDigits + 1 + scale)
    return digits.replace('.', ',');
  throw new ReconError('usage', `DATEV cannot hold ${formatMinor(minor, from)} ${currency}.`, {
    where: `settlement ${settlementIds[0]}`,
    hint: 'DATEV amounts have two decimals, and up to 10 digits before them. Use another format.',
  });
}

function text(value: string, longest = Number.POSITIVE_INFINITY): string {
  return `"${oneLine(value).slice(0, longest).replaceAll('"', '""')}"`;
}

const compact = (day: string): string => day.replaceAll('-', '');

/** 31.03.2026 */
const written = (day: string): string => day.split('-').reverse().join('.');

/** Kinds of information, each in two columns. The headings of the second kind lack a blank. */
function pairs(count: number, name: string, blank: string): string {
  return Array.from(
    { length: count },
    (_, at) => `*${name} - Art ${at + 1};*${name}${blank}- Inhalt ${at + 1}`,
  ).join(';');
}

/** The headings of format 21, version 13, in their order; those of texts have a star. */
const headings = [
  'Umsatz (ohne Soll/Haben-Kz);*Soll/Haben-Kennzeichen;*WKZ Umsatz;Kurs;Basis-Umsatz;*WKZ Basis-Umsatz',
  'Konto;Gegenkonto (ohne BU-Schlüssel);*BU-Schlüssel;Belegdatum;*Belegfeld 1;*Belegfeld 2;Skonto',
  '*Buchungstext;Postensperre;*Diverse Adressnummer;Geschäftspartnerbank;Sachverhalt;Zinssperre',
  '*Beleglink',
  pairs(8, 'Beleginfo', ' '),
  '*KOST1 - Kostenstelle;*KOST2 - Kostenstelle;Kost-Menge;*EU-Land u. UStID (Bestimmung)',
  'EU-Steuersatz (Bestimmung);*Abw. Versteuerungsart;Sachverhalt L+L;Funktionsergänzung L+L',
  'BU 49 Hauptfunktionstyp;BU 49 Hauptfunktionsnummer;BU 49 Funktionsergänzung',
  pairs(20, 'Zusatzinformation', ''),
  'Stück;Gewicht;Zahlweise;*Forderungsart;Veranlagungsjahr;Zugeordnete Fälligkeit;Skontotyp',
  '*Auftragsnummer;*Buchungstyp;USt-Schlüssel (Anzahlungen);*EU-Land (Anzahlungen)',
  'Sachverhalt L+L (Anzahlungen);EU-Steuersatz (Anzahlungen);Erlöskonto (Anzahlungen);*Herkunft-Kz',
  '*Buchungs GUID;KOST-Datum;*SEPA-Mandatsreferenz;Skontosperre;*Gesellschaftername',
  'Beteiligtennummer;*Identifikationsnummer;*Zeichnernummer;Postensperre bis',
  '*Bezeichnung SoBil-Sachverhalt;Kennzeichen SoBil-Buchung;Festschreibung;Leistungsdatum',
  'Datum Zuord. Steuerperiode;Fälligkeit;*Generalumkehr (GU);Steuersatz;*Land',
  '*Abrechnungsreferenz;BVV-Position;*EU-Land u. UStID (Ursprung);EU-Steuersatz (Ursprung)',
  'Abw. Skontokonto',
].join(';');

/** The 125 columns of a batch of entries: the heading of each, and whether it holds text. */
const datevColumns = headings
  .split(';')
  .map((heading) => ({ heading: heading.replace(/^\*/, ''), isText: heading.startsWith('*') }));
