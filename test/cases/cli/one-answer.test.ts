import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { causeNames } from '../../../src/report/explain/cause-words.ts';
import { camtStatement } from '../../../src/sandbox/bank.ts';
import type { Scenario } from '../../../src/sandbox/scenario.ts';
import { loadScenario, scenarioNames } from '../../../src/sandbox/scenarios.ts';
import { off, settlement } from '../../cli/nights.ts';
import { readRecords } from '../../cli/read-report.ts';
import { march, purchases, scenarioOf, startService } from '../../cli/service.ts';
import { temporaryFolder } from '../../cli/temporary.ts';
import { runRecon } from '../../support/run-recon.ts';

/** What a report says whose search was shorter than that of another. */
const isShorter = 'No explanation found. recon explain searches further.';
const isAlone = 'also compare all settlements of the month';

interface Settlement {
  readonly id: string;
  readonly verdict: string;
  readonly explanation: string | null;
}

interface Json {
  readonly settlements: readonly Settlement[];
  readonly news: readonly {
    readonly kind: string;
    readonly settlement: { readonly id: string } | null;
    readonly details: readonly string[];
  }[];
}

/** What each report says of the settlements that are out of balance. */
async function answersOf(scenario: Scenario) {
  const { env, clock } = await startService(scenario);
  const run = (...args: readonly string[]) => runRecon(args, { env, clock });
  const json = async (...args: readonly string[]) =>
    JSON.parse((await run(...args, '--format', 'json')).stdout) as Json;
  const explanations = ({ settlements }: Json) =>
    new Map(settlements.map(({ id, explanation }) => [id, explanation ?? '']));
  const all = await json('settlements', ...march);
  const off = all.settlements.filter(({ verdict }) => verdict === 'out_of_balance');
  if (off.length === 0) return [];
  const ids = off.map(({ id }) => id);
  const ofSettlements = explanations(all);
  const ofExplain = explanations(await json('explain', ...march));
  const alone = explanations(await json('explain', ...ids));
  const folder = await temporaryFolder();
  const [statement, decisions] = [join(folder, 'bank.xml'), join(folder, 'decisions.csv')];
  await writeFile(statement, camtStatement(scenario).text);
  await run('close', statement, ...march, '--decisions', decisions);
  const lines = readRecords(await readFile(decisions, 'utf8'));
  const causes = new Map(lines.map((one) => [one['settlement_id'], one['cause'] ?? '']));
  const { news } = await json('nightly', '--out', join(folder, 'out'), '--since', '2026-03-01');
  const patterns = news.filter(({ kind }) => kind === 'pattern').flatMap((one) => one.details);
  const differing = ids.filter((id) => alone.get(id) !== ofExplain.get(id));
  const said = differing.length === 0 ? '' : (await run('explain', ...differing)).stdout;
  return ids.map((id) => {
    const own = news.find(({ settlement }) => settlement?.id === id);
    return {
      ofSettlements: ofSettlements.get(id) ?? '',
      ofExplain: ofExplain.get(id) ?? '',
      isAsAlone: !differing.includes(id) || said.includes(isAlone),
      ofClose: causes.get(id) ?? '',
      ofNight: own ? own.details : patterns,
    };
  });
}

type Answers = Awaited<ReturnType<typeof answersOf>>[number];

/** A text without numbers of transactions: a close has one text for all settlements with the same cause. */
function withoutNumbers(text: string): string {
  const alike = text.toLowerCase().replaceAll(/\b(one|\d+) transactions?\b/g, 'transactions');
  return alike.replaceAll('transactions that is', 'transactions that are');
}

/** The cause that a close gives in few words, in the words of `settlements`. */
function expectSameCause({ ofClose, ofSettlements }: Answers): void {
  const titled = /^((?:Likely |Possible )?[Cc]auses?|Explanation): (.*)$/.exec(ofClose);
  const [, title = '', said = ofClose] = titled ?? [];
  expect(ofSettlements.startsWith(title === 'Explanation' ? '' : title)).toBe(true);
  const names: readonly string[] = Object.values(causeNames);
  for (const clause of said.replace(/\.$/, '').split('; and ')) {
    if (names.includes(clause)) continue;
    expect(withoutNumbers(ofSettlements)).toContain(withoutNumbers(clause));
  }
}

function expectOneAnswer(answers: readonly Answers[]): void {
  for (const one of answers) {
    const { ofSettlements, ofExplain, isAsAlone, ofNight } = one;
    if (ofSettlements !== isShorter && ofExplain !== '') expect(ofSettlements).toContain(ofExplain);
    expect(isAsAlone).toBe(true);
    const [, pattern = ofSettlements] =
      /^Likely cause: as in all \d+ settlements, (.*)$/.exec(ofSettlements) ?? [];
    expect(ofNight.join(' ')).toContain(pattern.replace(' See the proposed rule.', ''));
    expectSameCause(one);
  }
}

describe('settlements, explain, close and nightly have one answer', () => {
  test.each(scenarioNames)('in scenario %s of the sandbox', async (name) => {
    expectOneAnswer(await answersOf(await loadScenario(name)));
  });

  const days = [2, 3, 4, 5];
  const withFee = (day: number) =>
    settlement(day, { rows: purchases(day), off: { fees: 25, amountPayIn: -25 } });

  test('where a fee is in all settlements', async () => {
    const answers = await answersOf(scenarioOf(days.map(withFee)));
    expectOneAnswer(answers);
    expect(answers.map(({ ofExplain }) => ofExplain)).toEqual(
      days.map(() => expect.stringContaining("the settlement's fees are 0.25 EUR higher")),
    );
  });

  test('where something else differs in some of them', async () => {
    const odd = settlement(11, { off: { ...off.off, fees: 25, amountPayIn: -20 } });
    const answers = await answersOf(scenarioOf([...days.map(withFee), odd]));
    expectOneAnswer(answers);
    expect(answers.at(-1)?.ofSettlements).toContain('Explains fees only');
  });

  test('where a rule of rounding is proposed', async () => {
    const rounded = [2, 3, 4, 5].map((day) => {
      const prices = Array.from({ length: 30 }, (_, row) => 1000 + 37 * (day * 31 + row));
      const fees = prices.map((price) => Math.floor((price * 15) / 1000));
      const sum = (all: readonly number[]) => all.reduce((total, one) => total + one, 0);
      const more = Math.round((sum(prices) * 15) / 1000) - sum(fees);
      const rows = prices.map((price, row) => ['purchase', price, fees[row] ?? 0, 0] as const);
      return settlement(day, { rows, off: { fees: more, amountPayIn: -more } });
    });
    const answers = await answersOf(scenarioOf(rounded));
    expectOneAnswer(answers);
    expect(answers[0]?.ofSettlements).toMatch(/^Likely cause: .* See the proposed rule\.$/);
  });
});
