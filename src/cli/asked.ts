import { addDays, dayAt } from '../base/calendar.ts';
import { ReconError } from '../base/errors.ts';
import { shellWord } from '../base/texts.ts';
import type { Settings } from '../config/settings.ts';
import type { DateRange, SettlementQuery } from '../model/source.ts';
import type { RateComparison } from '../reconcile/fee-rates.ts';
import { loadScenario, scenarioNames } from '../sandbox/scenarios.ts';
import type { Context } from './context.ts';
import { namedIn } from './exit-codes.ts';
import { type Exported, exportedSettings, findExport } from './exported.ts';
import type { Flags } from './flags.ts';
import { earlierRange, filtersOf, isRangeGiven, type RangeContext, resolveRange } from './range.ts';
import { judgement, readSettings } from './settings.ts';

/** What a command line asks for: by which settings, and whose data. Nothing is connected yet. */
export type Asked = Awaited<ReturnType<typeof whatIsAsked>>;

/**
 * Finds out what the flags and the settings ask for. Of an export the settings count that the days
 * of the range were judged by, or those of all its days. Throws ReconError.
 */
export async function whatIsAsked(context: Context) {
  const { flags, clock } = context;
  const exported = await findExport(flags);
  const period = exported?.period;
  const isJudgedAsStored = exported && flags.profile === undefined && flags.config === undefined;
  const hasRange = isRangeGiven(flags) || period !== undefined;
  // What is stored goes by the range, and the range by the time zone, which is not stored.
  const unstored = await readSettings(context);
  const range =
    isJudgedAsStored && hasRange
      ? resolveRange(flags, countedFrom(unstored, period, context))
      : undefined;
  const stored = isJudgedAsStored ? await exportedSettings(exported, range) : undefined;
  const settings = stored ? await readSettings(context, stored) : unstored;
  const { chooseScenario } = flags.sandbox ? await import('./sandbox.ts') : {};
  const scenario = await chooseScenario?.(flags.scenario);
  const { scenario: name = '' } = exported ?? {};
  // The sandbox may no longer have the scenario that an export was made of.
  const isKnown = scenarioNames.includes(name);
  const simulated = scenario ?? (isKnown ? await loadScenario(name) : undefined);
  const { time_zone: timeZone } = settings.preferences;
  const names = [...Object.entries(scenario?.names ?? {}), ...settings.preferences.names];
  return {
    settings,
    /** How settlements are judged. */
    judgement: judgement(settings),
    /**
     * The day on which a report is made, YYYY-MM-DD. The days of the sandbox have passed long ago:
     * there it is the day after the last of them.
     */
    today: (): string =>
      simulated ? addDays(simulated.period.to, 1) : dayAt(clock.now(), timeZone),
    /** The export that is read instead of the service, if one is. */
    exported,
    /** The range, if the settings of an export's days were found by it. */
    range,
    /** The days that hold all of the data, where they are known: of the sandbox and of an export. */
    period: exported ? period : scenario?.period,
    /** Names of accounting tokens: those of the sandbox, and before them those of the settings. */
    names: new Map(names),
    /** The filters that the data of an export have passed. */
    filters: exported?.scope.filters ?? {},
    /** The flags, as words of a command line, by which another command asks the same service. */
    repeated: repeatedFlags(flags, exported),
    /** Sentences about the settings that the days of an export were judged by. */
    warnings: stored?.warnings ?? [],
  };
}

/** The range that the flags name, or else all days of the data. Throws ReconError. */
export function rangeAsked(
  { settings, range, period }: Pick<Asked, 'settings' | 'range' | 'period'>,
  context: Pick<Context, 'flags' | 'clock'>,
): DateRange {
  return range ?? resolveRange(context.flags, countedFrom(settings, period, context));
}

function countedFrom(
  { preferences }: Settings,
  otherwise: DateRange | undefined,
  { clock }: Pick<Context, 'clock'>,
): RangeContext {
  return { now: clock.now(), timeZone: preferences.time_zone, otherwise };
}

/** The settlements that the flags ask for; of an export, by the filters that its data have passed. */
export function queryAsked(asked: Asked, context: Context): SettlementQuery {
  const range = rangeAsked(asked, context);
  const today = dayAt(context.clock.now(), asked.settings.preferences.time_zone);
  if (range.from > today) context.messages.say('The range is in the future.');
  return {
    range,
    filters: { ...asked.filters, ...filtersOf(context.flags) },
  };
}

/** The range that `--compare` names, and the change of a fee rate that `--drift` allows, if asked for. */
export function comparisonAsked(
  { settings }: Pick<Asked, 'settings'>,
  range: DateRange,
  { flags, clock }: Pick<Context, 'flags' | 'clock'>,
): RateComparison | undefined {
  const { compare, drift: limit = usualDrift, failOn } = flags;
  if (compare === undefined) {
    if (!namedIn(failOn, 'fee-drift')) return undefined;
    const hint = 'Add a range: --compare previous.';
    throw new ReconError('usage', '--fail-on fee-drift needs --compare.', { hint });
  }
  const earlier = earlierRange(compare, range, countedFrom(settings, undefined, { clock }));
  return { range: earlier, limit };
}

/** 0.05 percentage points. */
const usualDrift = 500n;

/** Says that an export is read, and the warnings about its days. */
export function sayExported({ exported, warnings }: Asked, { messages }: Context): void {
  if (exported) {
    const flag = `--from-export ${shellWord(exported.folder)}`;
    messages.say(`To read this export again, add ${flag} to the suggested commands.`);
  }
  for (const warning of warnings) messages.warn(warning);
}

/** They ask the service of which an export was made: that one is read makes it no other report. */
function repeatedFlags(flags: Flags, exported: Exported | undefined): string {
  const exportedFrom = exported?.scenario;
  const { profile, config, sandbox = exportedFrom !== undefined } = flags;
  const scenario = exportedFrom ?? flags.scenario;
  const words = [
    ...(profile === undefined ? [] : ['--profile', profile]),
    ...(config === undefined ? [] : ['--config', config]),
    ...(sandbox ? ['--sandbox'] : []),
    ...(scenario === undefined || scenario === scenarioNames[0] ? [] : ['--scenario', scenario]),
  ];
  return words.map(shellWord).join(' ');
}
