import { expect, test } from 'vitest';
import { parseProfileFile } from '../../src/config/config-file.ts';
import { otherSchemeText } from '../../src/doctor/report.ts';

test.each(['spain', 'my shop', 'a "b"'])(
  'the table of profile %s in advice is valid TOML',
  (name) => {
    const [, table] = /under (\[profiles\..+\]), or/.exec(otherSchemeText('v1', name)) ?? [];
    const { profiles } = parseProfileFile(`${table}\nauth = "v1"`, 'config.toml');
    expect([...profiles.keys()]).toEqual([name]);
  },
);
