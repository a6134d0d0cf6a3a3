import { describe, expect, test } from 'vitest';
import { parseProfileFile, profileKeys } from '../../src/config/config-file.ts';
import { resolveSettings } from '../../src/config/settings.ts';
import { configTemplate } from '../../src/config/template.ts';
import { ignorableChecks } from '../../src/reconcile/entry.ts';
import { identities } from '../../src/reconcile/identity.ts';

const template = await configTemplate('shop');
/** With every setting that is switched off switched on. */
const switchedOn = (text: string) => text.replaceAll(/^#(?=\S)/gm, '');

describe('the template of a configuration file', () => {
  test('contains one profile, with the given name and no settings', async () => {
    for (const name of ['shop', 'my "own" shop', 'a.b', '']) {
      const { defaultProfile, profiles } = parseProfileFile(await configTemplate(name), 'x');
      expect(defaultProfile).toBeUndefined();
      expect([...profiles]).toEqual([[name, {}]]);
    }
  });

  test('is understood with every setting switched on', () => {
    const { defaultProfile, profiles } = parseProfileFile(switchedOn(template), 'x');
    expect(defaultProfile).toBe('shop');
    expect([...profiles.keys()]).toEqual(['shop']);
  });

  test('names every setting', () => {
    const named = switchedOn(template).match(/^\w+(?=\.| = )/gm);
    expect(named).toHaveLength(new Set(named).size);
    expect(new Set(named)).toEqual(new Set(['default_profile', ...profileKeys]));
  });

  test('shows the defaults of the settings that are switched off', async () => {
    const values = parseProfileFile(switchedOn(template), 'x').profiles.get('shop') ?? {};
    const { names, ...others } = values;
    const origin = 'profile shop in x' as const;
    const preferencesWith = async (stored?: typeof values) => {
      const profile = stored && { name: 'shop', values: stored, origin, chosenBy: origin };
      const sources = { flags: {}, env: {}, home: '/', uid: undefined, useFile: false };
      return (await resolveSettings({ ...sources, stored: profile })).preferences;
    };
    expect(names).toContain('Shop in Madrid');
    expect(await preferencesWith(others)).toEqual(await preferencesWith());
  });

  test('lists the values to choose from', () => {
    for (const word of [...identities, ...ignorableChecks]) {
      expect(template).toContain(word);
    }
    expect(Math.max(...template.split('\n').map((line) => line.length))).toBeLessThan(101);
  });
});
