import { describe, expect, test } from 'vitest';
import type { BankMatch, BankState } from '../../src/match/match.ts';
import { issueOf, problemOf } from '../../src/nightly/bank.ts';
import { type NightFindings, newsOf } from '../../src/nightly/news.ts';
import { type NightState, noState } from '../../src/nightly/state.ts';
import { detailTexts } from '../../src/report/nightly/words.ts';
import { idOf, settlement } from '../report/build-report.ts';
import { noFindings } from './no-findings.ts';

type BankIssue = NightState['bank']['reportedIssues'][number];
type BankFindings = NonNullable<NightFindings['bank']>;

const header = settlement({ payIn: 10_000n });
const onBank = {
  ...{ days: undefined, isRead: true, matched: 0, missing: 0, differences: 0, accepted: 0 },
  ...{ undecided: 0, knownProblems: [] },
  ...{ unknown: new Set<string>(), explained: new Set<string>(), known: new Set<string>() },
};

function match(state: BankState, received: bigint): BankMatch {
  return {
    ...{ state, by: undefined, reason: undefined, currency: 'EUR', scale: 2, entries: [] },
    settlements: [{ settlement: header, received }],
    ...{ expected: 10_000n, received, ageDays: 12 },
    difference: state === 'missing_on_bank' ? undefined : received - 10_000n,
  };
}

const missing = match('missing_on_bank', 0n);
const short = match('difference', 9_850n);

const stateOf = (stands: readonly BankIssue[], problems: string[][] = []) => ({
  reportedIssues: [...stands],
  problems,
});

/** The issue of a match, as it is reported. */
function issue(one: BankMatch): BankIssue {
  const found = issueOf(one, stateOf([]), undefined);
  if (!found) throw new Error(`A match that is ${one.state} is no issue.`);
  return found.issue;
}

function news(now: Partial<BankFindings>) {
  const bank = { issues: [], resolved: [], problems: [], next: stateOf([]), onBank, ...now };
  const scope = { profile: null, host: 'api.example.com', filters: {} };
  return newsOf(noState, { ...noFindings, bank }, scope).map((one) => ({
    ...one,
    details: one.details.flatMap(detailTexts),
  }));
}

/** What is new of a match, after these issues were reported. */
function newsOfMatch(told: readonly BankIssue[], one: BankMatch) {
  const found = issueOf(one, stateOf(told), undefined);
  return news({ issues: found ? [found] : [] });
}

describe('a pay-out on the bank', () => {
  test.each<[string, readonly BankIssue[], BankMatch, string[]]>([
    ['missing for the first time', [], missing, ['missing_on_bank']],
    ['still missing', [issue(missing)], missing, []],
    ['missing, and then there with a difference', [issue(missing)], short, ['bank_difference']],
    ['still with the same difference', [issue(short)], short, []],
    ['with another difference', [issue(short)], match('difference', 9_849n), ['bank_difference']],
    ['there as it should be', [], match('matched', 10_000n), []],
  ])('is news or not: %s', (_, told, now, expected) => {
    expect(newsOfMatch(told, now).map(({ kind }) => kind)).toEqual(expected);
  });

  test('is news if it was missing and is matched', () => {
    const resolved = [{ issue: issue(missing), match: match('matched', 10_000n) }];
    expect(news({ resolved })).toMatchObject([{ kind: 'on_bank', day: header.date }]);
  });

  test('is reported with its amounts, its settlement and its days', () => {
    expect(newsOfMatch([], missing)).toMatchObject([
      {
        settlement: { id: idOf(1), verdict: 'balanced', currency: 'EUR', difference: undefined },
        details: ['Expected 100.00 EUR, not on the bank statements after 12 days.'],
      },
    ]);
    expect(newsOfMatch([], short)).toMatchObject([
      {
        settlement: { difference: { minor: -150n, scale: 2 } },
        details: ['Expected 100.00 EUR, received 98.50 EUR.'],
      },
    ]);
  });

  test('is checked against statements, whose errors are reported once', () => {
    const problem = {
      cause: 'usage',
      message: 'The folder is empty.',
      where: 'statements',
      hint: null,
    } as const;
    const reason = ['usage', 'statements'];
    const problems = (told: string[][]) => [problemOf(reason, problem, stateOf([], told))];
    expect(news({ problems: problems([]) })).toMatchObject([
      { kind: 'statements', details: ['statements: The folder is empty.'] },
    ]);
    expect(news({ problems: problems([reason]) })).toEqual([]);
    expect(news({ problems: problems([['usage', 'elsewhere']]) })).toHaveLength(1);
  });
});
