import { isDayIn, writtenZone } from '../base/calendar.ts';
import { groupedBy } from '../base/lists.ts';
import { inOrderOf } from '../base/texts.ts';
import { explainDifference } from '../explain/explain.ts';
import { quick } from '../explain/limits.ts';
import { Proposals } from '../explain/proposals.ts';
import { type Exchange, interfaceVersion } from '../model/probe.ts';
import { batchOf } from '../model/row-batch.ts';
import { unusualScales } from '../reconcile/checks.ts';
import { identityFits } from '../reconcile/identity.ts';
import { reconcileSettlement } from '../reconcile/reconcile-settlement.ts';
import { RowColumns } from '../reconcile/row-columns.ts';
import {
  chargeSeen,
  type Examination,
  isAboutCharges,
  largestSettlement,
  pageLimits,
  seenSettlements,
} from './examination.ts';
import { isShort, levelOf, twoPages } from './pages.ts';

/** What a check came to by what was found. Facts are plain values, moments as ISO 8601. */
export interface CheckFinding<Facts> {
  readonly level: 'ok' | 'warning' | 'failure';
  readonly facts: Facts;
}

/** What a check came to, in the type of its facts as they are written. */
function finding<const Facts>(
  level: CheckFinding<Facts>['level'],
  facts: Facts,
): CheckFinding<Facts> {
  return { level, facts };
}

/** A warning if `isOdd`, else nothing to worry about. */
function warningIf<const Facts>(isOdd: boolean, facts: Facts) {
  return finding(isOdd ? 'warning' : 'ok', facts);
}

/** A check that could not be made, and what it lacks. */
export type NotChecked<Lacking extends string> = ReturnType<typeof notChecked<Lacking>>;

export function notChecked<Lacking extends string>(lacks: Lacking) {
  return { level: 'not_checked', lacks } as const;
}

/** Tokens of V1 carry the time (doc 5.1); otherwise it is only about which day it is. */
const tolerable = { signing: 1, otherwise: 60 };

/** What both settlement operations take (doc 4.3, 4.4). */
const needed = ['read:merchant', 'read:merchant:settlement'];
/** Tokens that live for less are asked for again and again. */
const shortestLife = 60;

/** Time enough to ask the service for a new one. */
const daysBefore = 21;
const dayMs = 86_400_000;

/** A tenth of the time after which a request is given up. */
const slow = 3_000;

/**
 * All checks, in the order in which one builds on another. A judge gives nothing where what it needs
 * did not come.
 */
