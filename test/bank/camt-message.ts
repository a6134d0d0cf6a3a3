/** A camt message, written in the words of ISO 20022. */
export interface Message {
  readonly kind?: '052' | '053' | '054';
  readonly version?: string;
  readonly account?: string;
  readonly currency?: string;
  readonly id?: string;
  readonly number?: string;
  /** Of the whole message, such as `23:00` of a day. */
  readonly created?: string;
  readonly period?: readonly [from: string, to: string];
  readonly balances?: readonly Balance[];
  readonly entries?: readonly string[];
  /** Instead of all that is in the statement. */
  readonly inside?: string;
}

export type Balance = readonly [type: string, amount: string, day: string, currency?: string];

export const ownAccount = 'DE89370400440532013000';

const elements = {
  '052': ['BkToCstmrAcctRpt', 'Rpt'],
  '053': ['BkToCstmrStmt', 'Stmt'],
  '054': ['BkToCstmrDbtCdtNtfctn', 'Ntfctn'],
} as const;

/** A whole document of one statement. */
export function document(message: Message): string {
  return documentOf(message, statement(message));
}

/** A document of these statements, each with its own elements around it. */
export function documentOf({ kind = '053', version = '08' }: Message, statements: string): string {
  const [root] = elements[kind];
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n` +
    `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.${kind}.001.${version}"><${root}>\n` +
    `<GrpHdr><MsgId>M-1</MsgId><CreDtTm>2026-03-31T23:00:00+01:00</CreDtTm></GrpHdr>\n` +
    `${statements}\n</${root}></Document>\n`
  );
}

/** One statement, report or notification. */
export function statement({
  kind = '053',
  account = ownAccount,
  currency = 'EUR',
  id = 'S-1',
  number,
  created = '2026-03-31T23:00:00+01:00',
  period,
  balances = [],
  entries = [],
  inside,
}: Message): string {
  const [, name] = elements[kind];
  const lines = inside
    ? [inside]
    : [
        `<Id>${id}</Id>`,
        ...(number ? [`<ElctrncSeqNb>${number}</ElctrncSeqNb>`] : []),
        `<CreDtTm>${created}</CreDtTm>`,
        ...(period
          ? [
              `<FrToDt><FrDtTm>${period[0]}T00:00:00</FrDtTm><ToDtTm>${period[1]}T23:59:59</ToDtTm></FrToDt>`,
            ]
          : []),
        `<Acct><Id><IBAN>${account}</IBAN></Id><Ccy>${currency}</Ccy></Acct>`,
        ...balances.map((one) => balance(one, currency)),
        ...entries,
      ];
  return `<${name}>\n${lines.join('\n')}\n</${name}>`;
}

function balance([type, amount, day, other]: Balance, currency: string): string {
  return (
    `<Bal><Tp><CdOrPrtry><Cd>${type}</Cd></CdOrPrtry></Tp>${amountOf(amount, other ?? currency)}` +
    `<Dt><Dt>${day}</Dt></Dt></Bal>`
  );
}

/** Amount and direction of decimal text; a minus is money out. */
export function amountOf(text: string, currency = 'EUR'): string {
  return (
    `<Amt Ccy="${currency}">${text.replace('-', '')}</Amt>` +
    `<CdtDbtInd>${text.startsWith('-') ? 'DBIT' : 'CRDT'}</CdtDbtInd>`
  );
}

export interface Entry {
  /** Elements in the place of the amount and its direction. */
  readonly money?: string;
  readonly currency?: string;
  readonly status?: string;
  readonly booked?: string;
  readonly valued?: string;
  readonly rest?: string;
}

const dateOf = (day: string) => `<Dt>${day}</Dt>`;

/** An entry on one line; its dates are elements, those of 5 March by default. */
export function entry(
  amount: string,
  {
    currency = 'EUR',
    money = amountOf(amount, currency),
    status = '<Sts><Cd>BOOK</Cd></Sts>',
    booked = `<BookgDt>${dateOf('2026-03-05')}</BookgDt>`,
    valued = `<ValDt>${dateOf('2026-03-05')}</ValDt>`,
    rest = '',
  }: Entry = {},
): string {
  return `<Ntry>${money}${status}${booked}${valued}${rest}</Ntry>`;
}

/** An entry of a day. */
export function entryOn(day: string, amount: string, rest = ''): string {
  const date = dateOf(day);
  return entry(amount, {
    booked: `<BookgDt>${date}</BookgDt>`,
    valued: `<ValDt>${date}</ValDt>`,
    rest,
  });
}

/** The line on which a text first occurs. */
export function lineOf(content: string, wanted: string): number {
  return content.slice(0, content.indexOf(wanted)).split('\n').length;
}
