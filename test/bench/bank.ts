import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import type { BankState } from '../../src/match/match.ts';
import { csvMapping, type Places, writeStatements } from './bank-files.ts';
import { largeForms, largePayouts, writeLarge } from './bank-large.ts';
import { type BankYear, makeYear, ownAccounts, type Payout } from './bank-year.ts';
import { print, short } from './figures.ts';
import { measure, type Usage } from './processes.ts';

const program = join(process.cwd(), 'bin', 'recon.js');

/** One statement has a wrong total, with which the next one doesn't go on. */
const expectedExitCode = 1;
const expectedFindings = 'balance_break statement_gap';

const targets = { wrong: 0, foundPercent: 99, wallS: 10 };

/** Of one file of 100 MB. */
const largeTargets = { wallS: 20, peakMb: 500 };

/** Of a close of the year, reading included. */
const closeTargets = { wallS: 5, peakMb: 350 };

/** What is read of a report. */
interface Report {
  readonly matches: readonly {
    readonly state: BankState;
    readonly matchedBy: string | null;
    readonly settlements: readonly { readonly id: string }[];
    readonly entries: readonly {
      readonly part: number | null;
      readonly file: string;
      readonly line: number;
    }[];
  }[];
  readonly statementFindings: readonly { readonly code: string }[];
}

