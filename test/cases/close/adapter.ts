/**
 * All that the cases know of the commands' names: settings, flags, columns and fields (CLOSING 1, 6
 * and 7). Whoever renames one of them changes this file alone.
 */
import { parse } from 'csv-parse/sync';
import { laddersOf } from '../../support/ladder.ts';
import type { RunResult } from '../../support/run-recon.ts';
import { payer } from './statements.ts';
import { decimals, tokens } from './year.ts';

/** Names of accounts, by purpose. That of in transit is followed by the name of the token. */
const accountNames: Readonly<Record<string, string>> = {
  in_transit: 'Transit',
  bank: 'Bank',
  bank_fees: 'Bank fees',
  fees: 'Fees',
  tax: 'Tax',
  receivable: 'Receivable',
  suspense: 'Suspense',
  accepted: 'Accepted',
};

/** The lines of a table `books`. */
export const accountLines: readonly string[] = Object.entries(accountNames).map(
  ([key, name]) => `${key} = "${name}"`,
);

/** The settings of a profile below its connection, in TOML. */
export function profileSettings(booksFrom: string): string {
  const own = tokens.flatMap(({ id, name }) => [
    `[profiles.shop.books.token."${id}"]`,
    `in_transit = "Transit ${name}"`,
  ]);
  return [
    // A night looks back at all days, so that it meets what was restated.
    'restated_days = 366',
    `payout_accounts = ["${payer}"]`,
    `books_from = "${booksFrom}"`,
    '[profiles.shop.books]',
    ...accountLines,
    ...own,
  ].join('\n');
}

/** Whoever runs commands over statements. */
interface Runner {
  readonly statements: string;
  run(args: readonly string[]): Promise<RunResult>;
}

export const closesFlag = '--closes';

/** Flags that record a close. */
export function recording(closes: string, isFirst: boolean): readonly string[] {
  const first = isFirst ? ['--new-register'] : [];
  return [
    '--record',
    '--by',
    'Ada',
    '--force',
    '--note',
    'checked by the judge',
    closesFlag,
    closes,
    ...first,
  ];
}

/** Flags that a register of bookings is continued with. */
export function booking(register: string, output: string, isFirst: boolean): readonly string[] {
  return ['--booked', register, '--output', output, ...(isFirst ? ['--new-register'] : [])];
}

interface Money {
  readonly amount: string;
  readonly minor: string;
}

/** Amounts in minor units, by the name of their field. */
type Figures = Readonly<Record<string, bigint>>;

interface Blocker {
  readonly code: string;
  readonly forceable: boolean;
  readonly amount: Money | null;
  readonly command: string | null;
}

/** As it is written: an amount for each currency, of which the first counts here. */
interface WrittenBlocker extends Omit<Blocker, 'amount' | 'command'> {
  readonly amounts: readonly { readonly net: Money; readonly absolute: Money }[];
  readonly next: string;
}

/**
 * `recon close --format json`, as far as the cases look at it. Roll-forward: `opening, changed, gross,
 * fees, tax, payInDifference, settled, received, bankCharges, over, short, closing`. Bridge:
 * `movement, cleared, over, bankCharges, suspense, unrelated, residual`. Items: `payIn, open`.
 */
type CloseJson = Parameters<typeof laddersOf>[0] & {
  readonly verdict: 'ready' | 'not_ready' | 'incomplete';
  readonly lines: readonly { readonly accountingToken: string; readonly currency: string }[];
  readonly items: readonly ({ readonly settlements: readonly { readonly id: string }[] } & Readonly<
    Record<string, unknown>
  >)[];
  readonly bridge: readonly { readonly currency: string }[];
  readonly pending: readonly { readonly currency: string; readonly payIn: Money }[];
  readonly blockers: readonly WrittenBlocker[];
};

/** What a close says, in minor units. */
export interface Closed extends RunResult {
  readonly verdict: string;
  /** By id of the token and currency. */
  readonly rollForward: Readonly<Record<string, Figures>>;
  /** By currency. */
  readonly bridges: Readonly<Record<string, Figures>>;
  readonly items: readonly Readonly<Record<string, unknown>>[];
  readonly pending: Readonly<Record<string, bigint>>;
  readonly blockers: readonly Blocker[];
}

const isMoney = (value: unknown): value is Money =>
  typeof value === 'object' && value !== null && 'minor' in value;

function figures(from: object): Figures {
  return Object.fromEntries(
    Object.entries(from).flatMap(([key, value]) =>
      isMoney(value) ? [[key, BigInt(value.minor)]] : [],
    ),
  );
}

