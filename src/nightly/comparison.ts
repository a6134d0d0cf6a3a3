import type { SettlementRestatement } from '../app/export-result.ts';
import type { NewsDetail, NewsSettlement } from '../app/night-result.ts';
import { isDayIn } from '../base/calendar.ts';
import { byText } from '../base/texts.ts';
import { reconcileAgain } from '../export/export-source.ts';
import type { NewsKind } from '../model/night.ts';
import type { Names } from '../model/settlement.ts';
import type { DateRange } from '../model/source.ts';
import { formatMinor } from '../money/money.ts';
import { acceptanceOf, codesOf, discrepanciesAmong } from '../reconcile/acceptance.ts';
import { type AgeingAndAccepted, overdueEntry } from '../reconcile/as-reported.ts';
import { allStated, subtract } from '../reconcile/computed.ts';
import { verdictReason } from '../reconcile/verdict.ts';
import type { Archive } from './archive.ts';
import { type NightState, shortDigest } from './state.ts';

type UnbalancedOfDay = NightState['unbalancedByDay'][string];
type ReportedStatus = NightState['reportedStatuses'][number];

/** A settlement of an exported day that is not balanced, as the day's own settings judge it. */
type UnbalancedSettlement = UnbalancedOfDay['settlements'][number];

interface CurrentStatus {
  readonly status: ReportedStatus;
  readonly settlement: NewsSettlement;
  /** Its acceptance, and since when it is overdue. If its status is new, also what was found. */
  readonly details: readonly NewsDetail[];
  /** Whether it is pending because the document does not name its status. */
  readonly hasUnknownStatus: boolean;
  /** Whether all of its transactions were read. */
  readonly isRead: boolean;
}

interface ReconciledDay extends UnbalancedOfDay {
  readonly details: ReadonlyMap<string, readonly NewsDetail[]>;
}

export type Changes = Awaited<ReturnType<Comparison['changes']>>;

interface ComparisonInput extends AgeingAndAccepted {
  readonly archive: Archive;
  readonly before: NightState;
  readonly range: DateRange;
  readonly names: Names;
}

/** Compares the days in place with what was reported of them. */
export class Comparison {
  readonly #input: ComparisonInput;
  /** The days that were reconciled in this night, with what was found of their settlements. */
  readonly #reconciled = new Map<string, ReconciledDay>();

  constructor(input: ComparisonInput) {
    this.#input = input;
  }

  /**
   * What has changed since it was reported.
   * @param answers the day of settlements that are on no day in place, or `gone`
   * @param mayRead whether a day can still be read in this night
   */
  async changes(answers: ReadonlyMap<string, string>, mayRead: (day: string) => boolean) {
    const { archive, before, range } = this.#input;
    const { restatements, restatedDays, departed, mayHaveLeft, idsByDay } =
      await this.#changedDays();
    const others = [...idsByDay.values(), before.reportedStatuses.map(({ id }) => id)].flat();
    const places = await archive.placesOf(new Set([...mayHaveLeft, ...others]));
    const daysToRead = new Set<string>();
    const postponed = new Set<string>();
    for (const [day, ids] of idsByDay) {
      const shared = ids.map((id) => places.get(id) ?? []).filter(({ length }) => length > 1);
      for (const one of shared.flat().filter(mayRead)) {
        daysToRead.add(one);
        postponed.add(day);
      }
    }
    const departures: { id: string; from: string; to: string }[] = [];
    const lost: { id: string; from: string }[] = [];
    for (const [id, from] of departed) {
      const [to = answers.get(id)] = places.get(id) ?? [];
      const isLost = to === undefined || (!places.has(id) && isDayIn(range, to));
      if (isLost) lost.push({ id, from });
      else departures.push({ id, from, to });
    }
    for (const { from } of lost) postponed.add(from);
    return {
      restatements: restatements.filter(({ day }) => !postponed.has(day)),
      /** Changed days whose reported version no longer exists. */
      restatedDays: restatedDays.filter((day) => !postponed.has(day)),
      /** Settlements that left the day `from`. `to` is their new day, or `gone`. */
      departures: departures.filter(({ from }) => !postponed.has(from)),
      /** Settlements that left their day. Their new day is not known. */
      lost,
      /** The days that have each reported or changed settlement; later days first. */
      places,
      /** The next night compares these days again, because others have to be read first. */
      postponed,
      /** They and a changed day have the same settlement. */
      daysToRead,
      /** Of settlements that are on no day in place. */
      idsToAsk: [...mayHaveLeft].filter((id) => !places.has(id) && !answers.has(id)),
    };
  }

