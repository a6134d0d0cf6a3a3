import { daysBetween, isBusinessDay } from './calendar.ts';
import { decimals, type Known, type Line, sum, tokens } from './year.ts';

/** The account that the service pays from, and the merchant's accounts by currency. */
export const payer = 'DE77999999990000251034';
const landlord = 'DE25876543212718311427';
const accounts: Readonly<Record<string, string>> = {
  EUR: 'DE79123456780000143027',
  JPY: 'DE50123456780000192534',
  KWD: 'DE89370400440532013000',
};
const opening = 5_000_000n;

interface Statement {
  readonly account: string;
  readonly currency: string;
  readonly number: number;
  readonly day: string;
  readonly before: bigint;
  readonly after: bigint;
  readonly lines: readonly Line[];
}

/** The bank's files: a statement for each business day, none for the others. */
export function filesOf(known: Known, from: string): ReadonlyMap<string, string> {
  const currencies = [...new Set(tokens.map(({ currency }) => currency))];
  const write = known.format === 'camt' ? camt : mt940;
  const suffix = known.format === 'camt' ? 'xml' : 'sta';
  return new Map(
    currencies.map((currency) => [
      `${currency}.${suffix}`,
      write(statementsOf(known, currency, from)),
    ]),
  );
}

function statementsOf(known: Known, currency: string, from: string): readonly Statement[] {
  const account = accounts[currency] ?? '';
  let before = opening;
  return daysBetween(from, known.until)
    .filter((day) => isBusinessDay(day, currency))
    .map((day, index) => {
      const lines = known.lines.filter((line) => line.currency === currency && line.day === day);
      const after = before + sum(lines.map(({ amount }) => amount));
      const statement = { account, currency, number: index + 1, day, before, after, lines };
      before = after;
      return statement;
    });
}

/** Decimal text of minor units, without a sign. */
function digitsOf(amount: bigint, currency: string, point = '.'): string {
  const scale = decimals[currency] ?? 2;
  const digits = String(amount < 0n ? -amount : amount).padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  return scale === 0 ? whole : `${whole}${point}${digits.slice(-scale)}`;
}

const referenceOf = ({ currency, day }: Statement, index: number) =>
  `${currency}${day.replaceAll('-', '')}-${index + 1}`;

function camt(statements: readonly Statement[]): string {
  const written = statements.map(camtStatement).join('\n');
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>
<GrpHdr><MsgId>M</MsgId><CreDtTm>2026-01-01T00:00:00Z</CreDtTm></GrpHdr>
${written}
</BkToCstmrStmt></Document>
`;
}

const side = (amount: bigint) => `<CdtDbtInd>${amount < 0n ? 'DBIT' : 'CRDT'}</CdtDbtInd>`;
const money = (amount: bigint, currency: string) =>
  `<Amt Ccy="${currency}">${digitsOf(amount, currency)}</Amt>`;

function camtStatement(statement: Statement): string {
  const { account, currency, number, day, before, after, lines } = statement;
  const balance = (code: string, amount: bigint) =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${money(amount, currency)}${side(amount)}` +
    `<Dt><Dt>${day}</Dt></Dt></Bal>`;
  const entries = lines.map((line, index) => camtEntry(line, referenceOf(statement, index)));
  return `<Stmt><Id>${currency}-${day}</Id><ElctrncSeqNb>${number}</ElctrncSeqNb>
<CreDtTm>${day}T22:00:00Z</CreDtTm><FrToDt><FrDtTm>${day}T00:00:00</FrDtTm><ToDtTm>${day}T23:59:59</ToDtTm></FrToDt>
<Acct><Id><IBAN>${account}</IBAN></Id><Ccy>${currency}</Ccy></Acct>
${balance('OPBD', before)}${balance('CLBD', after)}
${entries.join('\n')}
</Stmt>`;
}

function camtEntry({ kind, currency, day, amount, charge, parts, text }: Line, ref: string) {
  const [party, account] = amount < 0n ? ['Cdtr', 'CdtrAcct'] : ['Dbtr', 'DbtrAcct'];
  const other = kind === 'unrelated' ? landlord : payer;
  const own = parts.length > 0 ? parts : [{ payout: { endToEndId: 'NOTPROVIDED' }, amount }];
  const details = own.map(
    (part) =>
      `<TxDtls><Refs><EndToEndId>${part.payout.endToEndId}</EndToEndId></Refs>` +
      `${money(part.amount, currency)}${side(part.amount)}` +
      (charge > 0n
        ? `<AmtDtls><InstdAmt>${money(part.amount + charge, currency)}</InstdAmt></AmtDtls>`
        : '') +
      `<RltdPties><${party}><Pty><Nm>Other</Nm></Pty></${party}>` +
      `<${account}><Id><IBAN>${other}</IBAN></Id></${account}></RltdPties>` +
      `<RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls>`,
  );
  const charges =
    charge > 0n
      ? `<Chrgs><TtlChrgsAndTaxAmt Ccy="${currency}">${digitsOf(charge, currency)}</TtlChrgsAndTaxAmt>` +
        `<Rcrd>${money(charge, currency)}<CdtDbtInd>DBIT</CdtDbtInd></Rcrd></Chrgs>`
      : '';
  return (
    `<Ntry>${money(amount, currency)}${side(amount)}<Sts><Cd>BOOK</Cd></Sts>` +
    `<BookgDt><Dt>${day}</Dt></BookgDt><ValDt><Dt>${day}</Dt></ValDt><AcctSvcrRef>${ref}</AcctSvcrRef>` +
    `${charges}<NtryDtls>${details.join('')}</NtryDtls></Ntry>`
  );
}

const swiftDay = (day: string) => day.replaceAll('-', '').slice(2);

function swiftAmount(amount: bigint, currency: string): string {
  const digits = digitsOf(amount, currency, ',');
  return digits.includes(',') ? digits : `${digits},`;
}

function mt940(statements: readonly Statement[]): string {
  return statements.map(swiftStatement).join('');
}

function swiftStatement(statement: Statement): string {
  const { account, currency, number, day, before, after, lines } = statement;
  const balance = (amount: bigint) =>
    `${amount < 0n ? 'D' : 'C'}${swiftDay(day)}${currency}${swiftAmount(amount, currency)}`;
  return [
    `:20:STATEMENT`,
    `:25:${account}`,
    `:28C:${number}/1`,
    `:60F:${balance(before)}`,
    ...lines.flatMap((line, index) => swiftEntry(line, referenceOf(statement, index))),
    `:62F:${balance(after)}`,
    '-',
    '',
  ].join('\r\n');
}

function swiftEntry({ kind, currency, day, amount, parts, text }: Line, ref: string): string[] {
  const [part, ...others] = parts;
  // An entry of several pay-outs names them in its text alone.
  const key = part && others.length === 0 ? part.payout.endToEndId : 'NOTPROVIDED';
  const ids = others.length > 0 ? parts.map(({ payout }) => ` ${payout.endToEndId}`).join('') : '';
  const words = `SVWZ+${text}${ids}`.match(/.{1,27}/g) ?? [];
  const account = kind === 'unrelated' ? landlord : payer;
  const fields = [
    `?00PAYMENT?20EREF+${key}`,
    ...words.map((word, index) => `?${21 + index}${word}`),
    `?31${account}?32Other`,
  ];
  return [
    `:61:${swiftDay(day)}${day.slice(5).replace('-', '')}${amount < 0n ? 'D' : 'C'}` +
      `${swiftAmount(amount, currency)}NTRFNONREF//${ref}`,
    `:86:${amount < 0n ? '177' : '166'}${fields.join('\r\n')}`,
  ];
}
