import { shellWord } from '../base/texts.ts';
import type { Settings } from '../config/settings.ts';
import type { DateRange, SettlementFilters, SettlementQuery } from '../model/source.ts';
import type { ReconcileSettings } from '../reconcile/reconciled.ts';
import { scenarioNames } from '../sandbox/scenarios.ts';
import type { Context } from './context.ts';
import { type Exported, exportedSettings, exportHint, findExport, periodOf } from './exported.ts';
import type { Flags } from './flags.ts';
import { filtersOf, isRangeGiven, resolveRange } from './range.ts';
import { judgement, readSettings } from './settings.ts';

/** What a command line asks for: by which settings, and whose data. Nothing is connected yet. */
export interface Asked {
  readonly settings: Settings;
  /** How settlements are judged. */
  readonly judgement: ReconcileSettings;
  /** The export that is read instead of the service, if one is. */
  readonly exported: Exported | undefined;
  /** The range, if the settings of an export's days were found by it. */
  readonly range: DateRange | undefined;
  /** The days that hold all of the data, where they are known: of the sandbox and of an export. */
  readonly period: DateRange | undefined;
  /** Names of accounting tokens: those of the sandbox, and before them those of the settings. */
  readonly names: ReadonlyMap<string, string>;
  /** The filters that the data of an export have passed. */
  readonly filters: SettlementFilters;
  /** The flags, as words of a command line, by which another command asks the same service. */
  readonly repeated: string;
  /** Sentences about the settings that the days of an export were judged by. */
  readonly warnings: readonly string[];
}

/**
 * Finds out what the flags and the settings ask for. Of an export the settings count that the days
 * of the range were judged by, or those of all its days. Throws ReconError.
 */
export async function whatIsAsked(context: Context): Promise<Asked> {
  const { flags, clock } = context;
  const exported = await findExport(flags);
  const period = exported ? periodOf(exported) : undefined;
  const isJudgedAsStored = exported && flags.profile === undefined && flags.config === undefined;
  const hasRange = isRangeGiven(flags) || period !== undefined;
  // Only a configuration file can name another time zone.
  const inUtc = { now: clock.now(), timeZone: 'UTC', otherwise: period };
  const range = isJudgedAsStored && hasRange ? resolveRange(flags, inUtc) : undefined;
  const stored = isJudgedAsStored ? await exportedSettings(exported, range) : undefined;
  const settings = await readSettings(context, stored);
  const { chooseScenario } = flags.sandbox ? await import('./sandbox.ts') : {};
  const scenario = await chooseScenario?.(flags.scenario);
  return {
    settings,
    judgement: judgement(settings),
    exported,
    range,
    period: exported ? period : scenario?.period,
    names: new Map([...Object.entries(scenario?.names ?? {}), ...settings.preferences.names]),
    filters: exported?.scope.filters ?? {},
    repeated: repeatedFlags(flags, exported),
    warnings: stored?.warnings ?? [],
  };
}

/** The range that the flags name, or else all days of the data. Throws ReconError. */
export function rangeAsked(
  { settings, range, period }: Pick<Asked, 'settings' | 'range' | 'period'>,
  { flags, clock }: Pick<Context, 'flags' | 'clock'>,
): DateRange {
  const { time_zone: timeZone } = settings.preferences;
  return range ?? resolveRange(flags, { now: clock.now(), timeZone, otherwise: period });
}

/** The settlements that the flags ask for; of an export, by the filters that its data have passed. */
export function queryAsked(asked: Asked, context: Context): SettlementQuery {
  return {
    range: rangeAsked(asked, context),
    filters: { ...asked.filters, ...filtersOf(context.flags) },
  };
}

/** Says that an export is read, and the warnings about its days. */
export function sayExported({ exported, warnings }: Asked, { messages }: Context): void {
  if (exported) messages.say(exportHint(exported.folder));
  for (const warning of warnings) messages.warn(warning);
}

/** They ask the service of which an export was made: that one is read makes it no other report. */
function repeatedFlags(flags: Flags, exported: Exported | undefined): string {
  const [, exportedScenario] = /^sandbox:(.*)$/s.exec(exported?.scope.host ?? '') ?? [];
  const { profile, config, sandbox = exportedScenario !== undefined } = flags;
  const scenario = exportedScenario ?? flags.scenario;
  const words = [
    ...(profile === undefined ? [] : ['--profile', profile]),
    ...(config === undefined ? [] : ['--config', config]),
    ...(sandbox ? ['--sandbox'] : []),
    ...(scenario === undefined || scenario === scenarioNames[0] ? [] : ['--scenario', scenario]),
  ];
  return words.map(shellWord).join(' ');
}