  /** How the days whose content was not reported differ from what was. */
  async #changedDays() {
    const { archive, before } = this.#input;
    const restatements: { day: string; restatement: SettlementRestatement }[] = [];
    const restatedDays: string[] = [];
    /** The settlements that left a day, and that day. */
    const departed = new Map<string, string>();
    const idsByDay = new Map<string, readonly string[]>();
    // These may have come and gone since the last report.
    const former = new Set<string>();
    for (const [day, { manifest }] of archive.days) {
      const content = before.days[day];
      if (!manifest || manifest.contentSha256 === content) continue;
      const ids = new Set((await archive.settlements(day)).map(({ id }) => id));
      idsByDay.set(day, [...ids]);
      for (const id of await archive.formerIds(day)) former.add(id);
      if (content === undefined) continue;
      const changes = await archive.changesSince(day, content);
      if (!changes) restatedDays.push(day);
      for (const restatement of changes ?? []) {
        restatements.push({ day, restatement });
        if (restatement.change === 'removed') departed.set(restatement.settlement.id, day);
      }
      for (const one of before.reportedStatuses) {
        if (one.day === day && !ids.has(one.id)) departed.set(one.id, day);
      }
    }
    const mayHaveLeft = new Set([...departed.keys(), ...former]);
    return { restatements, restatedDays, departed, mayHaveLeft, idsByDay };
  }

  /** The unbalanced settlements of all days, and the cache for the next night. */
  async statuses() {
    const { archive, before } = this.#input;
    const days = new Set([...archive.days.keys(), ...Object.keys(before.unbalancedByDay)]);
    const reported = new Map(before.reportedStatuses.map((one) => [one.id, one]));
    // A settlement that has moved from a day that cannot be read is on two: the later one counts.
    const statuses = new Map<string, CurrentStatus>();
    const unbalancedByDay: Record<string, UnbalancedOfDay> = {};
    for (const day of [...days].sort(byText)) {
      const unbalanced = await this.#unbalancedOf(day);
      if (!unbalanced) continue;
      const { version, settlements } = unbalanced;
      unbalancedByDay[day] = { version, settlements };
      for (const one of settlements) {
        const now = statusOf(day, one, this.#input);
        const { id } = now.status;
        const isNew = newsOfStatus(reported.get(id), now.status) !== undefined;
        if (isNew && !this.#reconciled.has(day)) await this.#reconcile(day);
        const found = (isNew && this.#reconciled.get(day)?.details.get(id)) || [];
        statuses.set(id, { ...now, details: [...now.details, ...found] });
      }
    }
    const current: readonly CurrentStatus[] = [...statuses.values()];
    return { statuses: current, unbalancedByDay };
  }

  /** If the files of a day cannot be read, the result of the last night counts. */
  async #unbalancedOf(day: string): Promise<UnbalancedOfDay | undefined> {
    const { archive, before, range } = this.#input;
    const { version, manifest } = archive.days.get(day) ?? {};
    const last = before.unbalancedByDay[day];
    if (manifest) {
      if (manifest.verdict === 'balanced') return undefined;
      const cached = [this.#reconciled.get(day), last].find((one) => one?.version === version);
      const unbalanced = cached ?? (await this.#reconcile(day));
      if (unbalanced) return unbalanced;
    }
    return isDayIn(range, day) ? last : undefined;
  }

  async #reconcile(day: string): Promise<UnbalancedOfDay | undefined> {
    const { archive } = this.#input;
    const { version = '', manifest } = archive.days.get(day) ?? {};
    if (!manifest) return undefined;
    const details = new Map<string, NewsDetail[]>();
    const settlements = await archive.readSafely(day, async (folder) => {
      const found: UnbalancedSettlement[] = [];
      const reconciling = reconcileAgain(folder, manifest, { areChecked: false });
      for await (const { reconciled } of reconciling) {
        const { settlement, scale, reported, computed, discrepancies } = reconciled;
        const { id, date, accountingToken, currency } = settlement;
        const stated = allStated(reported);
        if (!stated) throw new RangeError(`Figures of ${id} are not stated`);
        if (reconciled.verdict === 'balanced') continue;
        details.set(
          id,
          discrepancies.map((entry) => ({ about: 'discrepancy' as const, entry })),
        );
        found.push({
          settlement: { id, date, accountingToken, currency },
          verdict: reconciled.verdict,
          hasUnknownStatus: verdictReason(reconciled) === 'unknown_status',
          scale,
          reported: stated,
          computed,
          codes: codesOf(reconciled),
        });
      }
      return found;
    });
    if (!settlements) return undefined;
    const found = { version, settlements, details };
    this.#reconciled.set(day, found);
    return found;
  }
}

function statusOf(
  day: string,
  one: UnbalancedSettlement,
  { ageing, accepted, names }: ComparisonInput,
): CurrentStatus {
  const { settlement, verdict, codes, hasUnknownStatus, reported, computed, scale } = one;
  const { id, date, accountingToken, currency } = settlement;
  const acceptance = acceptanceOf(one, accepted);
  const payIn = { minor: reported.payIn ?? 0n, scale, currency };
  const overdue = verdict === 'pending' ? overdueEntry(date, payIn, ageing) : undefined;
  const alarm = acceptance?.state ?? (verdict === 'out_of_balance' ? 'difference' : 'none');
  const account = names.get(accountingToken) ?? accountingToken;
  const minor = computed && subtract(reported, computed).payIn;
  const difference = minor === undefined ? undefined : { minor, scale, currency };
  const details: NewsDetail[] = acceptance ? [{ about: 'acceptance', acceptance }] : [];
  if (overdue) details.push({ about: 'overdue', entry: overdue, account });
  return {
    status: {
      id,
      day,
      verdict,
      alarm: alarm === 'accepted' ? 'none' : alarm,
      mark: statusDigest(one),
      isOverdue: overdue !== undefined,
    },
    settlement: { ...settlement, verdict, difference, codes, overdue },
    details,
    hasUnknownStatus,
    isRead: computed !== undefined,
  };
}

/** The news of the status of an unbalanced settlement. Undefined if there is none. */
export function newsOfStatus(
  before: ReportedStatus | undefined,
  now: ReportedStatus,
): NewsKind | undefined {
  const wasAlarming = before !== undefined && before.alarm !== 'none';
  if (now.alarm === 'none') return now.isOverdue && !before?.isOverdue ? 'overdue' : undefined;
  // If it raised an alarm before, the end of its acceptance is not news.
  const isKnown = wasAlarming && (before.alarm === now.alarm || now.alarm === 'difference');
  if (isKnown && before.mark === now.mark) return undefined;
  if (now.alarm !== 'difference') return 'acceptance';
  return wasAlarming ? 'changed' : 'out_of_balance';
}

/** Equal if nothing has changed that raises an alarm: verdict, currency, figures, discrepancies. */
function statusDigest(one: UnbalancedSettlement): string {
  const { verdict, settlement, scale, codes, reported, computed } = one;
  const textOf = (minor?: bigint) => minor !== undefined && formatMinor(minor, scale);
  const texts = [reported, computed].map((figures) => {
    if (!figures) return undefined;
    const { transactions, gross, fees, tax, payIn } = figures;
    return [transactions, ...[gross, fees, tax, payIn].map(textOf)];
  });
  const found = discrepanciesAmong(codes);
  return shortDigest(JSON.stringify([verdict, settlement.currency, texts, found]));
}
