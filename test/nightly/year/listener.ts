import { type Filed, isOverdue, type Known, nothingKnown, placeNews, verdictNews } from './book.ts';
import type { NightReport } from './report.ts';
import { type Settlement, textOf } from './settlement.ts';

/** How a night was told. */
export interface Telling {
  readonly report: NightReport;
  /** What the service lists now, by id. */
  readonly listed: ReadonlyMap<string, Settlement>;
  /** What lies in the folder. */
  readonly filed: Filed;
  /** Whether nothing came between: then all is told. */
  readonly isCalm: boolean;
  /** Whether the last run that came to its end had failed. */
  readonly hadFailed: boolean;
  /** Days of which nothing is listed any more for so long that it has to be known. */
  readonly overdueDelisted: readonly string[];
  /** Whether it was taken, and written down that it was; undefined where nobody can know the latter. */
  readonly counts: boolean | undefined;
}

/** Somebody who hears all news and knows how the world is: each thing is new once, and none is missed. */
export class Listener {
  /** What was told for sure; more than one where it isn't known how the last telling ended. */
  #known: readonly Known[] = [nothingKnown];
  /** The ids of all that was taken. */
  readonly #taken = new Set<string>();
  /** Those of them that were told when nobody can know whether that was written down. */
  readonly #unsure = new Set<string>();
  /** The ids of what was told since the last telling that counted for sure: by what it says. */
  readonly #open = new Map<string, string>();
  toldTwice = 0;

  /** Whether days are known that could not be read. */
  get knowsUnread(): boolean {
    return this.#known.some(({ unread }) => unread.size > 0);
  }

  /** All is new again. */
  forget(): void {
    this.#known = [nothingKnown];
    this.#taken.clear();
    this.#unsure.clear();
    this.#open.clear();
  }

  /** Throws where something is missing, too much or told again. */
  hear(telling: Telling): void {
    const heard = this.#known.map((known) => hearWith(known, telling));
    const fitting = heard.filter((one) => typeof one !== 'string');
    if (fitting.length === 0) throw new Error(heard.join('\nor\n'));
    this.#checkIds(telling);
    const before = this.#known.filter((_, index) => typeof heard[index] !== 'string');
    if (telling.counts === undefined) this.#known = [...before, ...fitting];
    else this.#known = telling.counts ? fitting : before;
    if (telling.counts === true) {
      this.#open.clear();
      this.#unsure.clear();
    }
  }

  #checkIds({ report: { news }, filed, counts }: Telling): void {
    for (const one of news) {
      const { id, kind, also, day, settlement } = one;
      const said = filed.places.get(settlement?.id ?? '') ?? [];
      const text = JSON.stringify([kind, also, day, settlement?.id, said.map(textOf)]);
      const before = this.#open.get(text);
      if (before !== undefined && before !== id && settlement) {
        throw new Error(
          `it had another id when it was told before: ${before}, ${JSON.stringify(one)}`,
        );
      }
      this.#open.set(text, id);
      if (this.#taken.has(id)) {
        this.toldTwice += 1;
        if (!this.#unsure.has(id)) throw new Error(`told twice: ${JSON.stringify(one)}`);
      }
    }
    if (counts !== false) for (const { id } of news) this.#taken.add(id);
    if (counts === undefined) for (const { id } of news) this.#unsure.add(id);
  }
}

type Told = Map<string, NightReport['news'][number]>;

/** What is known after a telling; a text where it doesn't fit what was known. */
function hearWith(known: Known, telling: Telling): Known | string {
  const { news, profiles } = telling.report;
  const told: Told = new Map(news.map((one) => [one.settlement?.id ?? one.day ?? 'run', one]));
  const wrong = told.size < news.length ? ['a subject occurs twice'] : [];
  // Each takes out of `told` what it has heard.
  const settlements = hearOfSettlements(known, telling, told, wrong);
  const unread = hearOfDays(known, telling, told, wrong);
  const failure = profiles[0]?.error?.message;
  const delisted = hearOfDelisted(known, telling, told, wrong);
  const ofRun = told.get('run')?.kind;
  told.delete('run');
  const isNew = failure !== undefined && failure !== known.failure;
  const isOver = failure === undefined && known.failure !== undefined;
  const expected = isNew ? 'failed' : isOver ? 'recovered' : undefined;
  // Somebody may have heard of a failure that was not taken as told.
  const isFurther = ofRun === 'recovered' && failure === undefined && telling.hadFailed;
  if (ofRun !== expected && !isFurther) wrong.push(`${ofRun} told of the run, not ${expected}`);
  for (const one of told.values()) wrong.push(`told for no reason: ${JSON.stringify(one)}`);
  if (wrong.length > 0) return wrong.join('\n');
  // What a clock that ran ahead has published says nothing of days to come.
  const { days, today } = telling.filed;
  for (const [id, { day }] of settlements.lay) if (day >= today) settlements.lay.delete(id);
  const over = new Set([...days].filter((day) => day < today));
  return { ...settlements, unread, days: over, failure, delisted };
}

