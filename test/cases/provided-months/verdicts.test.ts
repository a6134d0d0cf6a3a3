import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { referenceOf } from './adyen.ts';
import { openDesk } from './desk.ts';
import { damagedText, isInMonth, minorOf, month, type ProviderName } from './ledger.ts';
import type { ProviderMonth } from './month.ts';
import {
  type FiguresJson,
  jsonOf,
  type MissingJson,
  type ReportJson,
  type SettlementJson,
} from './said.ts';
import { seeds } from './seeds.ts';
import { missingText, moneyText, type TrueReport, type TrueSettlement, truthOf } from './truth.ts';

const figures = ['gross', 'fees', 'payIn'] as const;

function saidFigures(said: FiguresJson | null, currency: string) {
  return Object.fromEntries(
    figures.map((name) => {
      const amount = said?.[name];
      return [name, amount ? minorOf(amount.amount, currency) : undefined];
    }),
  );
}

function expectSettlement(
  said: SettlementJson,
  truth: TrueSettlement,
  provider: ProviderName,
  where: string,
): void {
  const { payout, paid, fees, computed, isGrossJudged } = truth;
  const { currency, day } = payout;
  expect.soft(truth.verdicts, `${where} verdict`).toContain(said.verdict);
  expect.soft(said.serviceSays, where).toBe('nothing');
  expect.soft({ date: said.date, currency: said.currency }, where).toEqual({ date: day, currency });
  if (truth.isJudged && provider === 'adyen')
    expect
      .soft([...said.paymentReferences].sort(), where)
      .toEqual((payout.stated ?? []).map((_, at) => referenceOf(payout, at)));
  const rests = fees === undefined ? ['payIn'] : ['fees', 'payIn'];
  expect.soft(said.restsOn, where).toEqual(rests);
  const { gross, tax, transactions } = said.reported;
  expect.soft({ gross, tax, transactions }, where).toEqual({
    ...{ gross: null, tax: null, transactions: null },
  });
  if (!truth.isJudged) return;
  const reported = saidFigures(said.reported, currency);
  expect.soft(reported, where).toEqual({ gross: undefined, fees, payIn: paid });
  if (said.verdict === 'incomplete') return;
  const { gross: saidGross, ...others } = saidFigures(said.computed, currency);
  const { gross: trueGross, ...trueOthers } = computed;
  expect.soft(others, where).toEqual(trueOthers);
  if (isGrossJudged) expect.soft(saidGross, `${where} gross`).toBe(trueGross);
  expect.soft(said.computed?.transactions, where).toBe(payout.told.length);
  expect.soft(saidFigures(said.difference, currency), where).toEqual({
    gross: undefined,
    fees: fees === undefined ? undefined : fees - computed.fees,
    payIn: paid - computed.payIn,
  });
  // What differs is never said to agree.
  if (said.verdict === 'out_of_balance')
    expect.soft(said.explanation ?? '', where).not.toContain('sums agree');
}

function missingOf(one: MissingJson): string {
  const { kind, account, from, to = '', rows = 0 } = one;
  const money = (said: MissingJson['sum']) =>
    said ? moneyText(minorOf(said.amount, said.currency), said.currency) : '';
  if (kind === 'numbers') return missingText.numbers(account, from, to);
  if (kind === 'carried')
    return missingText.carried(account, from, to, money(one.out), money(one.arrived));
  if (kind === 'no_payout') return missingText.noPayout(account, from, rows, money(one.sum));
  if (kind === 'no_rows') return missingText.noRows(account, from, money(one.sum));
  return missingText.differs(account, from);
}

