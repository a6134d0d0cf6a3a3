import type { BankMatch } from '../match/match.ts';
import type { Verdict } from '../reconcile/reconciled.ts';
import { entryText, matchReasonWords, paymentText } from '../report/bank/words.ts';
import { acceptanceText } from '../report/common/acceptance.ts';
import { capitalised, many, moneyText, present } from '../report/common/phrase.ts';
import type { NewsSettlement } from '../report/nightly/report.ts';
import { type BankFindings, type BankStandNow, wasTold } from './bank.ts';
import type { NewsDraft } from './news.ts';
import type { NightState } from './state.ts';

/** What the bank says that was not told before. `verdicts`: of the settlements that are not balanced. */
export function bankNews(
  { bank: told }: NightState,
  { stands, matched, problems }: BankFindings,
  verdicts: ReadonlyMap<string, Verdict>,
): readonly NewsDraft[] {
  return [
    ...problems
      .filter((problem) => !told.problems.includes(problem))
      .map((mark) => ({ kinds: ['statements'] as const, details: [mark], mark })),
    ...stands
      .filter(({ stand }) => !wasTold(told, stand))
      .map((one) => ({
        ...{ day: one.stand.day, settlement: settlementOf(one.match, verdicts) },
        entry: one.stand.kind === 'unknown_on_bank' ? one.stand.id : undefined,
        ...{ kinds: [one.stand.kind], details: detailsOf(one), mark: JSON.stringify(one.stand) },
      })),
    ...told.stands.flatMap(({ id, day, kind }) => {
      const match = matched.get(id);
      if (!match || kind === 'unknown_on_bank') return [];
      const details = match.entries.map((entry) => `${entryText(entry, match.scale)}.`);
      const settlement = settlementOf(match, verdicts);
      return { day, settlement, kinds: ['on_bank' as const], details, mark: kind };
    }),
  ];
}

/** The settlement that a match is told of: of a batch, the first. */
function settlementOf(
  { settlements: [share], currency, scale, difference }: BankMatch,
  verdicts: ReadonlyMap<string, Verdict>,
): NewsSettlement | undefined {
  if (!share) return undefined;
  const { id, accountingToken } = share.settlement;
  return {
    ...{ id, verdict: verdicts.get(id) ?? ('balanced' as const), accountingToken, currency },
    difference: difference === undefined ? undefined : { minor: difference, scale, currency },
  };
}

function detailsOf({ match, acceptance }: BankStandNow): readonly string[] {
  const { settlements, entries, currency, scale, reason, ageDays } = match;
  if (settlements.length === 0) return entries.map((one) => `${paymentText(one, scale)}.`);
  const [expected, received] = [match.expected, match.received].map((minor) =>
    moneyText({ minor, scale, currency }),
  );
  const others = settlements.length - 1;
  return [
    ...present(acceptance && `${capitalised(acceptanceText(acceptance))}.`),
    match.state === 'missing_on_bank'
      ? `Expected ${expected}, not on the bank statements after ${many(ageDays ?? 0, 'day')}.`
      : `Expected ${expected}, received ${received}${reason ? `: ${matchReasonWords[reason]}` : ''}.`,
    ...present(others > 0 && `Together with ${many(others, 'other settlement')}.`),
    ...entries.map((one) => `${entryText(one, scale)}.`),
  ];
}