function hearOfSettlements(
  known: Known,
  { listed, filed, isCalm }: Telling,
  told: Told,
  wrong: string[],
): { readonly lay: Map<string, Settlement>; readonly stood: Known['stood'] } {
  const [lay, stood] = [new Map(known.lay), new Map(known.stood)];
  const open = openDays(known, listed, filed);
  for (const id of new Set([...known.lay.keys(), ...known.stood.keys(), ...filed.places.keys()])) {
    const one = told.get(id);
    const places = filed.places.get(id) ?? [undefined];
    const options = places.map((is) => {
      const kinds = new Set(one && [one.kind, ...one.also]);
      const place = placeNews(known, id, is, listed.has(id));
      const verdict = verdictNews(known, id, is, filed.today);
      const isPlaceTold = place === undefined || kinds.delete(place);
      // Why its rows could not be read may be told again, and that it is on another day too.
      if ((place === undefined && is?.hasHeaderOnly) || places.length > 1) kinds.delete('restated');
      const isVerdictTold = verdict === undefined || kinds.delete(verdict);
      const missing = [...(isPlaceTold ? [] : [place]), ...(isVerdictTold ? [] : [verdict])];
      return { is, isPlaceTold, isVerdictTold, missing, tooMuch: [...kinds] };
    });
    // Until a move is finished it may lie on two days.
    const option = options.find(({ tooMuch }) => tooMuch.length === 0) ?? options[0];
    if (!option) continue;
    const { is, isPlaceTold, isVerdictTold, missing, tooMuch } = option;
    const days = [known.lay.get(id)?.day, is?.day, listed.get(id)?.day];
    const isOpen = days.some((day) => day !== undefined && open.has(day));
    if (missing.length > 0 && isCalm && !isOpen)
      wrong.push(`${missing.join(' ')} not told of ${id}`);
    if (tooMuch.length > 0) wrong.push(`${tooMuch.join(' ')} told of ${id}, which is not so`);
    // A night that was disturbed may keep for the next one what it can't follow up.
    if (isPlaceTold) put(lay, id, is);
    if (isVerdictTold && (is || isPlaceTold)) {
      put(stood, id, is && { settlement: is, isOverdue: isOverdue(is, filed.today) });
    }
    told.delete(id);
  }
  return { lay, stood };
}

/** Returns the days that were told to be listed no longer: each once, and not before they are. */
function hearOfDelisted(
  known: Known,
  { listed, filed, isCalm, overdueDelisted }: Telling,
  told: Told,
  wrong: string[],
): ReadonlySet<string> {
  const delisted = new Set(known.delisted);
  const isListed = new Set([...listed.values()].map(({ day }) => day));
  for (const [key, { kind, day }] of told) {
    if (kind !== 'no_longer_listed' || day === null) continue;
    told.delete(key);
    if (isListed.has(day)) wrong.push(`${day} is listed`);
    if (!filed.days.has(day)) wrong.push(`${day} is not kept`);
    if (delisted.has(day)) wrong.push(`${day} was told before`);
    delisted.add(day);
  }
  for (const day of isCalm ? overdueDelisted : []) {
    if (!delisted.has(day)) wrong.push(`no_longer_listed not told of ${day}`);
  }
  return delisted;
}

/** Days that can't be read, and those that settlements have left for them: what is new of them waits. */
function openDays(
  { lay }: Known,
  listed: Telling['listed'],
  { unread, places }: Filed,
): ReadonlySet<string> {
  const left = [...lay].filter(([id]) => !places.has(id) && unread.has(listed.get(id)?.day ?? ''));
  return new Set([...unread.keys(), ...left.map(([, { day }]) => day)]);
}

/** Returns the days that can't be read, and why as far as that is known. */
function hearOfDays(
  known: Known,
  telling: Telling,
  told: Told,
  wrong: string[],
): ReadonlyMap<string, string | undefined> {
  const unread = unreadAfter(known, telling);
  for (const [day, reason] of unread) {
    const before = known.unread.get(day);
    const isKnown = known.unread.has(day);
    const isNew = !isKnown || (before !== undefined && before !== reason);
    const isOld = isKnown && before === reason && reason !== undefined;
    const kind = told.get(day)?.kind;
    if (isNew && telling.isCalm && kind !== 'unread_day') {
      wrong.push(`unread_day not told: ${day}, ${before}, ${reason}`);
    }
    if (isOld && kind !== undefined) wrong.push(`${kind} told of ${day}, which is known`);
    told.delete(day);
  }
  for (const day of known.unread.keys()) {
    if (unread.has(day)) continue;
    if (told.get(day)?.kind !== 'read_day') wrong.push(`read_day not told: ${day}`);
    told.delete(day);
  }
  return unread;
}

/** The days that can't be read. Of a night that was disturbed, its report says it. */
function unreadAfter(
  known: Known,
  { report, filed, isCalm }: Telling,
): ReadonlyMap<string, string | undefined> {
  if (isCalm) {
    const unread = new Map(filed.unread);
    // A day whose settlement has gone to where it can't be read is told of with it, until it can.
    const waits = report.news.filter(({ kind }) => kind === 'unread_day').map(({ day }) => day);
    const isRead = new Set(
      report.news.flatMap(({ kind, day }) => (kind === 'read_day' ? day : [])),
    );
    for (const day of filed.unread.size > 0 ? [...waits, ...known.unread.keys()] : []) {
      if (day !== null && !isRead.has(day) && !unread.has(day)) unread.set(day, undefined);
    }
    return unread;
  }
  const unread = new Map(known.unread);
  for (const { day, state } of report.profiles[0]?.days ?? []) {
    unread.delete(day);
    if (state === 'incomplete') unread.set(day, undefined);
  }
  // So is one whose settlement has gone where nobody could be asked for.
  for (const { kind, day } of report.news) {
    if (kind === 'unread_day' && day !== null) unread.set(day, undefined);
  }
  return unread;
}

function put<Value>(map: Map<string, Value>, id: string, value: Value | undefined): void {
  if (value === undefined) map.delete(id);
  else map.set(id, value);
}
