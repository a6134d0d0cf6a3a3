import { enumerate } from '../common/phrase.ts';
import { expectedScalesText } from '../common/scale-words.ts';
import { completenessText } from '../common/summary.ts';
import { identityWords } from '../common/words.ts';
import type { SettlementsReport } from './report.ts';

/** What was asked for and how it was judged; a figure without it can't be checked. */
export function runFacts(report: SettlementsReport) {
  const { range, settings } = report;
  const { profile, identity, tolerance, ignored, expectedScales } = settings;
  const filters = Object.entries(settings.filters).map(([name, value]) => `${name} ${value}`);
  const facts: readonly (readonly [label: string, value: string | undefined])[] = [
    ['Range', range && `${range.from} to ${range.to}, both included`],
    ['Filters', filters.length > 0 ? enumerate(filters) : undefined],
    ['Profile', profile],
    ['Identity', identity === 'off' ? 'off' : `pay-in = ${identityWords(identity)}`],
    ['Tolerance', tolerance === 0n ? 'none' : `${tolerance} in minor units, each amount`],
    ['Ignored checks', ignored.length > 0 ? enumerate(ignored) : 'none'],
    ['Decimal places', expectedScalesText(expectedScales)],
    ['Everything read', completenessText(report)],
  ];
  return facts.flatMap(([label, value]) => (value === undefined ? [] : [[label, value] as const]));
}
