import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterToken, type Reply, startServer, wrapped } from '../../cli/server.ts';
import { profileOf } from '../../cli/service.ts';
import { temporaryFolder } from '../../cli/temporary.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { type RunResult, runRecon } from '../../support/run-recon.ts';

/** An accounting token, with the name and the currency of its shop. */
export interface Token {
  readonly id: string;
  readonly name: string;
}

export const web: Token = { id: '3f0c7a52-6d1e-4b8a-9c35-1e7d20a4b601', name: 'Web shop' };
export const stores: Token = { id: '8a1d2b44-93c7-4e02-b1f5-6c0e7d9a2f13', name: 'Stores' };
export const abroad: Token = { id: 'c4e9f017-25ab-4d63-8e70-5b2f91d8a3c6', name: 'Abroad' };

/** Decimal places by ISO 4217. */
export const decimals: Readonly<Record<string, number>> = { EUR: 2, USD: 2, JPY: 0, KWD: 3 };

/** A row of a settlement, in minor units. */
export interface Row {
  readonly a: number;
  readonly f: number;
  readonly t: number;
  readonly type?: string;
  /** The day of its sale; that of the settlement by default. */
  readonly sold?: string;
}

/** A settlement as the service lists it today. */
export interface Listed {
  readonly id: string;
  readonly day: string;
  readonly rows: readonly Row[];
  readonly token?: Token;
  readonly currency?: string;
  readonly isPending?: boolean;
  /** Its own by default. */
  readonly endToEndId?: string;
  readonly reference?: string;
}

/** Gross, fees, tax and pay-in of its rows. */
export function sumsOf({ rows }: Pick<Listed, 'rows'>) {
  const sum = (of: (row: Row) => number) => rows.reduce((all, row) => all + of(row), 0);
  const [gross, fees, tax] = [sum(({ a }) => a), sum(({ f }) => f), sum(({ t }) => t)];
  return { gross, fees, tax, payIn: gross - fees - tax };
}

export const endToEndIdOf = ({ id, endToEndId }: Pick<Listed, 'id' | 'endToEndId'>): string =>
  endToEndId ?? `E2E${id.replaceAll('-', '').slice(0, 20)}`;

/** Accounts of the books, with those of refunds apart, so that a type that changes moves money. */
export const books: readonly string[] = [
  '[profiles.main.books]',
  'in_transit = "assets:transit"',
  'bank = "assets:bank"',
  'fees = "expenses:fees"',
  'tax = "assets:tax"',
  'receivable = "assets:receivable"',
  'suspense = "assets:suspense"',
  'accepted = "expenses:accepted"',
  'bank_fees = "expenses:bank"',
];

/** A company whose service and bank say today other things than yesterday. */
export interface Company {
  readonly folder: string;
  /** The folder that the profile names as `statements`. */
  readonly bank: string;
  file(name: string): string;
  /** Adds a settlement, or replaces the one with its id. */
  lists(...settlements: readonly Listed[]): void;
  /** The service lists it no longer. */
  forgets(id: string): void;
  /** All that the service lists now. */
  listed(): readonly Listed[];
  /** The day of all runs from now on. */
  becomes(day: string): void;
  run(...args: readonly string[]): Promise<RunResult>;
  /** As `run`, at a terminal of 80 columns. */
  shows(...args: readonly string[]): Promise<RunResult>;
  /** Sets the profile anew: settings of the profile, then tables. */
  sets(settings: readonly string[], tables?: readonly string[]): Promise<void>;
}

const paths = {
  headers: '/v1/merchant/settlement',
  rows: '/v1/merchant/settlement/transactions',
} as const;

/** The profile's settings that all cases have. */
export const usual: readonly string[] = [
  'statements = "bank"',
  'closes = "closes.csv"',
  'books_from = "2026-03-01"',
  // So that nobody else's entry counts as the service's.
  'payout_accounts = ["DE77999999990000251034"]',
];

