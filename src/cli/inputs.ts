import { join } from 'node:path';
import { addDays, isDayIn, spanOf } from '../base/calendar.ts';
import { ReconError } from '../base/errors.ts';
import { keysOf } from '../base/lists.ts';
import { shellWord } from '../base/texts.ts';
import { isSameUuid } from '../base/uuid.ts';
import type { Settings } from '../config/settings.ts';
import { formatScales } from '../config/table.ts';
import { readManifest } from '../export/check-day.ts';
import { damagedFile } from '../export/layout.ts';
import { readDaysAndIntents } from '../export/listing.ts';
import type { Manifest } from '../export/manifest.ts';
import { requireScope } from '../export/scope.ts';
import type { DateRange, SettlementFilters, SettlementQuery } from '../model/source.ts';
import type { ReconcileSettings } from '../reconcile/subject.ts';
import { present } from '../report/common/phrase.ts';
import { ofProvider, viewsOfProvider } from '../report/common/provider-words.ts';
import type { Views } from '../report/common/view.ts';
import { exportProblemSentence } from '../report/verify/words.ts';
import { loadScenario, scenarioNames } from '../sandbox/scenarios.ts';
import type { Context } from './context.ts';
import type { Flags } from './flags.ts';
import { describeRange, filtersOf, isRangeGiven, resolveRange } from './range.ts';
import { dayNow, readSettings, sandboxRegisters } from './settings.ts';

/** What a command line names: settings and data. Nothing is connected yet. */
export type Inputs = Awaited<ReturnType<typeof resolveInputs>>;

/** Resolves flags and settings; an export brings the settings of its days. Throws ReconError. */
export async function resolveInputs(context: Context) {
  const { flags } = context;
  const exported = await findExport(flags);
  const period = exported?.period;
  const usesStored = exported && flags.profile === undefined && flags.config === undefined;
  const hasRange = isRangeGiven(flags) || period !== undefined;
  // The range depends on the time zone, which exports do not store.
  const unstored = await readSettings(context);
  const range =
    usesStored && hasRange ? rangeOf({ settings: unstored, period }, context) : undefined;
  const stored = usesStored ? await exportedSettings(exported, range) : undefined;
  const settings = stored ? await readSettings(context, stored) : unstored;
  announceRegisters(settings, context);
  const { chooseScenario } = flags.sandbox ? await import('./sandbox.ts') : {};
  const scenario = await chooseScenario?.(flags.scenario);
  const { scenario: name = '' } = exported ?? {};
  // A newer sandbox may lack the scenario of an export.
  const isKnown = scenarioNames.includes(name);
  const simulated = scenario ?? (isKnown ? await loadScenario(name) : undefined);
  /** Names of accounting tokens: of the sandbox, overridden by the settings. */
  const names = new Map([...Object.entries(scenario?.names ?? {}), ...settings.preferences.names]);
  return {
    settings,
    /** Whose settlements a report is about. */
    whose: { profile: settings.profile, names, flags: repeatedFlags(flags, exported) },
    /** A report and its conclusion, in words for files if the profile reads files of a provider. */
    told: (views: Views, conclusion: readonly string[]) =>
      flags.sandbox || settings.preferences.settlement_files === undefined
        ? { views, conclusion }
        : { views: viewsOfProvider(views), conclusion: conclusion.map(ofProvider) },
    /** How rows are read. */
    reading: {
      ahead: settings.preferences.concurrency,
      onProgress: context.messages.onProgress,
    },
    judgement: judgement(settings),
    /** The day of the report, YYYY-MM-DD; with the sandbox, the day after its last one. */
    today: (): string => (simulated ? addDays(simulated.period.to, 1) : dayNow(settings, context)),
    exported,
    /** The days that hold all data, if known: of the sandbox or an export. */
    period: exported ? period : scenario?.period,
    names,
    filters: exported?.scope.filters ?? {},
    /** Sentences about the settings of an export's days. */
    warnings: stored?.warnings ?? [],
  };
}

function announceRegisters({ preferences }: Settings, { flags, messages }: Context): void {
  for (const key of keysOf(sandboxRegisters)) {
    const path = preferences[key];
    if (path === sandboxRegisters[key] && flags[key] === undefined)
      messages.say(`The sandbox has a register in this folder: ${path}`);
  }
}

/** The range of the flags, or else all days of the data. Throws ReconError. */
export function rangeOf(
  { settings, period }: { readonly settings: Settings; readonly period: DateRange | undefined },
  context: Context,
): DateRange {
  return resolveRange(context.flags, dayNow(settings, context), period);
}

export function queryOf(inputs: Inputs, context: Context): SettlementQuery {
  const range = rangeOf(inputs, context);
  if (range.from > dayNow(inputs.settings, context))
    context.messages.say('The range is in the future.');
  return {
    range,
    filters: { ...inputs.filters, ...filtersOf(context.flags) },
  };
}

