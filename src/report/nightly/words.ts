import type { News, NewsDetail, ProfileNight } from '../../app/night-result.ts';
import { countsOf } from '../../app/night-result.ts';
import { addDays } from '../../base/calendar.ts';
import type { Fault } from '../../base/errors.ts';
import type { BankMatch } from '../../match/match.ts';
import type { StatementFinding } from '../../model/bank.ts';
import type { NewsKind } from '../../model/night.ts';
import { absoluteSums, type Money, moneySums } from '../../money/money.ts';
import type { Entry } from '../../reconcile/entry.ts';
import { entryText, matchReasonWords, paymentText, statementSentence } from '../bank/words.ts';
import { closedText } from '../close/words.ts';
import { acceptanceText } from '../common/acceptance.ts';
import { alarm, plain, unsure } from '../common/blocks.ts';
import { jsonSettlementKey, jsonSum } from '../common/json.ts';
import { capitalised, enumerate, firstOf, many, moneyText, present } from '../common/phrase.ts';
import type { Remark } from '../common/view.ts';
import { entryClause } from '../common/words.ts';
import { patternAdvice, patternText } from '../explain/pattern-words.ts';
import { briefExplanation } from '../explain/words.ts';
import { changeClauses, problemText } from '../export/view.ts';
import { exportProblemText } from '../verify/words.ts';

type KindWords = readonly [
  remark: (text: string) => Remark,
  words: string,
  counted: string,
  further?: string,
];

const change = (text: string) => plain(text, '~');

/** Each kind of news: its remark, its name, and how it is counted. */
const kindWords: Readonly<Record<NewsKind, KindWords>> = {
  failed: [alarm, 'Run failed', 'failed run'],
  unread_day: [unsure, 'Day not read', 'day', ' not read'],
  statements: [unsure, 'Bank statements', 'problem', ' with bank statements'],
  closed_changed: [alarm, 'Changed after the close', 'settlement', ' changed after the close'],
  pattern: [alarm, 'Pattern', 'pattern', ' in all settlements'],
  out_of_balance: [alarm, 'Out of balance', 'new difference'],
  acceptance: [alarm, 'No longer accepted', 'difference', ' no longer accepted'],
  changed: [alarm, 'Difference changed', 'changed difference'],
  missing_on_bank: [alarm, 'Missing pay-out', 'missing pay-out'],
  bank_difference: [alarm, 'Bank difference', 'new bank difference'],
  returned_by_bank: [alarm, 'Returned by the bank', 'pay-out', ' returned by the bank'],
  unknown_on_bank: [alarm, 'Unknown to the service', 'payment', ' unknown to the service'],
  overcharged: [alarm, 'Overcharged', 'day', ' with fees above the agreed rates'],
  overdue: [unsure, 'Overdue', 'overdue settlement'],
  gone: [unsure, 'No longer listed', 'settlement', ' no longer listed'],
  no_longer_listed: [unsure, 'Day no longer listed', 'day', ' no longer listed'],
  repaired: [unsure, 'Damaged files', 'day', ' with damaged files'],
  settled: [change, 'Settled', 'pending settlement', ' now balanced'],
  balanced: [change, 'Now balanced', 'settlement', ' now balanced'],
  on_bank: [change, 'Now on the statements', 'pay-out', ' now on the bank statements'],
  moved: [change, 'Moved', 'moved settlement'],
  restated: [change, 'Changed by the service', 'change'],
  read_day: [change, 'Day now read', 'day', ' now read'],
  recovered: [change, 'Run succeeded again', 'run', ' succeeded again'],
};

export function newsRemark(kind: NewsKind, text: string): Remark {
  return kindWords[kind][0](text);
}

/** `No longer accepted`. */
export function newsWords(kind: NewsKind): string {
  return kindWords[kind][1];
}

/** `2 new differences`, `3 days with fees above the agreed rates`. */
export function newsCountText(kind: NewsKind, count: number): string {
  const [, , counted, further = ''] = kindWords[kind];
  return `${many(count, counted)}${further}`;
}

/** What news of fees above the agreed rates add up to, by currency. */
export function overchargesOf(news: readonly Pick<News, 'details'>[]): readonly Money[] {
  const entries = news.flatMap(({ details }) =>
    details.flatMap((one) => (one.about === 'discrepancy' ? one.entry : [])),
  );
  return moneySums(
    entries.flatMap((one) => (one.code === 'above_agreed_rate' ? one.facts.claim : [])),
  );
}

/** `87.80 EUR and 5.00 USD absolute`. Empty if there are no amounts. */
export function absoluteText(amounts: readonly Money[]): string {
  const texts = absoluteSums(amounts).map(moneyText);
  return texts.length === 0 ? '' : `${firstOf(texts)} absolute`;
}