export const judges = {
  /** The settings are there and make sense: else nothing could have been asked. */
  configuration: ({ setup: { profile = null, file = null, sandbox = null } }) =>
    finding('ok', { profile, file, sandbox }),

  /** Which proxy the requests took, if any. */
  proxy({ setup, sightings }) {
    const { proxy = null } = setup;
    const used = proxy !== null && sightings.peers.has(proxy.origin);
    return finding('ok', { proxy, used });
  },

  /** Whether the hosts of the service answer. Where asking ended early, one may not have been asked. */
  address({ setup, sightings }) {
    const { baseUrl, authUrl, sandbox } = setup;
    const answered = new Set(
      sightings.exchanges.filter(({ status }) => status !== undefined).map(({ origin }) => origin),
    );
    if (answered.size === 0) return undefined;
    // Those of the sandbox are nobody's concern.
    if (sandbox !== undefined) return finding('ok', { hosts: [] });
    const urls = { base_url: baseUrl, ...(authUrl !== undefined && { auth_url: authUrl }) };
    const hosts = Object.entries(urls).map(([setting, url]) => ({
      setting,
      url,
      answered: answered.has(new URL(url).origin),
    }));
    return finding('ok', { hosts });
  },

  /** How long the certificates of the hosts still hold; those that aren't trusted ended the asking. */
  tls({ setup, sightings, now }) {
    const certificates = [...sightings.peers].flatMap(([origin, { certificate }]) => {
      if (!certificate) return [];
      const { issuer, expiresAt: end, protocol } = certificate;
      const daysLeft = Math.floor((end - now) / dayMs);
      const expiresAt = new Date(end).toISOString();
      return [{ host: new URL(origin).host, issuer, expiresAt, daysLeft, protocol }];
    });
    if (certificates.length === 0 && setup.baseUrl.startsWith('https:')) return undefined;
    const endsSoon = certificates.some(({ daysLeft }) => daysLeft < daysBefore);
    return warningIf(endsSoon, { certificates });
  },

  /** How far this clock is ahead of the service's, by the Date of the answer that came fastest. */
  clock({ setup, sightings }) {
    const { exchanges } = sightings;
    if (exchanges.every(({ status }) => status === undefined)) return undefined;
    const [fastest] = exchanges
      .flatMap(({ date, ...rest }) => (date === undefined ? [] : [{ ...rest, date }]))
      .sort((one, other) => one.ms - other.ms);
    if (!fastest) return notChecked('date_header');
    const aheadSeconds = aheadOf(fastest);
    const signs = Object.values(setup.schemes).includes('v1');
    const isOff = Math.abs(aheadSeconds) > (signs ? tolerable.signing : tolerable.otherwise);
    return warningIf(isOff, { aheadSeconds, signs });
  },

  /**
   * How long the access token lives, and whether it was granted the scopes that settlements take. Under
   * V1 each request has a token of its own, and nothing is granted.
   */
  token({ setup, answers }) {
    const { schemes } = setup;
    if (schemes.settlements === 'v1' && schemes.charges === 'v1') {
      return finding('ok', { scheme: 'v1' });
    }
    const { grant } = answers;
    if (!grant) return undefined;
    const { seconds = null, scopes = null } = grant;
    const isForSettlements = schemes.settlements === 'v2';
    const lacks = isForSettlements && scopes ? needed.filter((one) => !scopes.includes(one)) : [];
    const isShort = seconds !== null && seconds < shortestLife;
    return warningIf(lacks.length > 0 || isShort, { scheme: 'v2', seconds, scopes, lacks });
  },

  /** Whether a page of one settlement comes: the least that recon needs, and what other checks look at. */
  settlements({ answers, query }) {
    const { first } = answers;
    if (!first) return undefined;
    const received = first.keys.length;
    return warningIf(received !== 1, { ...query.range, asked: 1, received });
  },

  /** How much of what is asked for comes, and whether the next page goes on from there. */
  settlement_pages({ answers }) {
    const { settlements, nextSettlements } = answers;
    if (!settlements?.keys.length) return undefined;
    const facts = twoPages(pageLimits.settlements, settlements, nextSettlements);
    return finding(levelOf(facts), facts);
  },

  /** How much of what is asked for comes of the rows of the settlement that has the most of them. */
  transaction_pages({ answers }) {
    const { rows, nextRows } = answers;
    const settlement = largestSettlement(answers);
    if (!rows || !settlement) return undefined;
    const { id: settlementId, transactions: announced } = settlement;
    const facts = { settlementId, announced, ...twoPages(pageLimits.rows, rows, nextRows) };
    return finding(isShort(facts) ? 'warning' : levelOf(facts), facts);
  },

  /** How long the service takes to answer, and which requests it had to be sent twice. */
  latency({ sightings }) {
    const { exchanges } = sightings;
    const times = exchanges
      .filter(({ status }) => status !== undefined)
      .map(({ ms }) => ms)
      .sort((one, other) => one - other);
    const slowestMs = times.at(-1);
    if (slowestMs === undefined) return undefined;
    const medianMs = times[Math.floor((times.length - 1) / 2)] ?? slowestMs;
    const repeated = exchanges
      .filter((one) => wasMended(one, exchanges))
      .map(({ failure = '' }) => failure);
    const isOdd = slowestMs >= slow || repeated.length > 0;
    return warningIf(isOdd, { answers: times.length, medianMs, slowestMs, repeated });
  },

  /** Whether all records can be read, and whether the answers are what the document shows. */
  records({ answers, sightings }) {
    if (!answers.first) return undefined;
    const { settlements, nextSettlements, rows, nextRows } = answers;
    const pages = [settlements, nextSettlements, rows, nextRows];
    const faults = pages.flatMap((page) => page?.unreadable ?? []);
    const unreadable = new Map(faults.map((one) => [`${one.record} ${one.field}`, one]));
    const { oddAnswers, unknownFields } = sightings;
    const facts = {
      settlements: seenSettlements(answers).length,
      transactions: new Set([rows, nextRows].flatMap((page) => page?.keys ?? [])).size,
      unreadable: [...unreadable.values()],
      unknownFields,
      oddAnswers,
    };
    if (unreadable.size > 0) return finding('failure', facts);
    return warningIf(unknownFields.length > 0 || oddAnswers.length > 0, facts);
  },

  /** The zone in which settlement dates are written; which one is meant is not documented (doc 4.3). */
  dates({ answers, query }) {
    const settlements = seenSettlements(answers);
    if (settlements.length === 0) return undefined;
    const zones = [...groupedBy(settlements, ({ timestamp }) => writtenZone(timestamp))]
      .map(([zone, all]) => ({ zone, settlements: all.length }))
      .sort(inOrderOf((one) => [-one.settlements, one.zone]));
    const outside = settlements.filter(({ date }) => !isDayIn(query.range, date)).length;
    const isOdd = zones.length > 1 || outside > 0;
    return warningIf(isOdd, { settlements: settlements.length, zones, outside });
  },

  /** Whether every name that is set is that of an accounting token that occurs. */
  names({ answers, setup }) {
    const settlements = seenSettlements(answers);
    if (settlements.length === 0) return undefined;
    const tokens = new Set(settlements.map(({ accountingToken }) => accountingToken));
    const names = [...setup.names].map(([token, name]) => ({ token, name }));
    const unseen = names.filter(({ token }) => !tokens.has(token));
    return warningIf(unseen.length > 0, {
      settlements: settlements.length,
      names: names.length,
      unseen,
    });
  },

  /** Whether amounts have the decimal places of their currency, by the headers alone. */
  scales({ answers, setup }) {
    const settlements = seenSettlements(answers);
    if (settlements.length === 0) return undefined;
    const { expectedScales, profile = null } = setup;
    const unusual = unusualScales(settlements, expectedScales);
    return warningIf(unusual.length > 0, { settlements: settlements.length, unusual, profile });
  },

  /** On how many settlements each identity holds, by their headers alone. */
  identity({ answers, setup }) {
    const settlements = seenSettlements(answers);
    if (settlements.length === 0) return undefined;
    const { identity: chosen, profile = null } = setup;
    const { fits, better } = identityFits(settlements, setup);
    const fit = fits.find(({ identity }) => identity === chosen);
    const isOdd = better.length > 0 || fit?.settlements === 0;
    return warningIf(isOdd, { chosen, profile, settlements: settlements.length, fits, better });
  },

  /** Whether rules would make settlements balance that do not, by the rows of a few of them. */
  rules({ answers, setup }) {
    const { samples } = answers;
    if (!samples || seenSettlements(answers).length === 0) return undefined;
    if (samples.length === 0) return notChecked('short_settlement');
    const proposals = new Proposals(setup);
    let balanced = 0;
    for (const { settlement, rows: listed } of samples) {
      const rows = new RowColumns();
      rows.add(batchOf(listed));
      const outcome = { unreadable: [], repeated: [], conflicts: [], corrections: [] };
      const settled = reconcileSettlement({ settlement, rows, outcome, settings: setup });
      const isOff = settled.verdict === 'out_of_balance';
      const how = { ...setup, effort: quick };
      const explained = isOff ? explainDifference(settled, rows, { outcome }, how) : undefined;
      proposals.add(settled, rows, explained);
      if (settled.verdict === 'balanced') balanced += 1;
    }
    const { rules, profile = null } = setup;
    const proposed = proposals.found();
    const facts = { settlements: samples.length, balanced, rules, profile, proposed };
    return warningIf(proposed.length > 0, facts);
  },

  /** Whether a charge can be read by the scheme that is set for it: which one it takes is not shown (doc 5.4). */
  charges(evidence) {
    const { answers, stop, setup } = evidence;
    const chargeId = chargeSeen(answers);
    if (chargeId === undefined) {
      return answers.rows && !stop ? notChecked('charge_id') : undefined;
    }
    const refusal = isAboutCharges(evidence) ? stop?.fault : undefined;
    if (answers.charge === undefined && !refusal) return undefined;
    // Left out where the charge was read.
    return warningIf(refusal !== undefined, { scheme: setup.schemes.charges, chargeId, refusal });
  },

  /** The version that recon follows. How the service tells its own is not shown (doc 9). */
  interface: () => finding('ok', { version: interfaceVersion }),
} satisfies Readonly<Record<string, (evidence: Examination) => object | undefined>>;

/**
 * By how much this clock is ahead, in seconds. The Date is cut off to whole seconds and was written
 * at some moment between the request and the answer: within that, nothing can be told.
 */
function aheadOf({ startedAt, ms, date }: Exchange & { readonly date: number }): number {
  const least = startedAt - (date + 1000);
  const most = startedAt + ms - date;
  return least <= 0 && 0 <= most ? 0 : Math.round((least + most) / 2000);
}

/** Whether an attempt failed and the next one at the same request didn't. */
function wasMended(one: Exchange, exchanges: readonly Exchange[]): boolean {
  if (one.failure === undefined) return false;
  const following = exchanges
    .slice(exchanges.indexOf(one) + 1)
    .find(({ path, attempt }) => path === one.path && attempt === one.attempt + 1);
  return following !== undefined && following.failure === undefined;
}
