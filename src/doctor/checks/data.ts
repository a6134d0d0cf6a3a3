import { isDayIn, writtenZone } from '../../base/calendar.ts';
import { groupedBy } from '../../base/lists.ts';
import { inOrderOf } from '../../base/texts.ts';
import { explainDifference } from '../../explain/explain.ts';
import { quick } from '../../explain/limits.ts';
import { Proposals } from '../../explain/proposals.ts';
import { batchOf } from '../../model/row-batch.ts';
import { unusualScales } from '../../reconcile/checks.ts';
import { identityFits } from '../../reconcile/identity.ts';
import { reconcileSettlement } from '../../reconcile/reconcile-settlement.ts';
import { RowColumns } from '../../reconcile/row-columns.ts';
import { column, section } from '../../report/common/blocks.ts';
import { enumerate, many, present, withoutStop } from '../../report/common/phrase.ts';
import {
  profileTable,
  proposalText,
  proposedLines,
  rulesText,
} from '../../report/common/rule-words.ts';
import { identityWords, scaleText } from '../../report/common/words.ts';
import { type Checks, result, skipped, warningIf } from '../examination.ts';

/** The accounts that are listed to be named. */
const mostTokens = 10;

/** What the settlements are like; there is at least one. */
export const dataChecks = {
  /** The zone in which settlement dates are written; which one is meant is not documented (doc 4.3). */
  dates({ settlements, query }) {
    const zones = [...groupedBy(settlements, ({ timestamp }) => writtenZone(timestamp))]
      .map(([zone, all]) => ({ zone, count: all.length }))
      .sort(inOrderOf(({ zone, count }) => [-count, zone]));
    const isMixed = zones.length > 1;
    const written = zones.map(({ zone, count }) => (isMixed ? `${count} ` : '') + zoneWords(zone));
    const outside = settlements.filter(({ date }) => !isDayIn(query.range, date)).length;
    return warningIf(
      isMixed || outside > 0,
      present(
        `${many(settlements.length, 'settlement')}, dated ${isMixed ? 'in different zones: ' : ''}${enumerate(written)}`,
        outside > 0 && `${outside} dated outside the requested days`,
      ).join('; '),
      outside > 0
        ? "The service's day may start at a different hour than the dates suggest, so a settlement may be listed on a neighbouring day."
        : 'No action needed: dates are kept as received. The start or end of summer time may be the reason.',
    );
  },

  names({ settlements, setup: { names, profile = 'NAME' } }) {
    const tokens = new Set(settlements.map(({ accountingToken }) => accountingToken));
    const unseen = [...names].filter(([token]) => !tokens.has(token));
    const lost = enumerate(unseen.map(([token, name]) => `${token} (${name})`));
    const all = names.size === 0 ? 'none set' : `all of ${many(names.size, 'name')} occur`;
    const unnamed = [...tokens].filter((token) => !names.has(token)).sort();
    const lines = unnamed.slice(0, mostTokens).map((one) => `names.${JSON.stringify(one)} = ""`);
    const naming = warningIf(
      unseen.length > 0,
      lost === '' ? all : `in none of ${many(settlements.length, 'settlement')}: ${lost}`,
      'Compare these account ids with those of recon settlements, or look further back with --days 60.',
    );
    if (unseen.length > 0 || lines.length === 0) return naming;
    const whatToDo = `Names are optional. To set them, add under [${profileTable(profile)}]: ${lines.join(' ')}`;
    return { ...naming, whatToDo };
  },

  scales({ settlements, setup: { expectedScales, profile = 'NAME' } }) {
    const unusual = unusualScales(settlements, expectedScales);
    const each = new Map(unusual.map(({ currency, decimalPlaces }) => [currency, decimalPlaces]));
    const table = [...each].map(([currency, places]) => `${currency} = ${places}`).join(', ');
    return warningIf(
      unusual.length > 0,
      unusual.map(scaleText).join('; ') ||
        `as expected for the currency in ${many(settlements.length, 'settlement')}`,
      'Ask the service whether they are correct. If they are, set expected_scales = ' +
        `{ ${table} } under [${profileTable(profile)}].`,
    );
  },

  identity({ settlements, setup }) {
    const { identity: chosen, profile = 'NAME' } = setup;
    const { fits, better } = identityFits(settlements, setup);
    const fitOf = (name?: string) => fits.find(({ identity }) => identity === name)?.settlements;
    const count = settlements.length;
    const holds = `holds for ${fitOf(chosen) ?? 0} of ${many(count, 'settlement')}`;
    const [best, ...rest] = better;
    const also = enumerate(rest.map(identityWords));
    const holding = warningIf(
      better.length > 0 || fitOf(chosen) === 0,
      chosen === 'off'
        ? 'off: no net pay-out is computed'
        : `net pay-out = ${identityWords(chosen)} ${holds}`,
      best === undefined
        ? 'Ask the service how the net pay-out is calculated from gross, fees and tax, or set identity = "off".'
        : `Set identity = "${best}" under [${profileTable(profile)}] instead of ` +
            `"${chosen}": it holds for ${fitOf(best)} of ${count}.` +
            (also && ` Also possible: ${also}.`),
      { fits, better },
    );
    const table = section('Calculations of the net pay-out', fits, [
      column.text('Net pay-out =', ({ identity }) => identityWords(identity)),
      column.text('Holds', (one) => `${one.settlements} of ${count}`),
      column.text('Current', ({ identity }) => (identity === chosen ? 'yes' : '')),
    ]);
    return { ...holding, table };
  },

  rules({ samples, setup }) {
    if (!samples) return undefined;
    if (samples.length === 0)
      return skipped('no settled settlement with all transactions on one page found');
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
      proposals.add(settled, rows, explained, outcome);
      if (settled.verdict === 'balanced') balanced += 1;
    }
    const proposed = proposals.found();
    const used = rulesText(setup.rules);
    const more = proposed.reduce((sum, one) => sum + one.settlements, 0);
    const lines = proposedLines(proposed, setup);
    return warningIf(
      proposed.length > 0,
      present(
        `sums agree in ${balanced} of ${many(samples.length, 'settlement')}`,
        used && `rules in use: ${used}`,
        more > 0 && `in ${more} more with a proposed rule`,
        more === 0 && balanced < samples.length && 'no rule to propose',
      ).join('; '),
      `${proposed.map(proposalText).join(' ')} Add to the configuration file: ${lines.join(' ')}`,
    );
  },

  /** Whether a charge can be read by the scheme that is set for it: which one it takes is not shown (doc 5.4). */
  charges({ charge, samples, stop, setup }) {
    if (stop || !samples) return undefined;
    if (!charge) return skipped('no transaction with a charge id found');
    const { id, refusal } = charge;
    const scheme = setup.schemes.charges;
    const name = scheme.toUpperCase();
    if (!refusal) return result('ok', `charges accept ${name} (charge ${id})`);
    const isUnknown = refusal.cause === 'not_found';
    const said = withoutStop(refusal.message);
    return result(
      'warning',
      isUnknown
        ? `${name} was used, and the charge of a transaction cannot be read (${id}): ${said}`
        : `charges reject ${name} (charge ${id}): ${said}`,
      scheme === 'v2' && !isUnknown
        ? 'Settlements can still be read. Charges may need V1: try --charge-auth v1 with ' +
            'jwt_public_key and jwt_secret. If it works, set charge_auth = "v1". If not, charges may ' +
            'need a scope that was not granted: ask the service.'
        : (refusal.hint ?? ''),
    );
  },
} satisfies Checks;

function zoneWords(zone: string): string {
  if (zone === '') return 'without a time zone';
  return zone.toUpperCase() === 'Z' ? 'in UTC (Z)' : `with offset ${zone}`;
}