function expectReport(
  said: ReportJson,
  truth: TrueReport,
  { provider, faults, files }: ProviderMonth,
  where: string,
): void {
  expect.soft(said.verdict, where).toBe(truth.verdict);
  expect.soft(said.completeness.complete, where).toBe(truth.verdict !== 'incomplete');
  const told = said.findings.filter(({ code }) => code === 'missing_files');
  const missing = told.flatMap(({ facts }) => (facts.examples ?? []).map(missingOf));
  const judged = missing.filter((one) => !truth.mayBeMissing.includes(one));
  expect.soft(judged.sort(), where).toEqual(truth.missing);
  for (const { weight } of told) expect.soft(weight, where).toBe('incomplete');
  const repeated = said.findings.some(({ code }) => code === 'repeated_files');
  // The other file of Adyen has the whole batch.
  const differ = provider.isNumbered && faults.some(({ kind }) => kind === 'files_differ');
  expect.soft(repeated, `${where} repeated`).toBe(provider.isRepeated || differ);
  const byId = new Map(said.settlements.map((one) => [one.id, one]));
  const ids = truth.settlements
    .filter(({ mayBeAbsent, payout }) => !mayBeAbsent || byId.has(payout.id))
    .map(({ payout }) => payout.id);
  expect.soft([...byId.keys()].sort(), where).toEqual(ids.sort());
  for (const one of truth.settlements) {
    const own = byId.get(one.payout.id);
    if (own) expectSettlement(own, one, provider.name, `${where} ${one.payout.id}`);
  }
  // A line that cannot be read is named with its file and its line.
  const texts = JSON.stringify(said);
  const places = files.flatMap(({ name, text }) =>
    text
      .split('\n')
      .flatMap((line, at) => (line.includes(damagedText) ? [`${name}:${at + 1}`] : [])),
  );
  expect.soft(places.length > 0, where).toBe(truth.unreadable > 0);
  if (places.length > 0)
    expect
      .soft(
        places.some((place) => texts.includes(place)),
        `${where} places`,
      )
      .toBe(true);
}

function expectScreen(screen: string, truth: TrueReport, where: string): void {
  const headline = {
    balanced: 'BALANCED',
    out_of_balance: 'OUT OF BALANCE',
    incomplete: 'INCOMPLETE',
  };
  expect.soft(screen.split('\n')[0], where).toBe(headline[truth.verdict]);
  const lineOf = (name: string) =>
    screen
      .split('\n')
      .find((line) => line.startsWith(name))
      ?.slice(name.length)
      .trim();
  const read = lineOf('Everything read') ?? '';
  expect.soft(read.split(/[: ]/)[0], where).toBe(truth.verdict === 'incomplete' ? 'NO' : 'yes');
  const others = truth.rests === 'net pay-out' ? 'gross, fees, tax' : 'gross, tax';
  expect
    .soft(lineOf('Verdicts rest on'), where)
    .toBe(`${truth.rests}; ${others} and count are not stated`);
}

function expectCsv(csv: string, truth: TrueReport, where: string): void {
  const records: readonly Readonly<Record<string, string>>[] = parse(csv, { columns: true });
  const byId = new Map(records.map((one) => [one['settlement_id'], one]));
  for (const { payout, isJudged, paid, fees, verdicts } of truth.settlements) {
    const own = byId.get(payout.id);
    if (!own || !isJudged) continue;
    const units = (name: string) => {
      const text = own[name] ?? '';
      return text === '' ? undefined : minorOf(text, payout.currency);
    };
    const at = `${where} ${payout.id}`;
    expect.soft(verdicts, at).toContain(own['verdict']);
    for (const name of ['gross', 'tax', 'transactions'])
      expect.soft([own[`${name}_reported`], own[`${name}_difference`]], at).toEqual(['', '']);
    expect.soft(units('fees_reported'), at).toBe(fees);
    expect.soft(units('pay_in_reported'), at).toBe(paid);
  }
}

test.each(seeds)(
  'months of three providers have the verdicts that are true: seed %i',
  async (seed) => {
    const { months, run } = await openDesk(seed);
    const settlements = ['settlements', '--month', month.name];
    for (const one of months) {
      const { name } = one.provider;
      const truth = truthOf(one);
      const planted = one.faults.map(({ kind, payout }) => `${kind} ${payout.id}`).join(', ');
      const where = `seed ${seed}, ${name} (${planted || 'nothing planted'})`;
      const profile = ['--profile', name];
      const report = await run([...settlements, ...profile, '--format', 'json']);
      expect.soft(report.exitCode, where).toBe(truth.exitCode);
      expectReport(jsonOf<ReportJson>(report), truth, one, where);
      const csv = await run([...settlements, ...profile, '--format', 'csv']);
      expectCsv(csv.stdout, truth, where);
      const screen = await run([...settlements, ...profile], {
        columns: 200,
        env: { NO_COLOR: '1' },
      });
      expectScreen(screen.stdout, truth, where);
    }
    const all = await run([
      ...settlements,
      '--profile',
      months.map(({ provider }) => provider.name).join(),
      '--format',
      'json',
    ]);
    const codes = months.map((one) => truthOf(one).exitCode);
    expect.soft(all.exitCode, `seed ${seed}`).toBe(codes.includes(4) ? 4 : Math.max(...codes));
    expect.soft(months.every(({ provider }) => provider.payouts.some(isInMonth))).toBe(true);
  },
);
