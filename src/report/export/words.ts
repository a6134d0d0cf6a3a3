import { keysOf } from '../../base/lists.ts';
import type { Entry } from '../../reconcile/entry.ts';
import type { ReconciledSettlement } from '../../reconcile/reconcile-settlement.ts';
import { daysText, enumerate, firstOf, many, signedMoneyText } from '../common/phrase.ts';
import { sentence, unknownStatusTexts } from '../common/words.ts';
import type { SettlementsReport } from '../settlements/report.ts';
import type { DaysOutside, Problem, SettlementRestatement, UnreadDay } from './report.ts';

/** What is out of balance or could not be read: by settlement, then unknown statuses, then across settlements. */
export function problemsOf({
  run,
  names,
  explanations,
}: Pick<SettlementsReport, 'run' | 'names' | 'explanations'>): readonly Problem[] {
  const settlements = run.settlements.filter(
    ({ verdict }) => verdict === 'out_of_balance' || verdict === 'incomplete',
  );
  return [
    ...settlements.map((one) => {
      const name = names.get(one.settlement.accountingToken);
      const of = name === undefined ? '' : ` (${name})`;
      const explanation = explanations?.get(one.settlement.id);
      const because = explanation === undefined ? '' : `. ${explanation}`;
      const text = `settlement ${one.settlement.id}${of}: ${found(one)}${because}`;
      return { text, ...obstacleIn(one.discrepancies, one.settlement.id) };
    }),
    ...unknownStatusTexts(run.settlements).map((text) => ({ text })),
    ...run.findings
      .filter(({ weight }) => weight !== 'ignored')
      .map((finding) => ({ text: sentence(finding), ...obstacleIn([finding]) })),
  ];
}

function obstacleIn(entries: readonly Entry[], ...settlementIds: readonly string[]) {
  const obstacles = entries.filter(isObstacle);
  const facts = obstacles.map(({ code, count }) => `${code} ${count}`);
  const [first] = obstacles;
  return {
    obstacle: first?.code,
    obstacleFacts: first && [...settlementIds, ...facts].join(' '),
  };
}

/** What couldn't be read or the difference in pay-in leads; the entries say the rest. */
function found({ difference, discrepancies, settlement, scale }: ReconciledSettlement): string {
  const payIn = difference?.payIn;
  const money =
    payIn === undefined || payIn === 0n
      ? []
      : [`pay-in difference ${signedMoneyText({ ...settlement, minor: payIn, scale })}`];
  const obstacles = discrepancies.filter(isObstacle);
  const others = discrepancies.filter((entry) => !isObstacle(entry));
  return [...money, ...[...obstacles, ...others].map(sentence)].join('; ');
}

const isObstacle = ({ weight }: Entry): boolean => weight === 'incomplete';

/** What changed in a settlement since it was exported last, amount by amount. */
export function restatementText(restatement: SettlementRestatement): string {
  return `settlement ${restatement.settlement.id}: ${changeClauses(restatement)}`;
}

/** The same without its name. */
export function changeClauses(restatement: SettlementRestatement): string {
  const { change, fields, transactions } = restatement;
  const { added, removed, changed } = transactions;
  const rows = [
    ...(added > 0 ? [`${many(added, 'transaction')} added`] : []),
    ...(removed > 0 ? [`${many(removed, 'transaction')} removed`] : []),
    ...(changed > 0 ? [`${many(changed, 'transaction')} changed`] : []),
  ];
  const values = fields.map(
    ({ field, before, after }) => `${field} ${shown(before)} -> ${shown(after)}`,
  );
  const said =
    change === 'changed'
      ? [...values, ...rows]
      : [`${change}, with ${rows.length > 0 ? enumerate(rows) : 'no transactions'}`];
  return said.join('; ');
}

const shown = (value: string): string => (value === '' ? '(none)' : value);

type DaysText = (days: readonly string[]) => string;

const outside =
  (what: string, next: string): DaysText =>
  (days) =>
    `Outside this range, ${what}: ${daysText(days)}. ${next}`;

const outsideWords: { readonly [What in keyof DaysOutside]: DaysText } = {
  missing: (days) =>
    `The folder is missing ${many(days.length, 'day')} between its first and last: ` +
    `${daysText(days)}. Export them too.`,
  pending: outside('settlements were still pending when exported', 'Export these days again.'),
  damaged: outside('manifests differ from what was written', 'Run recon export --verify.'),
  incomplete: outside('days were published incomplete', 'Export these days again.'),
};

/** What is left undone outside the range of a run, a sentence for each kind. */
export function outsideSentences(undone: DaysOutside): readonly string[] {
  const kinds = keysOf(outsideWords).filter((what) => undone[what].length > 0);
  return kinds.map((what) => outsideWords[what](undone[what]));
}

/** Why a day was not published incomplete, though that was asked for: of the version in place. */
export const keptTexts = {
  complete: 'the complete version in the export is kept; an incomplete one cannot replace it',
  damaged:
    "files of the version in the export have changed since it was written; to publish an incomplete version, move the day's folder away",
} as const;

/** Names days that are not complete because pending settlements were not fully read; empty without any. */
export function unreadDaysSentence(unread: readonly UnreadDay[]): string {
  if (unread.length === 0) return '';
  const named = unread.map(({ day, settlementIds }) => `${day} (${firstOf(settlementIds)})`);
  const are = unread.length === 1 ? 'is' : 'are';
  return `${many(unread.length, 'day')} ${are} not complete, because pending settlements were not fully read: ${firstOf(named)}.`;
}

/** Names days that are used though they are incomplete. */
export function publishedIncompleteSentence(days: readonly string[]): string {
  const are = days.length === 1 ? 'This day was' : 'These days were';
  return `${are} published incomplete: ${daysText(days)}.`;
}

/** What there is to say of days, or of their folders, whose manifests carry no digest of themselves. */
export function noDigestSentence(places: readonly string[]): string {
  return (
    `An older version of recon exported ${many(places.length, 'day')} without a digest of the manifest, ` +
    `so changes to it may go unnoticed: ${firstOf(places)}. Export again to add it.`
  );
}
