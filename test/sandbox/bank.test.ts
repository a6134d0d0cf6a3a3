import { describe, expect, it } from 'vitest';
import { camtStatement, sandboxAccounts, statementsIn } from '../../src/sandbox/bank.ts';
import { loadScenario, scenarioNames } from '../../src/sandbox/scenarios.ts';

const month = await loadScenario('month');

/** All that a pattern finds, its groups as words. */
const found = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map((match) => match.slice(1).join(' '));

const entries = (pattern: RegExp) => found(camtStatement(month).text.replaceAll('\n', ''), pattern);

describe('the bank of the month', () => {
  it('has the balances of its text', () => {
    expect(
      sandboxAccounts(month).map(({ currency, opening, closing, from, to }) =>
        [currency, opening, closing, from, to].join(' '),
      ),
    ).toEqual([
      'EUR 1000000 15394420 2026-03-01 2026-03-31',
      'JPY 10000 2588885 2026-03-01 2026-03-31',
    ]);
  });

  it('pays each settlement once on the next business day, with the exceptions of its text', () => {
    const paid = sandboxAccounts(month).flatMap((account) =>
      account.entries.flatMap((entry) =>
        entry.payouts.map(({ endToEndId }) => ({ endToEndId, date: entry.date })),
      ),
    );
    const stories = month.settlements.flatMap(({ header }) => {
      const ids = header['paymentEndToEndIds'];
      const dates = paid
        .filter(({ endToEndId }) => Array.isArray(ids) && ids.includes(endToEndId))
        .map(({ date }) => date.slice(8));
      const day = Number(String(header['settlementDate']).slice(8, 10));
      // The first of March 2026 is a Sunday.
      const next = day % 7 === 6 ? day + 3 : day + 1;
      const isUsual = dates.length === 1 && Number(dates[0]) === next;
      return isUsual ? [] : [`${day} ${header['settlementStatus']}: ${dates.join(' ')}`];
    });
    expect(stories).toEqual([
      '11 settled: 19',
      '30 pending_settlement: ',
      '31 pending_settlement: ',
      '13 settled: ',
      '31 validated: ',
      '16 settled: 17 18',
      '30 pending_settlement: ',
    ]);
  });

  it('names the fee that it kept, and the pay-outs of a batch', () => {
    expect(
      entries(/<Amt Ccy="EUR">([\d.]+)<.{1,350}<TtlChrgsAndTaxAmt Ccy="EUR">([\d.]+)</g),
    ).toEqual(['5183.41 1.50']);
    expect(
      entries(
        /<NbOfTxs>(2)<.*?EndToEndId>([^<]+).*?<Amt Ccy="EUR">([^<]+).*?EndToEndId>([^<]+).*?<Amt Ccy="EUR">([^<]+)/g,
      ),
    ).toEqual(['2 E2E-20260317-12 7119.44 E2E-20260317-27 2143.03']);
  });

  it('has the same entries in every format', () => {
    const files = new Map(statementsIn(month).map(({ name, text }) => [name, text]));
    expect([...files.keys()]).toEqual([
      'month.xml',
      'month.mt940',
      'csv/month-eur.csv',
      'csv/month-jpy.csv',
    ]);
    const csv = `${files.get('csv/month-eur.csv')}${files.get('csv/month-jpy.csv')}`;
    const inCsv = found(csv, /;(-?)(\d+)(?:,(\d\d))?;(?:EUR|JPY);.*;(\S+)\r\n/g);
    const inMt940 = found(
      files.get('month.mt940') ?? '',
      /^:61:\d{10}(C|D)(\d+),(\d*)NTRFNONREF\/\/(\S+)\r$/gm,
    ).map((words) => words.replace(/^C/, '').replace(/^D/, '-'));
    const inCamt = entries(
      /<Ntry><Amt Ccy="...">(\d+)(?:\.(\d\d))?<\/Amt><CdtDbtInd>(CRDT|DBIT)<.*?<AcctSvcrRef>([^<]+)/g,
    ).map((words) =>
      words.replace(/^(\d+) (\d*) (\w+) (.*)$/, (_, whole, cents, direction, reference) =>
        [direction === 'DBIT' ? '-' : '', whole, cents, reference].join(' '),
      ),
    );
    expect(inCsv).toHaveLength(37);
    expect(inMt940).toEqual(inCsv);
    expect(inCamt).toEqual(inCsv);
  });
});

it.each(scenarioNames)('%s: the balances of a statement agree with its entries', async (name) => {
  const scenario = await loadScenario(name);
  for (const { opening, closing, from, to, entries, iban } of sandboxAccounts(scenario)) {
    expect(entries.reduce((sum, { amount }) => sum + amount, opening)).toBe(closing);
    expect(entries.every(({ date }) => from <= date && date <= to)).toBe(true);
    expect(iban).toMatch(/^DE\d{20}$/);
  }
  const written = statementsIn(scenario).map(({ text }) => text);
  // Neither format can hold these, whatever the scenario's texts.
  expect(written.slice(0, 2).join('')).not.toMatch(/[^\P{Cc}\r\n]/u);
  expect(written[1]).not.toMatch(/[^\x20-\x7e\r\n]|[^\r]\n|.{66}/);
});