/** What is new and what is known: `1 new difference, 2 moved settlements. 3 known differences, 87.80 EUR absolute.` */
export function newsSentence(profiles: readonly ProfileNight[]): string {
  const all = profiles.flatMap(({ news }) => news);
  const counts = countsOf(all).map(([kind, count]) => {
    const amounts = kind === 'overcharged' ? overchargesOf(all).map(moneyText) : [];
    return present(
      newsCountText(kind, count),
      amounts.length > 0 && `(${enumerate(amounts)})`,
    ).join(' ');
  });
  const damagedState = damagedStateText(profiles);
  const nothing = damagedState ? 'No news' : 'Nothing new since the last run';
  const what = counts.length === 0 ? nothing : counts.join(', ');
  const known = knownText(profiles.map((one) => one.known));
  const sum = (count: (one: ProfileNight) => number) =>
    profiles.reduce((total, one) => total + count(one), 0);
  const accepted = sum((one) => one.accepted);
  const onBank = sum(({ bank }) => bank?.known.size ?? 0);
  const days = sum(({ incompleteDays }) => incompleteDays.length);
  // After a failure, some differences may be unknown.
  const isSure = accepted === 0 && profiles.every(({ failure }) => !failure);
  const sentences = present(
    what,
    damagedState,
    known || (isSure && 'No known differences'),
    accepted > 0 && many(accepted, 'accepted difference'),
    onBank > 0 && `${many(onBank, 'known finding')} on the bank statements`,
    days > 0 && `${many(days, 'day')} published incomplete`,
  );
  return sentences.map((one) => `${one}.`).join(' ');
}

/** Says that `nightly.json` is damaged and where it is kept. Empty if it is not damaged. */
export function damagedStateText(nights: readonly ProfileNight[]): string {
  const names = nights.flatMap(({ stateKeptAs }) => stateKeptAs ?? []);
  if (names.length === 0) return '';
  return `nightly.json is damaged and is kept as ${enumerate(names)}, so news may have been reported before`;
}

/** `3 known differences, 87.80 EUR absolute`. Empty if there are none. */
export function knownText(known: readonly ProfileNight['known'][]): string {
  const count = known.reduce((sum, { settlements }) => sum + settlements, 0);
  const absolute = absoluteText(known.flatMap((one) => one.absolute));
  return count === 0 ? '' : present(many(count, 'known difference'), absolute).join(', ');
}

/** A piece of news in JSON, without its details. */
export function jsonNews(
  { id, kind, also, day, settlement, received }: Omit<News, 'details'>,
  { profile, names }: Pick<ProfileNight, 'profile' | 'names'>,
) {
  const { difference, codes = [] } = settlement ?? {};
  const about = settlement && {
    ...jsonSettlementKey(settlement, names),
    currency: settlement.currency,
    scale: difference?.scale,
    difference: difference?.minor,
    verdict: settlement.verdict,
    codes,
  };
  return {
    id,
    profile,
    kind,
    also,
    day,
    settlement: about,
    received: received && jsonSum(received),
  };
}

/** How the night of a profile ended: the first fields of each JSON document. */
export function jsonEnding({ profile, verdict, exitCode, publishedTo, lagDays }: ProfileNight) {
  return { profile, verdict, exitCode, publishedTo, lagDays };
}

/** A detail as sentences or parts of them. They may contain ids and texts of the service. */
export function detailTexts(detail: NewsDetail): readonly string[] {
  switch (detail.about) {
    case 'text':
      return [detail.text];
    case 'problems':
      return [detail.problems.map(problemText).join('; ')];
    case 'lost': {
      const [count, ids] = [detail.ids.length, firstOf(detail.ids)];
      const are = count === 1 ? 'is no longer listed, and its' : 'are no longer listed, and their';
      return [`${many(count, 'settlement')} ${are} new day could not be found: ${ids}.`];
    }
    case 'unknown_change':
      return ['The earlier version is no longer in the folder, so what has changed is not known.'];
    case 'no_longer_listed':
      return [
        'The service no longer lists its settlements. The exported day stays as it is, and is not compared again.',
      ];
    case 'damage': {
      const texts = detail.found.map(exportProblemText).join(' ');
      const found = texts || 'Its files have changed since they were written.';
      return [`Its files were altered, and are intact again. Found: ${found}`];
    }
    case 'acceptance':
      return [`${capitalised(acceptanceText(detail.acceptance))}.`];
    case 'overdue':
      return [`${entryClause(detail.entry)}; account ${detail.account}`];
    case 'discrepancy':
      return [discrepancyText(detail.entry)];
    case 'explanation':
      return [briefExplanation(detail.explained, detail.currency)];
    case 'pattern': {
      const { pattern, names, identity } = detail;
      return [`${patternText(pattern, names)} ${patternAdvice(pattern, identity)}`];
    }
    case 'departure':
      return [
        detail.to === 'gone'
          ? `The service no longer lists it on ${detail.from}.`
          : `The service moved it from ${detail.from} to ${detail.to}.`,
      ];
    case 'restatement':
      return [`Changed: ${changeClauses(detail.restatement)}.`];
    case 'closed':
      return [
        `${closedText(detail.record)}. What follows from the change is posted on ${addDays(detail.record.to, 1)}.`,
      ];
    case 'statements':
      return [statementProblemText(detail.problem)];
    case 'pay_out':
      return payoutTexts(detail.match);
    case 'entries':
      return detail.match.entries.map((one) => `${entryText(one, detail.match.scale)}.`);
    case 'unknown_entry':
      return detail.match.entries.map((one) => `${paymentText(one, detail.match.scale)}.`);
  }
}

/** Without the ids of the transactions: `recon fees` lists them. */
function discrepancyText(entry: Entry): string {
  if (entry.code !== 'above_agreed_rate') return entryClause(entry);
  const { claim, rates } = entry.facts;
  const transactions = many(entry.count, 'transaction');
  return `${transactions}, ${enumerate(claim.map(moneyText))} with tax (${firstOf(rates)})`;
}

function statementProblemText(problem: StatementFinding | Fault): string {
  if ('code' in problem) return statementSentence(problem);
  return present(problem.where ?? '', problem.message).join(': ');
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
