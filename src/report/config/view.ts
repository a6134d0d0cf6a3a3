import type { Settings, SettingWithOrigin } from '../../config/settings.ts';
import { column, facts, section } from '../common/blocks.ts';
import { type Column, field, records } from '../common/columns.ts';
import { jsonViews } from '../common/json.ts';
import type { Section, Views } from '../common/view.ts';

interface ConfigReport extends Pick<Settings, 'file' | 'hasFile' | 'profiles'> {
  readonly settings: readonly SettingWithOrigin[];
}

const notSet = 'not set';

const recordColumns: readonly Column<SettingWithOrigin>[] = [
  field.text('setting', ({ key }) => key),
  field.text('value', ({ value }) => value ?? ''),
  field.text('source', ({ origin }) => origin ?? notSet),
];

/** The settings in use, each with its source. */
export function configViews({ file, hasFile, profiles, settings }: ConfigReport): Views {
  const { path, origin } = file;
  return {
    view: () => [
      facts([
        ['File', `${path} (${origin}${hasFile ? '' : ', does not exist yet'})`],
        ['Profiles', profiles.join(', ') || 'none'],
      ]),
      // The file is named above.
      settingsSection(settings, path),
    ],
    records: () => records(recordColumns, settings),
    ...jsonViews(() => ({
      about: { file: { path, source: origin, exists: hasFile }, profiles },
      lists: { settings: ['setting', settings.map(jsonSetting)] },
    })),
  };
}

/** Every setting with its source, without the file named `above`. */
export function settingsSection(settings: readonly SettingWithOrigin[], above?: string): Section {
  const named = above === undefined ? '' : ` in ${above}`;
  return section('Settings', settings, [
    column.text('Setting', ({ key }) => key),
    column.text('Value', ({ value }) => (value === '' ? '-' : (value ?? ''))),
    column.text('Source', ({ origin }) => (origin ?? notSet).replace(named, '')),
  ]);
}

export function jsonSetting({ key, value, origin }: SettingWithOrigin) {
  return { setting: key, value, source: origin };
}