/** Reads `--format json`. */
export function closedOf(result: RunResult): Closed {
  if (!result.stdout.startsWith('{')) throw new Error(`${result.stdout}${result.stderr}`);
  const json = JSON.parse(result.stdout) as CloseJson;
  // Each total of the ladders is all that stands before it.
  laddersOf(json);
  const pending: Record<string, bigint> = {};
  for (const { currency, payIn } of json.pending) {
    pending[currency] = (pending[currency] ?? 0n) + BigInt(payIn.minor);
  }
  return {
    ...result,
    ...{ verdict: json.verdict, pending },
    blockers: json.blockers.flatMap(({ amounts, next: command, ...one }) => {
      const each: readonly (Money | null)[] = amounts.map(({ net, absolute }) =>
        net.minor === '0' ? absolute : net,
      );
      return (each.length > 0 ? each : [null]).map((amount) => ({ ...one, command, amount }));
    }),
    rollForward: Object.fromEntries(
      json.lines.map((line) => [`${line.accountingToken} ${line.currency}`, figures(line)]),
    ),
    bridges: Object.fromEntries(json.bridge.map((one) => [one.currency, figures(one)])),
    items: json.items
      .map((item) => ({
        ...{ ...item, settlementId: item.settlements.map(({ id }) => id).join(' ') },
        ...figures(item),
      }))
      .sort((a, b) => (a.settlementId < b.settlementId ? -1 : 1)),
  };
}

/** Runs `recon close` over a merchant's statements. */
export async function close(
  merchant: Runner,
  from: string,
  to: string,
  args: readonly string[] = [],
): Promise<Closed> {
  const range = ['--from', from, '--to', to, '--format', 'json'];
  return closedOf(await merchant.run(['close', merchant.statements, ...range, ...args]));
}

/** A posting of a journal, by the account's purpose, as `bank EUR` or `in_transit EUR Web`. */
export interface Posting {
  readonly day: string;
  readonly ofDay: string;
  readonly key: string;
  readonly amount: bigint;
  readonly reverses: string;
}

/** Reads `recon journal --for csv`. */
export function postingsOf(csv: string): readonly Posting[] {
  const records: readonly Readonly<Record<string, string>>[] = parse(csv, { columns: true });
  return records.map((cells) => {
    const currency = cells['currency'] ?? '';
    const account = cells['account'] ?? '';
    const amount =
      minorOf(cells['debit'] || '0', currency) - minorOf(cells['credit'] || '0', currency);
    const day = cells['date'] ?? '';
    const reverses = cells['reverses'] ?? '';
    return { day, ofDay: cells['of_date'] || day, key: keyOf(account, currency), amount, reverses };
  });
}

/** What all postings leave on the accounts in the evening of a day, without zeros. */
export function balances(postings: readonly Posting[], day: string): Record<string, bigint> {
  const held = new Map<string, bigint>();
  for (const posting of postings) {
    if (posting.day <= day) held.set(posting.key, (held.get(posting.key) ?? 0n) + posting.amount);
  }
  return withoutZeros(held);
}

/** In the order of their names. */
export function withoutZeros(
  held: ReadonlyMap<string, bigint> = new Map(),
): Record<string, bigint> {
  return Object.fromEntries([...held].filter(([, amount]) => amount !== 0n).sort());
}

function keyOf(account: string, currency: string): string {
  const token = tokens.find(({ name }) => account === `Transit ${name}`);
  if (token) return `in_transit ${currency} ${token.name}`;
  const known = Object.entries(accountNames).find(([, name]) => name === account);
  return `${known?.[0] ?? account} ${currency}`;
}

/** Minor units of decimal text. */
export function minorOf(text: string, currency: string): bigint {
  const scale = decimals[currency] ?? 2;
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  if (!match) throw new Error(`Not an amount: ${JSON.stringify(text)}`);
  const [, sign = '', whole = '', fraction = ''] = match;
  if (fraction.length > scale) throw new Error(`Too many decimals: ${text} ${currency}`);
  return BigInt(`${sign}${whole}${fraction.padEnd(scale, '0')}`);
}

/** Runs `recon journal --for csv` over a merchant's statements. */
export function journal(
  merchant: Runner,
  from: string,
  to: string,
  args: readonly string[] = [],
): Promise<RunResult> {
  const range = ['--from', from, '--to', to, '--for', 'csv', '--fail-on', 'none'];
  return merchant.run(['journal', ...range, '--bank', merchant.statements, ...args]);
}

/** Flags that take the last close back. */
export const reopening = ['--reopen', '--by', 'Ada', '--note', 'an entry was missed'];

/** The column of the decision in a file of decisions, and the word that accepts. */
export const accepting = {
  decision: 'accept',
  reason: 'known',
  by: 'Ada',
  until: '',
  books_account: 'expenses:other',
};

/** What `recon accept --from` says of the lines, in JSON: a status for each, in the file's order. */
export function statusesOf({ stdout, stderr }: RunResult): readonly string[] {
  if (!stdout.startsWith('{')) throw new Error(`${stdout}${stderr}`);
  const { decisions } = JSON.parse(stdout) as {
    readonly decisions: readonly { readonly status: string }[];
  };
  return decisions.map(({ status }) =>
    status === 'undecided' ? 'not decided' : status.replaceAll('_', ' '),
  );
}
