import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { profileOf } from '../../cli/service.ts';
import { temporaryFolder } from '../../cli/temporary.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { type RunResult, runRecon } from '../../support/run-recon.ts';
import { serveSettlements } from '../serve-settlements.ts';
import { type Account, type Payout, sumOf, type Truth } from './truth.ts';
import { bytesOf, type Written } from './written.ts';

/** `BANK_KEEP=FOLDER` keeps all files, to look at those that failed. */
const kept = process.env['BANK_KEEP'];

interface Amount {
  readonly amount: string;
}

interface BankEntry {
  readonly account: string;
  readonly currency: string;
  readonly date: string;
  readonly valueDate: string;
  readonly amount: Amount;
  readonly endToEndIds: readonly string[];
  readonly references: readonly string[];
  readonly paymentInformationIds: readonly string[];
  readonly texts: readonly string[];
  readonly file: string;
  readonly line: number;
}

interface Match {
  readonly state: string;
  readonly expected: Amount | null;
  readonly received: Amount | null;
  readonly settlements: readonly {
    readonly id: string;
    readonly paymentEndToEndIds: readonly string[];
  }[];
  readonly entries: readonly BankEntry[];
}

/** A statement as the report lists it. */
interface Statement {
  readonly account: string;
  readonly currency: string;
  readonly from: string;
  readonly to: string;
  readonly entries: number;
  readonly isWhole: boolean;
  readonly opening: Amount | null;
  readonly sum: Amount | null;
  readonly closing: Amount | null;
  readonly checked: boolean;
}

