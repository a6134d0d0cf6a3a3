/**
 * ISO 4217, list one as SIX publishes it: as of 2024-06-25 (amendment 179; in npm currency-codes
 * 2.2.0) and as of 2026-02-01 (in github.com/datasets/currency-codes). A code of either is here, so
 * that money of yesterday is known too. Codes without minor units (XAU, XDR, XXX ...) are not.
 */
const codes: readonly (readonly [minorUnits: number, codes: string])[] = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [
    2,
    `AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN
    BZD CAD CDF CHE CHF CHW CNY COP COU CRC CUC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP
    GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK
    LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK
    NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP
    STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD XCG
    YER ZAR ZMW ZWG`,
  ],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
];

const byCode: ReadonlyMap<string, number> = new Map(
  codes.flatMap(([minorUnits, list]) =>
    list.split(/\s+/).map((code) => [code, minorUnits] as const),
  ),
);

/**
 * How many decimal places ISO 4217 gives a currency; undefined for a code that it doesn't have, or
 * that has none. To warn with: what an amount means, only the service's `decimalPlaces` says (doc
 * 2.1).
 */
export function minorUnitsOf(currency: string): number | undefined {
  return byCode.get(currency);
}
