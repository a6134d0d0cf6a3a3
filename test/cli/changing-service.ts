import { createHash } from 'node:crypto';
import { FakeClock } from '../support/fake-clock.ts';
import { type RunOptions, type RunResult, runRecon } from '../support/run-recon.ts';
import { afterToken, type Reply, type Server, startServer, wrapped } from './server.ts';
import { temporaryFolder } from './temporary.ts';

/** A transaction that the service lists, in cents. */
export interface ListedRow {
  readonly transactionId: string;
  amount: number;
  fees: number;
  tax: number;
  state: string;
}

/** A settlement as the service holds it; a test changes it between two nights. */
export interface HeldSettlement {
  readonly id: string;
  day: string;
  status: string;
  rows: ListedRow[];
  /** What the header says beyond the sums of its rows, in cents; `count` is a number of rows. */
  off: { gross?: number; fees?: number; tax?: number; payIn?: number; count?: number };
  /** The amounts of the header where they are not to follow the rows. */
  frozen?: Readonly<Record<string, number>>;
}

/** A question that came to the service. */
export interface Question {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

const paths = {
  headers: '/v1/merchant/settlement',
  rows: '/v1/merchant/settlement/transactions',
} as const;

/** A UUID that is always the same for a name. */
export function idOf(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), '4000', '8000', hex.slice(12, 24)].join('-');
}

/** The day so many days after another one; before it where the number is negative. */
export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

/** The days from one to another, both included. */
export function daysBetween(from: string, to: string): readonly string[] {
  const days: string[] = [];
  for (let day = from; day <= to; day = dayAfter(day, 1)) days.push(day);
  return days;
}

/** Rows of 10.00 with fees 0.25 and tax 0.05. */
export function rowsOf(name: string, count: number): ListedRow[] {
  return Array.from({ length: count }, (_, index) => ({
    transactionId: idOf(`${name} row ${index}`),
    amount: 1000,
    fees: 25,
    tax: 5,
    state: 'approved',
  }));
}

/**
 * The service by its document, over HTTP: token exchange, settlement headers and transactions with
 * limit and offset. What it holds can be changed at any time.
 */
class ChangingService {
  readonly held = new Map<string, HeldSettlement>();
  readonly questions: Question[] = [];
  /** Answers instead of the service where it returns something. */
  interfere: (question: Question) => Reply | undefined = () => undefined;
  /** The days before this one are no longer listed. */
  oldestDay = '';
  /** Settlements are listed in the other order. */
  isBackwards = false;
  #server: Server | undefined;

  static async start(): Promise<ChangingService> {
    const service = new ChangingService();
    service.#server = await startServer(
      afterToken(({ path, text }) => service.#answer({ path, body: text ? JSON.parse(text) : {} })),
    );
    return service;
  }

  get env(): Readonly<Record<string, string>> {
    return this.#server?.env ?? {};
  }

  /** Adds a settlement that balances, unless told otherwise. */
  add(day: string, rest: Partial<Omit<HeldSettlement, 'day'>> & { name?: string; count?: number }) {
    const { name = day, count = 1, ...more } = rest;
    const settlement: HeldSettlement = {
      id: idOf(name),
      status: 'settled',
      rows: rowsOf(name, count),
      off: {},
      ...more,
      day,
    };
    this.held.set(settlement.id, settlement);
    return settlement;
  }

  /** A settlement a day. */
  addDays(from: string, to: string): void {
    for (const day of daysBetween(from, to)) this.add(day, {});
  }

  /** The settlement of a day that `addDays` has added. */
  on(day: string): HeldSettlement {
    const settlement = this.held.get(idOf(day));
    if (!settlement) throw new Error(`Nothing is held for ${day}.`);
    return settlement;
  }

  /** The questions since the last time that they were taken. */
  taken(): readonly Question[] {
    return this.questions.splice(0);
  }