/** Says that an export is read, and warns about its days. */
export function announceExport({ exported, warnings }: Inputs, { messages }: Context): void {
  if (exported) {
    const flag = `--from-export ${shellWord(exported.folder)}`;
    messages.say(`To read this export again, add ${flag} to the suggested commands.`);
  }
  for (const warning of warnings) messages.warn(warning);
}

export async function announceRange(range: DateRange, inputs: Inputs, context: Context) {
  context.messages.say(`Settlements ${describeRange(range)}`);
  announceExport(inputs, context);
  await context.messages.startProgress();
}

/** The flags by which another command reads the same service: the one that an export was made from. */
export function repeatedFlags(flags: Flags, exported?: Exported): string {
  const exportedFrom = exported?.scenario;
  const { profile, config, sandbox = exportedFrom !== undefined } = flags;
  const scenario = exportedFrom ?? flags.scenario;
  const isNamed = scenario !== undefined && scenario !== scenarioNames[0];
  return present(
    profile !== undefined && `--profile ${shellWord(profile)}`,
    config !== undefined && `--config ${shellWord(config)}`,
    sandbox && '--sandbox',
    isNamed && `--scenario ${shellWord(scenario)}`,
  ).join(' ');
}

type Exported = NonNullable<Awaited<ReturnType<typeof findExport>>>;

/** The export of `--from-export`. ReconError `usage` if there is none, or other flags contradict it. */
async function findExport(flags: Flags) {
  const { fromExport: folder } = flags;
  if (folder === undefined) return undefined;
  const scope = await requireScope(folder);
  refuseOtherFilters(flags, scope.filters, folder);
  const { days, intents, blocked } = await readDaysAndIntents(folder);
  const cutShort = intents.map(({ day }) => day).filter((day) => !days.includes(day));
  return {
    folder,
    scope,
    scenario: /^sandbox:(.*)$/s.exec(scope.host)?.[1],
    /** From its first day to its last, missing ones included; undefined if it has none. */
    period: spanOf([...days, ...blocked, ...cutShort]),
    days: new Map(days.map((day) => [day, join(folder, day)])),
    lacking: new Map([
      ...blocked.map((day) => [day, `${day} is not included: ${notFollowed}`] as const),
      ...cutShort.map((day) => [day, `Replacing ${day} was interrupted. ${finishing}`] as const),
    ]),
  };
}

const notFollowed = 'a file or link is in the place of its folder. Links are not followed.';
const finishing = 'Run recon export again to complete it.';

function refuseOtherFilters(given: SettlementFilters, exported: SettlementFilters, folder: string) {
  for (const flag of ['mid', 'cid', 'chid'] as const) {
    const isSame = isSameUuid(String(given[flag]), String(exported[flag]));
    if (given[flag] === undefined || isSame) continue;
    const what = exported[flag] === undefined ? `without --${flag}` : `with ${exported[flag]}`;
    const message = `--${flag} is ${given[flag]}; the export was created ${what}.`;
    const hint = `Remove --${flag}, or name another export.`;
    throw new ReconError('usage', message, { where: folder, hint });
  }
}

/** The settings of an export's days: the last day decides. ReconError `damaged` if a manifest was changed. */
async function exportedSettings({ folder, scope, days }: Exported, range?: DateRange) {
  const manifests: Manifest[] = [];
  for (const [day, path] of days) {
    if (range && !isDayIn(range, day)) continue;
    const manifest = await readManifest(path, day);
    if ('code' in manifest) {
      throw damagedFile(join(path, manifest.path), exportProblemSentence(manifest));
    }
    manifests.push(manifest);
  }
  const last = manifests.at(-1);
  const origin = `export in ${folder}` as const;
  const names = Object.fromEntries(
    manifests.flatMap(({ settings }) => Object.entries(settings.names)),
  );
  const textOf = (one: Manifest) => JSON.stringify(storedSettings(one));
  const other = manifests.findLast((one) => last && textOf(one) !== textOf(last));
  return {
    name: scope.profile ?? undefined,
    origin,
    chosenBy: origin,
    values: last ? { ...storedSettings(last), names: JSON.stringify(names) } : {},
    warnings: present(
      last &&
        other &&
        `The days were exported with different settings (${other.day} and ${last.day}, for example). The settings of ${last.day} are used for all.`,
    ),
  };
}

function storedSettings({ settings }: Manifest) {
  const { identity, tolerance, ignored, expectedScales, rules } = settings;
  return {
    identity,
    tolerance,
    ignore: ignored.join(),
    expected_scales: formatScales(expectedScales),
    rules: JSON.stringify(rules),
  };
}

function judgement({
  preferences: { identity, tolerance, ignore, expected_scales, rules },
}: Settings): ReconcileSettings {
  return { identity, tolerance, ignored: ignore, expectedScales: expected_scales, rules };
}