/** What is wrong in a statement. */
interface Finding {
  readonly code: string;
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

/** What of the JSON of `recon bank` is judged. */
export interface Report {
  readonly matches: readonly Match[];
  readonly earlier: readonly Match[];
  readonly movements: readonly { account: string; currency: string; movement: Amount }[];
  readonly statements: readonly Statement[];
  readonly statementFindings: readonly Finding[];
}

/** A service that lists the pay-outs of a truth, and the folder for its files. */
export interface Desk {
  readonly run: (file: Written, bytes?: Buffer) => Promise<Judged>;
  /** Reads several files together, by one mapping. */
  readonly runAll: (files: readonly Named[], settings?: readonly string[]) => Promise<Judged>;
}

interface Named {
  readonly name: string;
  readonly bytes: Buffer;
}

export interface Judged extends RunResult {
  /** Nothing if the run was refused. */
  readonly report: Report | undefined;
}

/** Opens a desk at which statements of a truth can be read. */
export async function openDesk(truth: Truth): Promise<Desk> {
  const folder = await temporaryFolder();
  let runs = 0;
  const { url } = await serveSettlements(truth.payouts.map(served));
  const runAll: Desk['runAll'] = async (files, settings = []) => {
    const config = join(folder, 'recon.toml');
    const paths: string[] = [];
    for (const { name, bytes } of files) {
      paths.push(join(folder, name));
      await writeFile(join(folder, name), bytes);
      if (kept) await writeFile(join(kept, `${basename(folder)}-${++runs}-${name}`), bytes);
    }
    const tables = ['[profiles.main.names]', ...settings].join('\n');
    await writeFile(config, profileOf('main', url, tables), { mode: 0o600 });
    const run = await runRecon(
      ['bank', ...paths, '--month', truth.month, '--config', config, '--json', '-q'],
      // Half an id can look like a token.
      { clock: new FakeClock(Date.UTC(2026, 10, 28)), mayPrintSecrets: true },
    );
    const report: Report | undefined = run.stdout ? JSON.parse(run.stdout) : undefined;
    return { ...run, report };
  };
  return {
    runAll,
    run: (file, bytes = bytesOf(file)) => runAll([{ name: file.name, bytes }], file.settings),
  };
}

function served({ id, day, currency, decimals, amount, endToEndId }: Payout) {
  const row = {
    ...{ chargeId: id, transactionId: id, orderId: id, settlementId: id },
    ...{ timestamp: `${day}T08:00:00Z`, transactionType: 'purchase', paymentType: 'card' },
    ...{ amount, fees: 0, tax: 0, decimalPlaces: String(decimals), currencyCode: currency },
    ...{ state: 'approved', notes: [] },
  };
  const header = {
    ...{ settlementId: id, paymentService: 'payments', merchantId: 'M-1001' },
    ...{ accountingToken: '3f0c7a52-6d1e-4b8a-9c35-1e7d20a4b601', settlementStatus: 'settled' },
    ...{ settlementDate: `${day}T09:00:00Z`, amountGross: amount, fees: 0, tax: 0 },
    ...{ currencyCode: currency, amountPayIn: amount, decimalPlaces: decimals },
    ...{ paymentEndToEndIds: [endToEndId], paymentReferences: [], totalTransactions: 1 },
  };
  return { header, records: [row] };
}

/** An amount in ten-thousandths, so that scales do not matter. */
const exact = (amount: Amount | null | undefined): bigint | undefined => {
  if (!amount) return undefined;
  const [whole = '', part = ''] = amount.amount.split('.');
  return BigInt(whole + part.padEnd(4, '0').slice(0, 4));
};

const waiting: readonly string[] = ['in_transit', 'not_covered'];

const units = (minor: number, decimals: number) => BigInt(minor) * 10n ** BigInt(4 - decimals);

const bare = (text: string) => text.replaceAll(/[\s-]/g, '').toLowerCase();

/** Whatever the file: a pay-out that is missing has no entry that shows its id. */
export function brokenLaw({ matches, earlier }: Report): readonly string[] {
  const all = [...matches, ...earlier];
  const open = all.filter(({ state }) =>
    ['missing_on_bank', 'in_transit', 'not_covered'].includes(state),
  );
  const left = all.filter(({ state }) =>
    ['unknown_on_bank', 'unrelated', 'suggested'].includes(state),
  );
  return open.flatMap(({ state, settlements }) =>
    settlements.flatMap(({ paymentEndToEndIds }) =>
      paymentEndToEndIds.flatMap((id) =>
        left
          .flatMap(({ entries }) => entries)
          .filter(({ texts, references, endToEndIds, paymentInformationIds }) =>
            [...texts, ...references, ...endToEndIds, ...paymentInformationIds].some((text) =>
              bare(text).includes(bare(id.slice(0, 35))),
            ),
          )
          .map(({ file, line }) => `law: ${id} is ${state}, but ${file}:${line} shows it`),
      ),
    ),
  );
}

/** In what a report differs from the truth; nothing if it is right. */
export function compared(judged: Judged, truth: Truth, written: Written): readonly string[] {
  const { report, exitCode, stderr } = judged;
  if (!report) return [`refused with ${exitCode}: ${stderr.trim()}`];
  const told: string[] = [];
  const differ = (what: string, found: unknown, right: unknown) => {
    if (found !== right) told.push(`${what}: ${found}; right: ${right}`);
  };
  for (const { message } of report.statementFindings) told.push(`finding: ${message}`);
  // Where a file states no days, its last booking may be before a pay-out is overdue.
  const mayWait = (payout: Payout) =>
    !written.saysDays &&
    payout.received === undefined &&
    waiting.includes(stateOf(payout, report).state);
  const isOpen = truth.payouts.some(
    (payout) => payout.amount !== payout.received && !mayWait(payout),
  );
  differ('exit code', exitCode, isOpen ? 1 : 0);
  for (const account of written.accounts ?? truth.accounts) {
    compareAccount(account, report, written, differ);
  }
  const names = new Set((written.accounts ?? truth.accounts).map(({ name }) => name));
  for (const { account, entries } of report.statements) {
    if (!names.has(account)) told.push(`a statement of ${account} with ${entries} entries`);
  }
  for (const payout of truth.payouts) {
    if (mayWait(payout)) continue;
    const { match, state } = stateOf(payout, report);
    const { received, decimals, endToEndId } = payout;
    const right = rightState(payout);
    differ(endToEndId, state, right);
    if (received === undefined || !match || state !== right) continue;
    differ(`${endToEndId} received`, exact(match.received), units(received, decimals));
    const entry = truth.accounts
      .flatMap(({ entries }) => entries)
      .find(({ id }) => id === endToEndId.slice(0, 35));
    differ(`${endToEndId} day`, match.entries[0]?.date, entry?.day);
  }
  return [...told, ...brokenLaw(report)];
}

function compareAccount(
  account: Account,
  report: Report,
  { saysOpening, saysClosing, saysDays }: Written,
  differ: (what: string, found: unknown, right: unknown) => void,
): void {
  const { name, currency, decimals, opening, from, to, entries } = account;
  const of = (each: { account: string; currency: string }) =>
    each.account === name && each.currency === currency;
  const statements = report.statements.filter(of);
  const what = `${name} ${currency}`;
  if (entries.length === 0 && statements.length === 0) return;
  const sum = statements.reduce((all, each) => all + (exact(each.sum) ?? 0n), 0n);
  differ(
    `${what} entries`,
    statements.reduce((all, each) => all + each.entries, 0),
    entries.length,
  );
  differ(`${what} sum`, sum, units(sumOf(account), decimals));
  const movement = report.movements
    .filter(of)
    .reduce((all, each) => all + (exact(each.movement) ?? 0n), 0n);
  differ(`${what} movement`, movement, units(sumOf(account), decimals));
  const [first, last] = [statements.at(0), statements.at(-1)];
  if (saysOpening) {
    differ(`${what} opening`, exact(first?.opening), units(opening, decimals));
    differ(
      `${what} checked`,
      statements.every(({ checked }) => checked),
      true,
    );
  }
  if (saysClosing) {
    differ(`${what} closing`, exact(last?.closing), units(opening + sumOf(account), decimals));
  }
  differ(
    `${what} whole`,
    statements.every(({ isWhole }) => isWhole),
    true,
  );
  if (saysDays) {
    differ(`${what} from`, first?.from, from);
    differ(`${what} to`, last?.to, to);
  }
}

const telling: readonly string[] = [
  'unreadable',
  'undated',
  'balance_break',
  'statement_gap',
  'overlap_break',
];

/** What is wrong about how a file with a fault was read: it must be refused or told, or not matter. */
export function misread(
  judged: Judged,
  truth: Truth,
  written: Written,
  { at, from = at }: { readonly at?: number; readonly from?: number },
): readonly string[] {
  const { report, exitCode, stderr } = judged;
  if (![0, 1, 2, 4].includes(exitCode)) return [`exit code ${exitCode}: ${stderr}`];
  if (!report)
    return stderr.includes(written.name) ? [] : [`refused without its name: ${stderr.trim()}`];
  const findings = report.statementFindings.filter(({ code }) => telling.includes(code));
  if (findings.length === 0) {
    // What is only noticed is no fault.
    const bare = { ...judged, report: { ...report, statementFindings: [] } };
    const differing = compared(bare, truth, written);
    if (written.isPaged && coversLess(report, truth)) return brokenLaw(report);
    return differing.length > 0 ? ['nothing is told', ...differing] : [];
  }
  const told: string[] = [...brokenLaw(report)];
  if (exitCode === 0) told.push('told with exit code 0');
  const isPlace = (line: number) => line >= (from ?? 0) - 1 && line <= (at ?? 0) + 1;
  // Balances are those of a whole statement.
  const isShown = findings.some(({ code, line }) => code === 'balance_break' || isPlace(line));
  if (at !== undefined && !isShown) {
    told.push(
      `line ${at} is not named: ${findings
        .map(({ message }) => message)
        .slice(0, 2)
        .join(' / ')}`,
    );
  }
  return told;
}

/** Whether days of an account are left out, and no pay-out of it is called missing but those that are. */
function coversLess({ statements, matches }: Report, { accounts, payouts }: Truth): boolean {
  const isLess = accounts.some(({ name, from, to }) => {
    const own = statements.filter(({ account }) => account === name);
    return own.every((one) => one.from > from) || own.every((one) => one.to < to);
  });
  const missing = matches.filter(({ state }) => state === 'missing_on_bank');
  const isSure = missing.every(({ settlements }) =>
    settlements.every(({ id }) =>
      payouts.some((one) => one.id === id && one.received === undefined),
    ),
  );
  return isLess && isSure;
}

/** In what a report over several files differs in money: what is in two of them counts once. */
export function comparedMoney(judged: Judged, truth: Truth): readonly string[] {
  const { report, exitCode, stderr } = judged;
  if (!report) return [`refused with ${exitCode}: ${stderr.trim()}`];
  const told = report.statementFindings.map(({ code, message }) => `${code}: ${message}`);
  for (const account of truth.accounts) {
    const { name, currency, decimals } = account;
    const own = report.movements.filter((one) => one.account === name && one.currency === currency);
    const movement = own.reduce((all, each) => all + (exact(each.movement) ?? 0n), 0n);
    const right = units(sumOf(account), decimals);
    if (movement !== right) told.push(`${name} ${currency} movement: ${movement}; right: ${right}`);
  }
  for (const payout of truth.payouts) {
    const { state, match } = stateOf(payout, report);
    const right = rightState(payout);
    if (payout.received === undefined && waiting.includes(state)) continue;
    if (state !== right) told.push(`${payout.endToEndId}: ${state}; right: ${right}`);
    else if (
      payout.received !== undefined &&
      exact(match?.received) !== units(payout.received, payout.decimals)
    ) {
      told.push(`${payout.endToEndId} received: ${match?.received?.amount}`);
    }
  }
  return [...told, ...brokenLaw(report)];
}

function stateOf({ id }: Payout, { matches }: Report) {
  const match = matches.find(({ settlements }) => settlements.some((one) => one.id === id));
  return { match, state: match?.state ?? '' };
}

function rightState({ received, amount }: Payout): string {
  if (received === undefined) return 'missing_on_bank';
  return received === amount ? 'matched' : 'difference';
}
