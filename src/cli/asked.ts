import { addDays, dayAt } from '../base/calendar.ts';
import { shellWord } from '../base/texts.ts';
import type { Settings } from '../config/settings.ts';
import type { DateRange, SettlementQuery } from '../model/source.ts';
import { loadScenario, scenarioNames } from '../sandbox/scenarios.ts';
import type { Context } from './context.ts';
import { type Exported, exportedSettings, findExport } from './exported.ts';
import type { Flags } from './flags.ts';
import { filtersOf, isRangeGiven, type RangeContext, resolveRange } from './range.ts';
import { judgement, readSettings } from './settings.ts';

/** What a command line asks for: settings and data. Nothing is connected yet. */
export type Asked = Awaited<ReturnType<typeof whatIsAsked>>;

/** Resolves flags and settings; an export's days bring the settings they were judged by. Throws ReconError. */
export async function whatIsAsked(context: Context) {
  const { flags, clock } = context;
  const exported = await findExport(flags);
  const period = exported?.period;
  const isJudgedAsStored = exported && flags.profile === undefined && flags.config === undefined;
  const hasRange = isRangeGiven(flags) || period !== undefined;
  // The range depends on the time zone, which exports do not store.
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
  // A newer sandbox may lack the scenario of an export.
  const isKnown = scenarioNames.includes(name);
  const simulated = scenario ?? (isKnown ? await loadScenario(name) : undefined);
  const { time_zone: timeZone } = settings.preferences;
  const names = [...Object.entries(scenario?.names ?? {}), ...settings.preferences.names];
  return {
    settings,
    judgement: judgement(settings),
    /** The day of the report, YYYY-MM-DD; with the sandbox, the day after its last one. */
    today: (): string =>
      simulated ? addDays(simulated.period.to, 1) : dayAt(clock.now(), timeZone),
    /** The export that is read instead of the service. */
    exported,
    /** The range, if the settings of the export were found by it. */
    range,
    /** The days that hold all data, if known: of the sandbox or an export. */
    period: exported ? period : scenario?.period,
    /** Names of accounting tokens: of the sandbox, overridden by the settings. */
    names: new Map(names),
    /** The filters that an export was made with. */
    filters: exported?.scope.filters ?? {},
    /** The flags by which another command reads the same service, as words of a command line. */
    repeated: repeatedFlags(flags, exported),
    /** Sentences about the settings of an export's days. */
    warnings: stored?.warnings ?? [],
  };
}

/** The range of the flags, or else all days of the data. Throws ReconError. */
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

/** The settlements that the flags ask for. */
export function queryAsked(asked: Asked, context: Context): SettlementQuery {
  const range = rangeAsked(asked, context);
  const today = dayAt(context.clock.now(), asked.settings.preferences.time_zone);
  if (range.from > today) context.messages.say('The range is in the future.');
  return {
    range,
    filters: { ...asked.filters, ...filtersOf(context.flags) },
  };
}

/** Says that an export is read, and warns about its days. */
export function sayExported({ exported, warnings }: Asked, { messages }: Context): void {
  if (exported) {
    const flag = `--from-export ${shellWord(exported.folder)}`;
    messages.say(`To read this export again, add ${flag} to the suggested commands.`);
  }
  for (const warning of warnings) messages.warn(warning);
}

/** They name the service that an export was made from, not the export. */
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