  #answer(question: Question): Reply {
    this.questions.push(question);
    const reply = this.interfere(question);
    if (reply) return reply;
    const { path, body } = question;
    if (path === paths.headers) return wrapped(page(this.#headers(body), body, 1000));
    if (path === paths.rows) return wrapped(page(this.#rows(body), body, 100));
    return { status: 404, body: { status: { code: '1010', response: 'Not implemented' } } };
  }

  #headers({ settlementId, startDate, endDate }: Question['body']): readonly unknown[] {
    return [...this.held.values()]
      .filter(({ id }) => settlementId === undefined || settlementId === id)
      .filter(({ day }) => day >= this.oldestDay)
      .filter(
        ({ day }) =>
          startDate === undefined ||
          endDate === undefined ||
          (day >= String(startDate) && day <= String(endDate)),
      )
      .sort((a, b) => (`${a.day}${a.id}` < `${b.day}${b.id}` !== this.isBackwards ? -1 : 1))
      .map(headerOf);
  }

  #rows({ settlementId }: Question['body']): readonly unknown[] {
    const settlement = this.held.get(String(settlementId));
    return (settlement?.rows ?? []).map((row) => ({
      ...row,
      chargeId: row.transactionId,
      orderId: row.transactionId,
      timestamp: `${settlement?.day}T08:00:00Z`,
      transactionType: 'purchase',
      paymentType: 'card',
      decimalPlaces: '2',
      currencyCode: 'EUR',
      notes: [],
      settlementId,
    }));
  }
}

function page(
  list: readonly unknown[],
  { limit = 50, offset = 0 }: Question['body'],
  maximum: number,
): readonly unknown[] {
  const from = Number(offset);
  return list.slice(from, from + Math.min(Number(limit), maximum));
}

function headerOf({ id, day, status, rows, off, frozen }: HeldSettlement): unknown {
  const sum = (field: 'amount' | 'fees' | 'tax') =>
    rows.reduce((total, row) => total + row[field], 0);
  const gross = sum('amount') + (off.gross ?? 0);
  const fees = sum('fees') + (off.fees ?? 0);
  const tax = sum('tax') + (off.tax ?? 0);
  return {
    settlementId: id,
    paymentService: 'payments',
    merchantId: 'M-1001',
    accountingToken: '3f0c7a52-6d1e-4b8a-9c35-1e7d20a4b601',
    settlementStatus: status,
    settlementDate: `${day}T09:00:00Z`,
    amountGross: gross,
    fees,
    tax,
    currencyCode: 'EUR',
    amountPayIn: gross - fees - tax + (off.payIn ?? 0),
    decimalPlaces: 2,
    paymentEndToEndIds: [`E2E-${id.slice(0, 8)}`],
    paymentReferences: [`PMT-${day}`],
    totalTransactions: rows.length + (off.count ?? 0),
    ...frozen,
  };
}

/** An item of news in JSON, as far as tests look at it. */
export interface NewsItem {
  readonly id: string;
  readonly kind: string;
  readonly also: readonly string[];
  readonly day: string | null;
  readonly settlement: { readonly id: string } | null;
}

/** A day that a night has read. */
interface PlannedDay {
  readonly day: string;
  readonly reason: string;
  readonly state: string;
}

/** A run of `recon nightly` that wrote JSON. */
export interface NightReport extends RunResult {
  readonly news: readonly NewsItem[];
  readonly days: readonly PlannedDay[];
  readonly json: Readonly<Record<string, unknown>>;
}

/** A folder that is exported to every night, from a service that changes in between. */
export interface Nights {
  readonly service: ChangingService;
  readonly folder: string;
  /** A run in the early morning of a day: the day before is the last one that is over. */
  night(
    today: string,
    args?: readonly string[],
    env?: Record<string, string>,
  ): Promise<NightReport>;
  /** Another command on that day. */
  run(
    today: string,
    args: readonly string[],
    env?: Record<string, string>,
    terminal?: Pick<RunOptions, 'columns' | 'stderrColumns'>,
  ): Promise<RunResult>;
}

/** Starts a service and a folder for nights from `since` on. */
export async function startNights(
  since: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Nights> {
  const service = await ChangingService.start();
  const folder = `${await temporaryFolder()}/export`;
  const run: Nights['run'] = (today, args, env = {}, terminal = {}) =>
    runRecon(args, {
      ...terminal,
      env: { ...service.env, ...settings, ...env },
      clock: new FakeClock(Date.parse(`${today}T04:00:00Z`)),
    });
  const night = async (today: string, args: readonly string[] = [], env = {}) => {
    const result = await run(
      today,
      ['nightly', '--out', folder, '--since', since, '--format', 'json', ...args],
      env,
    );
    const json = parsed(result.stdout);
    const profiles = (json['profiles'] ?? []) as readonly { days?: readonly PlannedDay[] }[];
    return {
      ...result,
      json,
      news: (json['news'] ?? []) as readonly NewsItem[],
      days: profiles[0]?.days ?? [],
    };
  };
  return { service, folder, night, run };
}

function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** The kinds of news of a settlement, or of a day. */
export function kindsOf(
  { news }: Pick<NightReport, 'news'>,
  about: { readonly day?: string; readonly settlementId?: string },
): readonly string[] {
  return news
    .filter(
      ({ day, settlement }) =>
        (about.day === undefined || day === about.day) &&
        (about.settlementId === undefined || settlement?.id === about.settlementId),
    )
    .flatMap(({ kind, also }) => [kind, ...also]);
}
