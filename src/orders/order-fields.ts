import { columnOf } from '../mapping/columns.ts';

/** Keys of `orders_csv` with the names of their columns in the exports of shops, in six languages. */
export const orderFields = {
  currency: columnOf(
    'currency',
    '(order )?currency( code| iso)?|(wahrung|waehrung)(scode)?|devise|moneda|divisa|valuta|munt',
  ),
  order: columnOf(
    'reference',
    'order( ?(#|no|nr|number|nummer|ref|reference|code))?|#|(bestell|auftrags) ?(nummer|nr)|bestellung|increment id|(numero|n|no) ?(de |d |della? |del )?(la )?(commande|pedido|ordine)|(commande|pedido|ordine) ?(n|no|numero)?|bestel(ling)?(nummer|nr)?',
    '(shop |merchant )?(order |sale )?reference( number)?|display id|ref|referenz|referencia|riferimento|referentie|receipt (number|no)',
    'order ?(name|id)( metadata)?|id (order|commande|pedido|ordine)|sale id|(bestell|auftrags) ?id',
    'id|invoice (number|no)|rechnungsnummer|numero (de )?(facture|factura|fattura)|factuurnummer',
  ),
  total: columnOf(
    'amount',
    'order total( (inc|incl|including) (tax|vat))?|(order )?grand total( purchased)?|(order )?total (paid|charged|(tax )?incl|ttc|amount|price|con iva)( tax incl)?|gesamt(betrag|summe|preis)( brutto| inkl mwst)?|bestell(wert|summe)|auftragssumme|endbetrag|rechnungsbetrag|invoice (total|amount)|(montant|total) (total|ttc|(de la )?commande)( ttc)?|(importe|total) (total|(del )?pedido)|total[e]? (dell?)? ?ordine|importo totale|totaalbedrag|totaal( incl btw)?|amount (total|paid|charged)',
    'total|gesamt|summe|totale|total price',
    'amount|betrag|montant|importe|importo|bedrag|brutto(betrag)?|gross( amount)?',
  ),
  date: columnOf(
    'date',
    'order( ?(date|time|created|placed))( at| on)?( (and )?time)?( utc)?|sale date|date (sold|ordered|placed)|purchase date|bestell(datum|t am|zeit(punkt)?)|auftragsdatum|date (de )?(la )?commande|fecha (del? )?pedido|data (dell? )?ordine|besteldatum',
    'created?( ?(at|on|date|time))?( utc)?|(creation date|date (created|creation|add))( utc)?|erstellt( am)?|erstelldatum|date de creation|fecha de creacion|data (di )?creazione|aangemaakt( op)?',
    '(transaction |payment )?date( and time| time)?( utc)?|datum|fecha|data',
  ),
  paid_at: columnOf(
    'date',
    'paid ?(at|on|date)( date)?( utc)?|date paid|payment date|bezahlt am|zahlungsdatum|date (de|du) (paiement|reglement)|fecha (de|del) pago|data (di |del )?pagamento|betaald op|betaaldatum',
  ),
  method: columnOf(
    'words',
    'payment (method|gateway|processor)s?|gateway|zahlungs ?(art|weise|methode|mittel)|(mode|moyen) de (paiement|reglement)|(metodo|forma|modalita) (de|di) (pago|pagamento)|betaal ?(methode|wijze)|betalingsmethode',
    'payment method (name|title|id|code)|payment (provider|mean|type|option)s?|paid (with|by|via)|payment|paiement|pago|pagamento|zahlung|method|tender( type)?',
  ),
  status: columnOf(
    'words',
    '(financial|payment|paid) ?(status|state)|zahlungsstatus|statut (du |de )?paiement|estado (del |de )?pago|stato (del )?pagamento|betaalstatus',
    '(order )?(status|state)|(bestell|auftrags)status|etat|statut|(estado|stato)( (del pedido|ordine))?',
  ),
  cancelled_at: columnOf(
    'date',
    'cancell?ed ?(at|on|date)|(date cancell?ed|cancell?ation date)|storniert am|stornodatum|date d annulation|fecha de cancelacion|data (di )?annullamento|geannuleerd op',
  ),
  refunded: columnOf(
    'amount',
    '(order )?(total )?(amount )?refund(ed)? ?(amount|total)?|refund(ed)? amount|amount refunded|total refund(ed|s)|erstattet(e[rs]? (betrag|summe))?|erstattungs(betrag|summe)|ruckerstattung|(montant )?rembourse|(importe )?(reembolsado|devuelto)|(importo )?rimborsato|(bedrag )?terugbetaald( bedrag)?',
  ),
  refund_date: columnOf(
    'date',
    'refund(ed)? (at|on|date)( utc)?|date refunded|erstattet am|erstattungsdatum|date de remboursement|fecha de reembolso|data (del )?rimborso|terugbetaald op',
  ),
  not_due: columnOf(
    'amounts',
    'outstanding balance|(gift ?cards?|gift certificates?|store credit|vouchers?)( (amount|total|used|redeemed))*|(geschenk)?gutschein(betrag|wert|e)?|(carte|cheque) cadeau|bon d achat|(tarjeta|buono|vale) regalo|cadeau(bon|kaart)',
  ),
  kind: columnOf(
    'words',
    '(order |transaction |payment |document |line )?(type|kind)|typ|art|tipo|soort',
  ),
  charge: columnOf(
    'uuid',
    'charge( id)?|(payment|transaction) ?(id|reference|number)|psp reference|transaktions(id|nummer)|id (de )?trans(accion|azione)|transactie id',
  ),
};

export type OrderField = keyof typeof orderFields;
