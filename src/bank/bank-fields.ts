import { columnOf } from '../mapping/columns.ts';

/** Keys of `bank_csv` with the names of their columns in the files of banks, in six languages. */
export const bankFields = {
  currency: columnOf(
    'currency',
    '((account|transaction|booking|payment) )?currency( code)?|(buchungs|konto)?(wahrung|waehrung)|devise|moneda|divisa|valuta|valuta rekening|devies|valutacode|munt',
  ),
  date: columnOf(
    'date',
    'buchungs?(tag|datum)?|datum (verrekening|boeking)|booking date|posting date|posted( (date|on))?|date posted|completed( date)?|date completed( utc)?|booked (at|on)|settlement date( utc| local)?|date (de )?(comptabilisation|comptable)|fecha (contable|de contabilizacion|de registro)|data (contabile|registrazione|di contabilizzazione)|boek(ings)?datum|(entry|accounting) date',
    '(date|datum) (de )?(l |d )?(operation|transactie|verrichting)|operation date|date ?op|(fecha|f) operativa|(fecha|f) (de )?(la )?operacion|data (dell )?operazione|transaction date|date of transaction|transactiedatum|transaktionsdatum|umsatzdatum|uitvoeringsdatum|date (processed|utc|completed .*)|created( ?(at|on))?',
    'date|datum|fecha|data|tag',
  ),
  value_date: columnOf(
    'date',
    'valuta( ?datum)?|wertstellung(s ?datum)?( valuta)?|wert|valuedate|value ?date|date (de )?valeur|valeur|(fecha|f) (de )?valor|valor|data valuta|rentedatum|interest date|date ?val|valuta date',
  ),
  amount: columnOf(
    'amount',
    '(buchungs)?betrag|umsatz|(transaction )?amount|montant( de l operation)?|importe( (de la )?operacion)?|importo|bedrag|betrag in kontowahrung|value|mutatie|suma|(total|credit debit) amount( incl vat)?',
  ),
  debit: columnOf(
    'amount',
    'soll|debit( amount)?s?|belastung(en)?|lastschrift(en)?|withdrawals?( amount)?|withdrawn|(money|paid|payments?) out|out(flow)?|cargos?|debe|addebit[oi]|dare|uscit[ae]|debet|af|ausgang|ausgaben|depenses?|gastos',
  ),
  credit: columnOf(
    'amount',
    'haben|credit( amount)?s?|gutschrift(en)?|deposits?( amount)?|(money|paid|payments?) in|in(flow)?|abonos?|haber|accredit[oi]|avere|entrat[ae]|bij|eingang|einnahmen|recettes?|ingresos?',
  ),
  direction: columnOf(
    'words',
    'soll haben|(s h|sh)( kennzeichen)?|debit credit( indicator)?|(d c|dc|c d|cd|cr dr|dr cr|af bij)|credit ?debet|debet ?credit|credit ?debit( indicator)?|sens|direction|vorzeichen|(transaction )?type|tipo( movimiento)?|dare avere|debe haber',
  ),
  balance: columnOf(
    'amount',
    'saldo( (nach buchung|na (trn|mutatie|boeking|transactie)|contabile|progressivo|posterior|disponible))?|(running |account ?|current |new |ledger )?bal(ance)?( after( transaction)?)?|kontostand( nach buchung)?|(nouveau )?solde( apres operation)?',
  ),
  fee: columnOf('amount', 'fees?( amount)?|gebuhr(en)?|frais|comision(es)?|commission[ei]?|kosten'),
  account: columnOf(
    'own',
    'iban (auftrags?konto|auftraggeberkonto|kontoinhaber)|(own|my) iban',
    'auftrags?konto|auftraggeberkonto|eigenes konto|((own|my|your|account|international) )?account( ?(number|num|no|id|iban))?|account iban|(numero|n) (de )?(compte|cuenta)|compte|cuenta|(numero )?conto( corrente| o carta)?|(eigen )?rekening(nummer)?|iban bban',
    '(iban )?kontonummer( iban)?|konto|iban',
  ),
  counterparty: columnOf(
    'account',
    '(iban|kontonummer|konto|konto ?nr)( iban)?( ?(des |der )?(zahlungsbeteiligte[rn]?|empfanger[s]?|auftraggeber[s]?|gegenseite|partner|begunstigte[rn]?))|gegenkonto( iban)?|(iban )?gegenkonto|counterparty( (account|iban)( number)?)?|counteraccount( number)?|tegenrekening( iban bban|nummer)?|rekening(nummer)? tegenpartij|partner iban|(payee|recipient|beneficiary) (account|iban)( number)?|compte (de la )?contrepartie|cuenta (contraparte|beneficiario|destino|origen)|iban (beneficiario|controparte|ordinante)',
    '(iban )?kontonummer( iban)?|iban|(bank )?account( number)?',
  ),
  end_to_end_id: columnOf(
    'text',
    '(kundenreferenz |sepa )?end ?to ?end( ?(id|reference|referenz|ref))?|e2e( ?(id|referenz))?',
  ),
  bank_reference: columnOf(
    'unique',
    'bank ?referenz|bank reference|(transaction|transaktions?|transactie|movement|buchungs) ?(id|nummer|referenz|reference( number)?)|(numero d |n )?operation( number)?|id|volgnr|(numero|num) movimiento',
  ),
  references: columnOf(
    'texts',
    '(kunden|mandats|sammler)?referenz|(customer|payment|mandate|transaction|sender s|your|my)? ?ref(erence)?|reference [12]|referencia( [12])?|riferimento|referentie|(betalings|transactie)(kenmerk|referentie)|kenmerk',
  ),
  status: columnOf(
    'words',
    'status|state|info|stato|estado|statut|buchungsstatus|transaction status|contabilizzazione',
  ),
  name: columnOf(
    'text',
    'beguenstigter zahlungspflichtiger|begunstigter zahlungspflichtiger|(name )?(zahlungsbeteiligte[rn]?|gegenkonto|gegenseite)|auftraggeber (begunstigter|empfanger|zahlungsempfanger)|empfanger( auftraggeber)?|zahlungs(empfanger|pflichtiger?)|(counterparty|counteraccount|partner|payee|recipient|merchant|beneficiary) ?name|name (of )?(counterparty|payee)|payee|counterparty|naam (tegenpartij|omschrijving)|tegenrekening(houder)|nom (de la )?(contrepartie|du tiers)|tiers|contrepartie|beneficiaire|(nombre )?(beneficiario|ordenante)( ordenante)?|controparte|ordinante( beneficiario)?|merchant|empfanger name',
    'name|naam|nom|nombre|nome',
    'auftraggeber|begunstigter',
  ),
  texts: columnOf(
    'texts',
    '(verwendungs)?zweck( ?\\d+)?|(buchungs|umsatz)?text( ?\\d)?|beschreibung( ?\\d)?|zahlungs(grund|referenz)|mitteilung|(transaction )?(description|details?)( ?\\d)?|memo|narrative( ?#? ?\\d)?|particulars|notes?|message|label|libelle.*|detail|informations complementaires|motif|communication|concepto.*|descripcion|observaciones|causale|descrizione.*|dettagli|operazione|(betaling)?omschrijving( ?\\d)?|mededelingen|((vrije|gestructureerde) )?mededeling|payment (details|purpose)|remittance.*|transaktionsbeschreibung.*|betreff|subject',
  ),
};

export type BankField = keyof typeof bankFields;
