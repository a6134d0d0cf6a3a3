import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { topics } from '../../src/cli/topics.ts';
import { profileKeys } from '../../src/config/config-file.ts';
import { variableOf } from '../../src/config/raw.ts';
import { preferenceKeys, settingKeys, settingTable } from '../../src/config/table.ts';

const page = readFileSync('docs/configuration.md', 'utf8');
const rows = page.matchAll(/^\| *([^|]*) *\| *([^|]*) *\|[^|]*\|$/gm);
const cells = [...rows].map(([, environment = '', profile = '']) => ({ environment, profile }));
const namesIn = (text: string) =>
  [...text.matchAll(/`(?:\[profiles\.NAME\.)?(\w+)\]?`/g)].map(([, name]) => name);

const variables = settingKeys.map(variableOf);
/** Variables that hold no setting of a profile. */
const others = ['RECON_PROFILE', 'RECON_CONFIG', 'RECON_LISTEN_PATH', 'RECON_JOURNAL'];

describe('the table of settings', () => {
  test('has the settings of the page about the configuration', () => {
    const inEnvironment = cells.flatMap(({ environment }) => namesIn(environment));
    const inProfile = cells.flatMap(({ profile }) => namesIn(profile));
    expect(inEnvironment.sort()).toEqual([...variables, ...others].sort());
    expect(inProfile.sort()).toEqual([...profileKeys].sort());
  });

  test('has all its variables in the help', () => {
    const help = topics.find(({ name }) => name === 'environment')?.text;
    expect(help?.match(/RECON_\w+/g)).toEqual(expect.arrayContaining(variables));
  });

  test('has a default for each preference', () => {
    for (const key of preferenceKeys) {
      const setting = settingTable[key];
      expect('default' in setting || 'sameAs' in setting).toBe(true);
    }
  });
});
