import { columnOf } from '../mapping/columns.ts';

/** Keys of `settlements_csv` with the names of their columns in the reports of providers. */
export const lineFields = {
  currency: columnOf(
    'currency',
    '(settlement|payout|net|holding|balance|posting) currency( code)?',
    'currency( code)?|wahrung|devise|moneda|divisa|valuta',
  ),
  payout: columnOf(
    'text',
    '(automatic )?payouts? ?(id|number|reference|no)|settlement (id|number|reference|no)|batch( (id|number|no))?|payment reference|transfer (id|reference|number)|deposit (id|number)',
    'payout|settlement|payout date|settlement date|deposit date',
  ),
  account: columnOf(
    'text',
    'merchant account( code)?|(client )?entity id|creditors? id|merchant id',
    'account( id)?|merchant',
  ),
  date: columnOf(
    'date',
    '(transaction|processed|processing|created|creation|booking|posting|capture|sale|action)( ?(date|at|on|time))*( and time)?( utc)?|resources created at',
    'date( and time)?( utc)?|timestamp|datum|fecha|data',
  ),
  type: columnOf(
    'words',
    'reporting category|breakdown type|row type|(transaction|resources?|line|record|journal|detailed|entry) type|type|typ|tipo',
  ),
  net: columnOf(
    'amount',
    'net( (amount|total))?( nc)?|amount net|netto(betrag)?|settlement (net )?amount|holding currency amount',
    '(holding|balance)? ?amount( in (settlement|holding|payout) currency)?|betrag|montant|importe|importo|bedrag',
  ),
  net_debit: columnOf('amount', 'net debit( nc)?', 'debit'),
  net_credit: columnOf('amount', 'net credit( nc)?', 'credit'),
  gross: columnOf(
    'amount',
    'gross( amount)?|amount gross|brutto(betrag)?|transaction amount',
    'amount|betrag|montant|importe|importo|bedrag',
  ),
  fees: columnOf(
    'amounts',
    '(?!total)(.* )?(fees?|commission|markup|interchange)( amount)?( nc)?|gebuhr(en)?|frais|comision(es)?|commissioni?|kosten',
  ),
  tax: columnOf('amount', '(?!total)(.* )?(tax|vat|gst)( amount)?( on fees)?|mwst|ust|tva|iva|btw'),
  id: columnOf(
    'text',
    'balance transaction id|modification reference|(action|line|entry|item|movement|posting) (id|reference)',
    '(transaction|payments?|capture) ?(id|reference)|id',
  ),
  order: columnOf(
    'text',
    'merchant (order )?(reference|ref|order id)( ?1)?|order( ?(id|number|no|reference|ref))?|(shop|merchant) order (id|number)|payment metadata order id|resources reference',
    'reference',
  ),
  charge: columnOf('text', '(psp|payment) reference|(charge|payments?|payment intent) ?id'),
  method: columnOf('words', 'payment method( (type|name))?|method|card (brand|scheme|type)'),
  status: columnOf('words', '(payout|settlement) status'),
  note: columnOf('text', '(resources )?description|note|remark|memo'),
};

export type LineField = keyof typeof lineFields;

/** Keys of its table `payouts`, likewise. */
export const payoutFields = {
  currency: columnOf(
    'currency',
    '(payout|settlement|holding) currency( code)?',
    'currency( code)?|wahrung|devise|moneda|divisa|valuta',
  ),
  payout: columnOf(
    'text',
    'payouts? ?(id|number|no)|settlement (id|number|no|reference)|batch( (id|number))?|transfer id|deposit (id|number)|payment reference',
    'id',
    '(payout )?reference',
    'payout date|settlement date',
  ),
  account: columnOf(
    'text',
    'merchant account( code)?|(client )?entity id|(creditors?|links creditor|merchant)( id)?',
  ),
  date: columnOf(
    'date',
    '(payout|payment|settlement|transfer|deposit|arrival|effective)( ?(date|at|on))+( utc)?|paid (at|on|out on)',
    '(created|creation)( ?(at|on|date))?( utc)?|date( utc)?|datum|fecha|data',
  ),
  paid: columnOf(
    'amount',
    '(payout|settlement|transfer|deposit) (net )?(amount|total)|net( (amount|total))?( amount)?|amount paid( out)?|total settlement amount',
    'amount|total|betrag|montant|importe|importo|bedrag',
  ),
  reference: columnOf('text', '(payout |bank |statement )?reference|statement descriptor|trace id'),
};

export type PayoutField = keyof typeof payoutFields;
