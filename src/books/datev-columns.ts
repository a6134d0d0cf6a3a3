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
export const datevColumns = headings
  .split(';')
  .map((heading) => ({ heading: heading.replace(/^\*/, ''), isText: heading.startsWith('*') }));