/** Answers for the service: a token, the headers of a range, and the row of a settlement. */
async function withService(payouts: readonly Payout[], work: (baseUrl: string) => Promise<void>) {
  const headers = payouts.map(headerOf);
  const rows = new Map(payouts.map((payout) => [payout.id, rowOf(payout)]));
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      response.setHeader('content-type', 'application/json');
      if (request.url === '/oauth/token') {
        response.end('{"access_token":"bench","expires_in":3600,"token_type":"Bearer"}');
        return;
      }
      const { settlementId, startDate, endDate, offset, limit } = JSON.parse(body);
      const list = settlementId
        ? [rows.get(settlementId)]
        : headers.filter(({ settlementDate }) => {
            const day = settlementDate.slice(0, 10);
            return startDate <= day && day <= endDate;
          });
      const data = list.slice(offset, offset + Math.min(limit, 100));
      response.end(JSON.stringify({ status: { code: '0', response: 'Success' }, data }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await work(`http://127.0.0.1:${Object(server.address()).port}`);
  } finally {
    server.close();
  }
}

/** In the order of the document (doc 2.7). */
function headerOf(payout: Payout) {
  const { id, token, date, status, payIn, account, endToEndIds, paymentReferences } = payout;
  return {
    settlementId: id,
    paymentService: 'cards',
    merchantId: 'M-1',
    accountingToken: token,
    settlementStatus: status,
    settlementDate: `${date}T04:00:00Z`,
    amountGross: payIn,
    fees: 0,
    tax: 0,
    currencyCode: account.currency,
    amountPayIn: payIn,
    decimalPlaces: account.scale,
    paymentEndToEndIds: endToEndIds,
    paymentReferences,
    totalTransactions: 1,
  };
}

/** In the order of the document (doc 2.8). */
function rowOf({ id, date, payIn, account }: Payout) {
  return {
    chargeId: id,
    transactionId: id,
    timestamp: `${date}T03:00:00Z`,
    transactionType: 'purchase',
    paymentType: 'card',
    amount: payIn,
    fees: 0,
    tax: 0,
    decimalPlaces: String(account.scale),
    currencyCode: account.currency,
    state: 'approved',
    orderId: id,
    notes: [],
    settlementId: id,
  };
}

/** What a report says of settlements and entries, in the words of the truth. */
function saidIn({ matches }: Report, places: Places) {
  return matches.map(({ state, matchedBy, settlements, entries }) => ({
    state,
    by: matchedBy ?? '',
    settlements: settlements.map(({ id }) => id),
    entries: entries.map(({ file, line, part }) => {
      const number = places.get(`${file}:${line}`);
      if (number === undefined) throw new Error(`No entry was written at ${file}:${line}`);
      return part === null ? String(number) : `${number}.${part}`;
    }),
  }));
}

type Said = ReturnType<typeof saidIn>[number];

/** Whether a match puts together what belongs together, and nothing else, and is rightly that sure. */
function isTrue(said: Said, truths: ReadonlyMap<string, Payout['truth']>): boolean {
  const due = said.settlements.flatMap((id) => truths.get(id) ?? []);
  const entries = new Set(due.flatMap((one) => one.entries));
  const areSame =
    entries.size === said.entries.length && said.entries.every((one) => entries.has(one));
  // Money that is said to have come, or to be gone, counts whatever the amount.
  if (isPaid(said)) return areSame && due.every(({ state }) => state === said.state);
  // What is found by less or by more than was thought is right all the same.
  const sure: readonly BankState[] = ['matched', 'suggested'];
  return areSame && due.every(({ state }) => sure.includes(state));
}

function isPaid({ state }: Said): boolean {
  return state === 'difference' || state === 'returned';
}

/** Prints how much was found, and what is wrong. Returns whether all targets are met. */
function printFound({ payouts, lines }: BankYear, report: Report, places: Places): boolean {
  const truths = new Map(payouts.map(({ id, truth }) => [id, truth]));
  const said = saidIn(report, places);
  const wrong = said.filter(
    (one) => (isPaid(one) || /^(matched|suggested)$/.test(one.state)) && !isTrue(one, truths),
  );
  const found = new Map(said.flatMap((one) => one.settlements.map((id) => [id, one] as const)));
  const matchable = payouts.filter(({ truth }) => truth.left !== 'nothing');
  const rightly = (payout: Payout) => {
    const one = found.get(payout.id);
    const isSame = one?.entries.length === payout.truth.entries.length || one?.state === 'matched';
    return one?.state === payout.truth.state && isSame;
  };
  const good = matchable.filter(rightly);
  const named = (state: BankState) => good.filter(({ truth }) => truth.state === state).length;
  const percent = (100 * good.length) / matchable.length;
  print('  pay-outs, entries', String(payouts.length), String(lines.length));
  print('  matchable', String(matchable.length));
  print('    by a key', String(matchable.filter(({ truth }) => truth.left === 'key').length));
  print('  found', String(good.length), `${percent.toFixed(2)} %`, `>= ${targets.foundPercent} %`);
  print('    matched, suggested', String(named('matched')), String(named('suggested')));
  print('    with a difference, returned', String(named('difference')), String(named('returned')));
  print('    pending on the bank', String(named('pending_on_bank')));
  print('  wrong', String(wrong.length), '', `<= ${targets.wrong}`);
  for (const one of wrong.slice(0, 10)) print('    wrong:', JSON.stringify(one));
  for (const { id, truth, account } of matchable.filter((one) => !rightly(one)).slice(0, 12)) {
    const { state, entries } = found.get(id) ?? {};
    print('    not found:', JSON.stringify({ id, truth, format: account.format, state, entries }));
  }
  const nothing = payouts.filter(({ truth }) => truth.left === 'nothing');
  const other = nothing.filter((one) => found.get(one.id)?.state !== one.truth.state);
  print('  not matchable, told otherwise', String(other.length), `of ${nothing.length}`);
  return wrong.length <= targets.wrong && percent >= targets.foundPercent;
}

/** Prints what single large files take, of each format and to each kind of output, with pay-outs to match. */
async function readLarge(bytes: number, formats: readonly string[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'recon-bank-'));
  const payouts = largePayouts();
  try {
    await withService(payouts, async (baseUrl) => {
      for (const form of largeForms) {
        const file = join(folder, form.file);
        const entries = await writeLarge(file, form, bytes, payouts);
        for (const format of formats) {
          const output = join(folder, `bank.${format}`);
          const args = [program, 'bank', file, '--month', '2026-03', '--output', output];
          const found = [...args, '--format', format, '--quiet', '--fail-on', 'none'];
          const usage = await measure(found, baseUrl, 0, {
            RECON_BANK_CSV: JSON.stringify(csvMapping),
          });
          const isMet =
            usage.wallMs <= largeTargets.wallS * 1e3 && usage.peakMb <= largeTargets.peakMb;
          print(
            `${form.file}, ${entries} entries, ${format}`,
            `${short(usage.wallMs / 1e3)} s`,
            `${short(usage.cpuMs / 1e3)} s CPU`,
            `${short(usage.peakMb)} MB`,
            isMet ? '' : '  MISSED',
          );
          if (format === 'csv') printMatched(await readFile(output, 'utf8'), payouts);
          await rm(output);
          if (!isMet) process.exitCode = 1;
        }
        await rm(file);
      }
    });
    print('  targets', `<= ${largeTargets.wallS} s`, `<= ${largeTargets.peakMb} MB`);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Prints whether exactly the pay-outs that are there by their ids were matched. */
function printMatched(csv: string, payouts: readonly Payout[]): void {
  const matched = new Set(
    csv.split('\n').flatMap((line) => /^\d+,matched,.*?(00000000-[\w-]{27})/.exec(line)?.[1] ?? []),
  );
  const isRight = payouts.every(({ id, truth }) => matched.has(id) === (truth.state === 'matched'));
  print('  matched', String(matched.size), '', isRight ? '' : '  WRONG');
  if (!isRight) process.exitCode = 1;
}

/** Prints what a close takes beside the reading that it has to do. */
function printClose(reading: Usage, close: Usage): void {
  for (const [name, { wallMs, cpuMs, peakMb }] of Object.entries({ settlements: reading, close })) {
    const cells = [
      `${short(wallMs / 1e3)} s`,
      ` ${short(cpuMs / 1e3)} s CPU`,
      `${short(peakMb)} MB`,
    ];
    print(`  ${name}`, ...cells);
  }
  const isMet = close.wallMs <= closeTargets.wallS * 1e3 && close.peakMb <= closeTargets.peakMb;
  const limits = [`<= ${closeTargets.wallS} s`, '', `<= ${closeTargets.peakMb} MB`];
  print('  targets of close', ...limits, isMet ? '' : '  MISSED');
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      payouts: { type: 'string', default: '5000' },
      entries: { type: 'string', default: '8000' },
      seeds: { type: 'string', default: '3' },
      from: { type: 'string', default: '1' },
      keep: { type: 'boolean', default: false },
      large: { type: 'boolean', default: false },
      formats: { type: 'string', default: 'csv,table,json' },
      megabytes: { type: 'string', default: '100' },
    },
  });
  if (values.large) return readLarge(Number(values.megabytes) * 1e6, values.formats.split(','));
  for (
    let seed = Number(values.from);
    seed < Number(values.from) + Number(values.seeds);
    seed += 1
  ) {
    const year = makeYear(seed, Number(values.payouts), Number(values.entries));
    const folder = await mkdtemp(join(tmpdir(), 'recon-bank-'));
    const output = join(folder, 'bank.json');
    const statements = join(folder, 'statements');
    try {
      const places = await writeStatements(statements, year.lines);
      const [{ payer }] = ownAccounts;
      await withService(year.payouts, async (baseUrl) => {
        const range = ['--from', '2026-01-01', '--to', '2026-12-31'];
        const bank = [statements, '--payout-accounts', payer];
        const ran = (command: string, format: string, ...of: readonly string[]) =>
          measure(
            [program, command, ...of, ...range, '--format', format, '--output', output, '--quiet'],
            baseUrl,
            expectedExitCode,
            { RECON_BANK_CSV: JSON.stringify(csvMapping) },
          );
        const usage = await ran('bank', 'json', ...bank);
        print(`seed ${seed}: wall, s`, short(usage.wallMs / 1e3), '', `<= ${targets.wallS}`);
        print('  CPU, s; peak memory, MB', short(usage.cpuMs / 1e3), short(usage.peakMb));
        const report: Report = JSON.parse(await readFile(output, 'utf8'));
        const isGood = printFound(year, report, places);
        const findings = report.statementFindings.map(({ code }) => code).join(' ');
        const areTrue = findings === expectedFindings;
        print('  findings in statements', findings, areTrue ? '' : '  WRONG');
        if (!isGood || !areTrue || usage.wallMs > targets.wallS * 1e3) process.exitCode = 1;
        printClose(await ran('settlements', 'csv'), await ran('close', 'csv', ...bank));
      });
    } finally {
      if (values.keep) print('  kept', folder);
      else await rm(folder, { recursive: true });
    }
  }
}

await main();
