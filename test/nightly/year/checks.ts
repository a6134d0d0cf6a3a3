import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { addDays, daysOf } from '../../../src/base/calendar.ts';
import { type Filed, isOverdue, type Places } from './book.ts';
import type { NightReport } from './report.ts';
import { type Settlement, textOf, verdictOf } from './settlement.ts';

type Listed = ReadonlyMap<string, Settlement>;

/** Whatever has come into the folder is what the service says now. */
export function expectSaid(before: Places, after: Places, listed: Listed): void {
  for (const [id, versions] of after) {
    const now = listed.get(id);
    for (const version of versions) {
      const { hasHeaderOnly = false } = version;
      const isOld = before.get(id)?.some((one) => textOf(one) === textOf(version));
      const isSaid = now && textOf({ ...now, hasHeaderOnly }) === textOf(version);
      if (!isOld && !isSaid) throw new Error(`written, and not said: ${textOf(version)}`);
    }
  }
}

/**
 * All that the service says of days from `since` on that are over and can be read is there once. `mayWait`:
 * the ids of settlements of older days that need not be noticed yet.
 */
export function expectAll(
  filed: Filed,
  listed: Listed,
  since: string,
  mayWait: ReadonlySet<string>,
): void {
  const { places, days, unread, today } = filed;
  const isMeant = ({ day }: Settlement) => day >= since && day < today && !unread.has(day);
  for (const [id, one] of listed) {
    if (!isMeant(one) || mayWait.has(id)) continue;
    const found = (places.get(id) ?? []).filter(isMeant);
    const [first] = found;
    // Rows of a pending one are read again while its day is, and when it settles.
    const hasHeaderOnly = first?.hasHeaderOnly === true && one.day < addDays(today, -7);
    if (!first || found.length > 1 || textOf(first) !== textOf({ ...one, hasHeaderOnly })) {
      const texts = found.map(textOf).join('\nand\n');
      throw new Error(`said:\n${textOf(one)}\nand not written, but\n${texts}`);
    }
  }
  const daysListed = new Set([...listed.values()].map(({ day }) => day));
  for (const [id, versions] of places) {
    const now = listed.get(id);
    if (mayWait.has(id)) continue;
    // Where it has gone nobody has read yet.
    if (now && unread.has(now.day)) continue;
    for (const one of versions.filter(isMeant)) {
      // An old day of which nothing is listed any more stays as it was.
      if (!now && !daysListed.has(one.day) && one.day < addDays(today, -12)) continue;
      // An old day is read again only when the one where it has gone is, and that isn't over yet.
      if (now && now.day >= today && one.day < addDays(today, -7)) continue;
      if (now?.day !== one.day) throw new Error(`no longer there:\n${textOf(one)}`);
    }
  }
  const missing = daysUpTo(since, today).filter((day) => !days.has(day) && !unread.has(day));
  if (missing.length > 0) throw new Error(`missing days: ${missing.join(' ')}`);
}

/** What the report says of all days in the folder, and the exit code. */
export function expectFigures(report: NightReport, exitCode: number, filed: Filed, since: string) {
  const { places, unread, today, days } = filed;
  const [only] = report.profiles;
  if (!only) throw new Error('a report of nobody');
  // One that has left a day that cannot be read lies on two: it counts where it is later.
  const settlements = [...places.values()].flatMap((all) => all.slice(-1));
  const out = settlements.filter((one) => verdictOf(one) === 'out_of_balance');
  const pending = settlements.filter((one) => verdictOf(one) === 'pending');
  const isNew = new Set(report.news.map(({ settlement }) => settlement?.id));
  const known = out.filter(({ id }) => !isNew.has(id));
  const absolute = (currency: string) =>
    known
      .filter((one) => one.account.currency === currency)
      .reduce((sum, { off }) => sum + Math.abs(off), 0);
  const minorOf = (currency: string) =>
    Number(only.known.absolute.find((sum) => sum.currency === currency)?.minor ?? 0);
  const wanted = daysUpTo(since, today);
  const lacking = wanted.filter((day) => !days.has(day));
  const verdict = out.length > 0 ? 'out_of_balance' : pending.length > 0 ? 'pending' : 'balanced';
  const expected = {
    exitCode: unread.size > 0 ? 4 : out.length > 0 ? 1 : 0,
    verdict: unread.size > 0 ? 'incomplete' : verdict,
    known: [known.length, absolute('EUR'), absolute('JPY')],
    pending: pending.length,
    overdue: pending.filter((one) => isOverdue(one, today)).length,
    lagDays: lacking.length,
    publishedTo: lastBefore(lacking[0], wanted),
  };
  const found = {
    exitCode: only.exitCode === exitCode ? exitCode : [only.exitCode, exitCode],
    verdict: only.verdict,
    known: [only.known.settlements, minorOf('EUR'), minorOf('JPY')],
    pending: only.pending,
    overdue: only.overdue,
    lagDays: only.lagDays,
    publishedTo: only.publishedTo,
  };
  if (JSON.stringify(found) !== JSON.stringify(expected)) {
    throw new Error(`${JSON.stringify(found)} in place of ${JSON.stringify(expected)}`);
  }
}

/** The file for monitoring says how the night ended, and whether that was a success. */
export function expectStatus(folder: string, exitCode: number): void {
  const text = readFileSync(join(folder, 'status.json'), 'utf8');
  const { lastSuccess, finishedAt, ...status } = JSON.parse(text);
  const isSuccess = lastSuccess === finishedAt;
  if (status.exitCode !== exitCode || isSuccess !== exitCode <= 1) throw new Error(text);
}

/** The days that are over. */
function daysUpTo(since: string, today: string): readonly string[] {
  return [...daysOf({ from: since, to: addDays(today, -1) })];
}

function lastBefore(lacking: string | undefined, wanted: readonly string[]) {
  if (lacking === undefined) return wanted.at(-1);
  return lacking === wanted[0] ? null : addDays(lacking, -1);
}
