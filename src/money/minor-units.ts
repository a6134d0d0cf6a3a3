/**
 * ISO 4217, list one by SIX, of 2024-06-25 (amendment 179; npm currency-codes 2.2.0) and of 2026-02-01
 * (github.com/datasets/currency-codes), without codes that have no minor units (XAU, XDR, XXX ...).
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

/** The decimal places of a currency by ISO 4217; only for warnings (doc 2.1). */
export function minorUnitsOf(currency: string): number | undefined {
  return byCode.get(currency);
}