const names: readonly string[] = [
  '[profiles.main.names]',
  ...[web, stores, abroad].map(({ id, name }) => `${id} = "${name}"`),
];

/** Serves settlements over HTTP, as the service's document says, and writes a profile for it. */
export async function openCompany(
  settings: readonly string[] = usual,
  tables: readonly string[] = books,
): Promise<Company> {
  const folder = await temporaryFolder();
  const bank = join(folder, 'bank');
  const config = join(folder, 'config.toml');
  await mkdir(bank);
  const listed = new Map<string, Listed>();
  const inOrder = () => [...listed.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  const { url } = await startServer(
    afterToken(({ path, text }): Reply => {
      const { settlementId, startDate, endDate, limit = 50, offset = 0 } = JSON.parse(text || '{}');
      const page = (list: readonly unknown[], maximum: number) =>
        wrapped(list.slice(offset, offset + Math.min(limit, maximum)));
      const asked = inOrder().filter(
        ({ id, day }) =>
          (!settlementId || id === settlementId) &&
          (!startDate || !endDate || (day >= startDate && day <= endDate)),
      );
      if (path === paths.headers) return page(asked.map(headerOf), 1000);
      if (path !== paths.rows) return { status: 404, body: {} };
      return page(asked.flatMap(recordsOf), 100);
    }),
  );
  let today = '2026-11-28';
  const clock = () => new FakeClock(Date.parse(`${today}T12:00:00Z`));
  const sets = (more: readonly string[], tables: readonly string[] = books) =>
    writeFile(config, profileOf('main', url, [...more, ...names, ...tables].join('\n')), {
      mode: 0o600,
    });
  await sets(settings, tables);
  return {
    ...{ folder, bank, sets },
    file: (name) => join(folder, name),
    lists: (...settlements) => {
      for (const one of settlements) listed.set(one.id, one);
    },
    forgets: (id) => {
      listed.delete(id);
    },
    listed: inOrder,
    becomes: (day) => {
      today = day;
    },
    run: (...args) => runRecon([...args, '--config', config], { clock: clock() }),
    shows: (...args) => runRecon([...args, '--config', config], { clock: clock(), columns: 80 }),
  };
}

function headerOf(one: Listed) {
  const { gross, fees, tax, payIn } = sumsOf(one);
  const currency = one.currency ?? 'EUR';
  return {
    settlementId: one.id,
    paymentService: 'payments',
    merchantId: 'M-1001',
    accountingToken: (one.token ?? web).id,
    settlementStatus: one.isPending ? 'pending_settlement' : 'settled',
    settlementDate: `${one.day}T09:00:00Z`,
    amountGross: gross,
    fees,
    tax,
    currencyCode: currency,
    amountPayIn: payIn,
    decimalPlaces: decimals[currency],
    paymentEndToEndIds: one.isPending ? [] : [endToEndIdOf(one)],
    paymentReferences: one.reference ? [one.reference] : [],
    totalTransactions: one.rows.length,
  };
}

function recordsOf({ id, day, rows, currency = 'EUR' }: Listed) {
  return rows.map(({ a, f, t, type = 'purchase', sold = day }, index) => {
    const own = `${id.slice(0, -4)}${String(index).padStart(4, '0')}`;
    return {
      chargeId: own,
      transactionId: own,
      timestamp: sold && `${sold}T08:00:00Z`,
      transactionType: type,
      paymentType: 'card',
      amount: a,
      fees: f,
      tax: t,
      decimalPlaces: String(decimals[currency]),
      currencyCode: currency,
      state: 'approved',
      orderId: own,
      notes: [],
      settlementId: id,
    };
  });
}

/** An entry of a bank's statement, in minor units; negative is money out. */
export interface Entry {
  readonly day: string;
  readonly amount: number;
  /** The end-to-end id; none by default. */
  readonly id?: string;
  /** The bank's own reference: by day, place and amount, if it isn't given; empty for none. */
  readonly ref?: string;
  /** The payments in it, if it is a batch. */
  readonly parts?: readonly (readonly [id: string, amount: number])[];
  /** The reference of the batch as a whole. */
  readonly batch?: string;
  /** The other side; the service's account by default. */
  readonly from?: string;
}

/** A statement of an account over days; the closing balance is what opening and entries come to. */
export interface Statement {
  readonly period: readonly [from: string, to: string];
  readonly opening: number;
  readonly entries: readonly Entry[];
  readonly account?: string;
  readonly currency?: string;
  readonly number?: string;
}

export const payer = 'DE77999999990000251034';
export const ownAccount = 'DE79123456780000143027';

/** Decimal text of minor units, without grouping. */
export function money(minor: number | bigint, currency = 'EUR'): string {
  const scale = decimals[currency] ?? 2;
  const value = BigInt(minor);
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const text = scale === 0 ? whole : `${whole}.${digits.slice(-scale)}`;
  return value < 0n ? `-${text}` : text;
}

/** Writes a camt.053 statement. */
export async function writeStatement(path: string, statement: Statement): Promise<void> {
  const { period, opening, entries, number, account = ownAccount, currency = 'EUR' } = statement;
  const [from, to] = period;
  const closing = entries.reduce((all, { amount }) => all + amount, opening);
  const amount = (minor: number) =>
    `<Amt Ccy="${currency}">${money(Math.abs(minor), currency)}</Amt>` +
    `<CdtDbtInd>${minor < 0 ? 'DBIT' : 'CRDT'}</CdtDbtInd>`;
  const balance = (code: string, day: string, minor: number) =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${amount(minor)}<Dt><Dt>${day}</Dt></Dt></Bal>`;
  const written = entries.map((entry, index) => {
    const side = entry.amount < 0 ? 'Cdtr' : 'Dbtr';
    const parts = entry.parts ?? [[entry.id ?? 'NOTPROVIDED', entry.amount] as const];
    const details = parts.map(
      ([id, minor]) =>
        `<TxDtls><Refs><EndToEndId>${id}</EndToEndId></Refs>${amount(minor)}` +
        `<RltdPties><${side}><Pty><Nm>Payments</Nm></Pty></${side}><${side}Acct><Id><IBAN>${entry.from ?? payer}</IBAN></Id></${side}Acct></RltdPties></TxDtls>`,
    );
    const ref = entry.ref ?? `${entry.day}-${index}-${entry.amount}`;
    const batch = entry.batch ? `<Btch><PmtInfId>${entry.batch}</PmtInfId></Btch>` : '';
    return (
      `<Ntry>${amount(entry.amount)}<Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${entry.day}</Dt></BookgDt>` +
      `<ValDt><Dt>${entry.day}</Dt></ValDt>${ref && `<AcctSvcrRef>${ref}</AcctSvcrRef>`}` +
      `<NtryDtls>${batch}${entry.batch && !entry.parts ? '' : details.join('')}</NtryDtls></Ntry>`
    );
  });
  const text = `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt>
<Id>${account}-${from}-${to}</Id>${number ? `<ElctrncSeqNb>${number}</ElctrncSeqNb>` : ''}
<FrToDt><FrDtTm>${from}T00:00:00</FrDtTm><ToDtTm>${to}T23:59:59</ToDtTm></FrToDt>
<Acct><Id><IBAN>${account}</IBAN></Id><Ccy>${currency}</Ccy></Acct>
${balance('OPBD', from, opening)}${balance('CLBD', to, closing)}
${written.join('\n')}
</Stmt></BkToCstmrStmt></Document>
`;
  await writeFile(path, text);
}

/** What a run wrote; nothing if there is no such file. */
export const textOf = (path: string): string =>
  existsSync(path) ? readFileSync(path, 'utf8') : '';
