import type { Fault } from '../../base/errors.ts';
import type { BankMatch } from '../../match/match.ts';
import type { AcceptedLine } from '../../model/accepted-difference.ts';
import type { StatementFinding } from '../../model/bank.ts';
import type { Acceptance } from '../../reconcile/acceptance.ts';
import type { Entry } from '../../reconcile/entry.ts';
import { entryText, matchReasonWords, paymentText, statementSentence } from '../bank/words.ts';
import { acceptanceText } from '../common/acceptance.ts';
import { capitalised, firstOf, many, moneyText, present } from '../common/phrase.ts';
import { sentence } from '../common/words.ts';
import type { SettlementRestatement } from '../export/report.ts';
import { changeClauses } from '../export/words.ts';

/** What is wrong with bank statements: a finding in them, or why they cannot be read. */
export type StatementProblem = StatementFinding | Fault;

/** What there is to say of a piece of news, as facts. */
export type NewsDetail =
  /** The words of whoever noticed it: why a run failed, what could not be read, an explanation. */
  | { readonly about: 'text'; readonly text: string }
  /** Settlements that are no longer on their day, and whose new day is not known. */
  | { readonly about: 'lost'; readonly ids: readonly string[] }
  /** The version that was reported is no longer there to compare with. */
  | { readonly about: 'unknown_change' }
  | { readonly about: 'no_longer_listed' }
  /** What was wrong with the files of a day; empty where no more is known than that they have changed. */
  | { readonly about: 'damage'; readonly found: string }
  | { readonly about: 'acceptance'; readonly acceptance: Acceptance<AcceptedLine> }
  | { readonly about: 'overdue'; readonly entry: Entry<'overdue'>; readonly account: string }
  | { readonly about: 'discrepancy'; readonly entry: Entry }
  /** `to`: a day, or `gone` where the service no longer lists the settlement. */
  | { readonly about: 'departure'; readonly from: string; readonly to: string }
  | { readonly about: 'restatement'; readonly restatement: SettlementRestatement }
  | { readonly about: 'statements'; readonly problem: StatementProblem }
  /** A pay-out that is missing or has a difference. */
  | { readonly about: 'pay_out'; readonly match: BankMatch }
  /** What the bank has of a pay-out. */
  | { readonly about: 'entries'; readonly match: BankMatch }
  /** An entry that no pay-out explains. */
  | { readonly about: 'unknown_entry'; readonly match: BankMatch };

/** A detail as sentences, or parts of them; ids and texts of the service may stand in them. */
export function detailTexts(detail: NewsDetail): readonly string[] {
  switch (detail.about) {
    case 'text':
      return [detail.text];
    case 'lost':
      return [lostText(detail.ids)];
    case 'unknown_change':
      return ['The earlier version is no longer in the folder, so what has changed is not known.'];
    case 'no_longer_listed':
      return [
        'The service no longer lists its settlements. The exported day stays as it is, and is not compared again.',
      ];
    case 'damage': {
      const found = detail.found || 'Its files have changed since they were written.';
      return [`Its files were altered, and are intact again. Found: ${found}`];
    }
    case 'acceptance':
      return [`${capitalised(acceptanceText(detail.acceptance))}.`];
    case 'overdue':
      return [`${sentence(detail.entry)}; account ${detail.account}`];
    case 'discrepancy':
      return [sentence(detail.entry)];
    case 'departure':
      return [
        detail.to === 'gone'
          ? `The service no longer lists it on ${detail.from}.`
          : `The service moved it from ${detail.from} to ${detail.to}.`,
      ];
    case 'restatement':
      return [`Restated: ${changeClauses(detail.restatement)}.`];
    case 'statements':
      return [problemText(detail.problem)];
    case 'pay_out':
      return payoutTexts(detail.match);
    case 'entries':
      return detail.match.entries.map((one) => `${entryText(one, detail.match.scale)}.`);
    case 'unknown_entry':
      return detail.match.entries.map((one) => `${paymentText(one, detail.match.scale)}.`);
  }
}

/** What is wrong with bank statements, as a sentence. */
export function problemText(problem: StatementProblem): string {
  if ('code' in problem) return statementSentence(problem);
  return present(problem.where ?? '', problem.message).join(': ');
}

function lostText(ids: readonly string[]): string {
  const are = ids.length === 1 ? 'is no longer listed, and its' : 'are no longer listed, and their';
  return `${many(ids.length, 'settlement')} ${are} new day could not be found: ${firstOf(ids)}.`;
}

function payoutTexts(match: BankMatch): readonly string[] {
  const { settlements, currency, scale, reason, ageDays } = match;
  const [expected, received] = [match.expected, match.received].map((minor) =>
    moneyText({ minor, scale, currency }),
  );
  const others = settlements.length - 1;
  return present(
    match.state === 'missing_on_bank'
      ? `Expected ${expected}, not on the bank statements after ${many(ageDays ?? 0, 'day')}.`
      : `Expected ${expected}, received ${received}${reason ? `: ${matchReasonWords[reason]}` : ''}.`,
    others > 0 && `Together with ${many(others, 'other settlement')}.`,
  );
}
