import type { SettingWithOrigin } from '../../config/settings.ts';
import { column, facts, section } from '../common/blocks.ts';
import { type Column, records, textColumn } from '../common/columns.ts';
import { jsonViews } from '../common/json.ts';
import type { Section, View, Views } from '../common/view.ts';

/** What `recon config show` tells. */
export interface ConfigReport {
  readonly file: { readonly path: string; readonly origin: string };
  readonly hasFile: boolean;
  readonly profiles: readonly string[];
  readonly settings: readonly SettingWithOrigin[];
}

const notSet = 'not set';

const recordColumns: readonly Column<SettingWithOrigin>[] = [
  textColumn('setting', ({ key }) => key),
  textColumn('value', ({ value }) => value ?? ''),
  textColumn('source', ({ origin }) => origin ?? notSet),
];

/** The settings in use, with where each comes from. */
export function configViews(report: ConfigReport): Views {
  return {
    view: () => configView(report),
    records: () => records(recordColumns, report.settings),
    ...jsonViews(() => ({
      about: aboutTheFile(report),
      lists: { settings: ['setting', report.settings.map(jsonSetting)] },
    })),
  };
}

function configView({ file, hasFile, profiles, settings }: ConfigReport): View {
  const there = hasFile ? '' : ', does not exist yet';
  return [
    facts([
      ['File', `${file.path} (${file.origin}${there})`],
      ['Profiles', profiles.join(', ') || 'none'],
    ]),
    // The file is named once, above.
    settingsSection(settings, file.path),
  ];
}

/** Every setting with where it comes from; `known` is a file that needs no naming there. */
export function settingsSection(settings: readonly SettingWithOrigin[], known?: string): Section {
  const source = ({ origin }: SettingWithOrigin) =>
    (origin ?? notSet).replace(known === undefined ? '' : ` in ${known}`, '');
  return section<SettingWithOrigin>(
    'Settings',
    [
      column(1, 'Setting', 'text', ({ key }) => key),
      column(1, 'Value', 'text', ({ value }) => (value === '' ? '-' : (value ?? ''))),
      column(1, 'Source', 'text', source),
    ],
    settings,
  );
}

function aboutTheFile({ file: { path, origin }, hasFile, profiles }: ConfigReport) {
  return { file: { path, source: origin, exists: hasFile }, profiles };
}

export function jsonSetting({ key, value, origin }: SettingWithOrigin) {
  return { setting: key, value: value ?? null, source: origin ?? null };
}
