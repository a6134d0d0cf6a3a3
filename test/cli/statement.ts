import { writeFile } from 'node:fs/promises';

/**
 * An entry of a bank statement in March 2026, in euros: what it says of the payment, how much came in, and what
 * the bank says it charged.
 */
export type Booked = readonly [day: number, id: string, cents: number, charge?: number];

const dayOf = (day: number) => `2026-03-${String(day).padStart(2, '0')}`;
const euros = (cents: number) =>
  `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;

/** Writes a camt.053 statement that covers days of March 2026 and adds up. Balances are cents. */
export async function writeStatement(
  path: string,
  [from, to]: readonly [number, number],
  booked: readonly Booked[],
  opening = 0,
): Promise<void> {
  const closing = booked.reduce((total, [, , cents]) => total + cents, opening);
  const balance = (code: string, day: number, cents: number) =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${euros(cents)}</Amt>` +
    `<CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>${dayOf(day)}</Dt></Dt></Bal>`;
  const entries = booked.map(
    ([day, id, cents, charge], index) =>
      `<Ntry><Amt Ccy="EUR">${euros(cents)}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>` +
      `<BookgDt><Dt>${dayOf(day)}</Dt></BookgDt><AcctSvcrRef>${day}-${index}-${id}</AcctSvcrRef>` +
      `${charge ? `<Chrgs><Rcrd><Amt Ccy="EUR">${euros(charge)}</Amt><CdtDbtInd>DBIT</CdtDbtInd></Rcrd></Chrgs>` : ''}<NtryDtls><TxDtls>` +
      `<Refs><EndToEndId>${id}</EndToEndId></Refs></TxDtls></NtryDtls></Ntry>`,
  );
  const text = `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt>
<Id>${from}-${to}</Id><FrToDt><FrDtTm>${dayOf(from)}T00:00:00</FrDtTm><ToDtTm>${dayOf(to)}T23:59:59</ToDtTm></FrToDt>
<Acct><Id><IBAN>DE79123456780000143027</IBAN></Id><Ccy>EUR</Ccy></Acct>
${balance('OPBD', from, opening)}${balance('CLBD', to, closing)}
${entries.join('\n')}
</Stmt></BkToCstmrStmt></Document>
`;
  await writeFile(path, text);
}
