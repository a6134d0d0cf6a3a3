import {
  type AcceptedLine,
  type AcceptedPayout,
  type DecisionMade,
  decisionMade,
  type Reasons,
} from '../../model/accepted-difference.ts';
import { type Value, valueText } from '../../model/value.ts';
import type { Acceptance, AcceptanceChange } from '../../reconcile/acceptance.ts';
import type { ReconciledSettlement } from '../../reconcile/reconcile-settlement.ts';
import { alarm, plain } from './blocks.ts';
import { measureKey } from './columns.ts';
import { capitalised, enumerate, grouped, present, withoutStop } from './phrase.ts';
import type { Remark } from './view.ts';
import { measures, measureWords } from './words.ts';

/** `accepted on 2026-03-20 by Anna until 2026-06-30`. */
export function acceptedText(line: AcceptedLine | DecisionMade): string {
  const { on, by, until } = line;
  return present(
    `${decisionText(line)} on ${on}`,
    by && `by ${by}`,
    until && `until ${until}`,
  ).join(' ');
}

/** `settled with 63dfe00c-…`. */
function decisionText(line: AcceptedLine | DecisionMade): string {
  const { kind, with: named } = 'kind' in line ? line : decisionMade(line);
  if (kind === 'confirmed') return `confirmed with ${enumerate(named)}`;
  if (kind === 'settled_with') return `settled with ${enumerate(named)}`;
  return kind === 'written_off' ? 'written off' : 'accepted';
}

/** `confirmed with march.csv:12 on 2026-03-20 by Anna: seen on paper`. Without a full stop. */
export function decidedText(line: AcceptedLine | DecisionMade): string {
  return present(acceptedText(line), withoutStop(line.reason)).join(': ');
}

/** Why a difference was accepted, or why it no longer is. Without a full stop. */
export function acceptanceText({ state, line, changes }: Acceptance<AcceptedLine>): string {
  switch (state) {
    case 'accepted':
      return decidedText(line);
    case 'expired':
      return `${decisionText(line)} on ${line.on}, but only until ${line.until}`;
    case 'changed':
      return `${decisionText(line)} on ${line.on}, but ${enumerate(changes.map(acceptanceChangeText))}`;
  }
}

/** The same as a sentence; empty if nothing was accepted. */
export function acceptanceSentence({ acceptance }: ReconciledSettlement): string {
  return acceptance ? `${capitalised(acceptanceText(acceptance))}.` : '';
}

/** `reported fees changed from 35.84 to 36.00`. */
export function acceptanceChangeText({ field: key, before, after }: AcceptanceChange): string {
  if (isList(before) && isList(after)) return codesText(before, after);
  if (key === 'settled_with') return 'that one is no longer as it was';
  if (key === 'confirmed') return 'the statements do not have that entry as it was';
  const [was, is] = [before, after].map((value) => {
    // Account numbers are not grouped as amounts are.
    return (typeof value === 'string' ? value : grouped(valueText(value))) || 'none';
  });
  return `${fieldWords.get(key) ?? key} changed from ${was} to ${is}`;
}

function isList(value: Value): value is readonly string[] {
  return typeof value === 'object' && !('minor' in value);
}

/** `the finding count is new and the finding scale is gone`. */
function codesText(before: readonly string[], after: readonly string[]): string {
  const among = (some: readonly string[], others: readonly string[], is: string) =>
    some.filter((code) => !others.includes(code)).map((code) => `the finding ${code} is ${is}`);
  return enumerate([...among(after, before, 'new'), ...among(before, after, 'gone')]);
}

const fieldWords: ReadonlyMap<string, string> = new Map(
  ['reported', 'computed'].flatMap((side) => [
    [`transactions_${side}`, `${side === 'computed' ? 'listed' : side} transactions`] as const,
    ...measures.map(
      (one) => [`${measureKey(one)}_${side}`, `${side} ${measureWords[one]}`] as const,
    ),
  ]),
);

/** Why a difference was accepted; an alarm if it no longer is. */
export function acceptanceRemarks(acceptance?: Acceptance<AcceptedLine>): readonly Remark[] {
  if (!acceptance) return [];
  const text = acceptanceText(acceptance);
  return [acceptance.state === 'accepted' ? plain(text, '=') : alarm(text)];
}

/** An acceptance in JSON; null if nothing was accepted. */
export function jsonAcceptance(acceptance: Acceptance<AcceptedLine> | undefined) {
  if (!acceptance) return undefined;
  const { state, line } = acceptance;
  const text = (value: Value) => (isList(value) ? value.join(', ') : valueText(value));
  const changes = acceptance.changes.map(({ field, before, after }) => {
    return { field, before: text(before), after: text(after) };
  });
  return { state, ...jsonReasons(line), changes, message: acceptanceText(acceptance) };
}

/** Confirmations in JSON. */
export function jsonConfirmations(lines: readonly AcceptedPayout[]) {
  return lines.map((line) => ({ ...jsonReasons(line), places: line.confirmed?.places ?? [] }));
}

export function jsonReasons({ reason, by, on, until }: Reasons) {
  return { reason, by, acceptedOn: on, acceptedUntil: until };
}
