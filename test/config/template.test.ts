import { describe, expect, test } from 'vitest';
import { collectPreferences, parsePreferences } from '../../src/config/preferences.ts';
import { parseProfileFile, profileKeys } from '../../src/config/profile-file.ts';
import { configTemplate } from '../../src/config/template.ts';

const choices = { identities: ['gross-fees-tax', 'off'], checks: ['gross', 'count'] } as const;
const template = (profile = 'shop') => configTemplate(profile, choices);
/** With every setting that is switched off switched on. */
const switchedOn = (text: string) => text.replaceAll(/^#(?=\S)/gm, '');

describe('the template of a configuration file', () => {
  test('holds one profile, of the name that was given, with nothing set', () => {
    for (const name of ['shop', 'my "own" shop', 'a.b', '']) {
      const { defaultProfile, profiles } = parseProfileFile(template(name), 'x');
      expect(defaultProfile).toBeUndefined();
      expect([...profiles]).toEqual([[name, {}]]);
    }
  });

  test('is understood with every setting switched on', () => {
    const { defaultProfile, profiles } = parseProfileFile(switchedOn(template()), 'x');
    expect(defaultProfile).toBe('shop');
    expect([...profiles.keys()]).toEqual(['shop']);
  });

  test('names every setting that there is', () => {
    const named = switchedOn(template()).match(/^\w+(?=\.| = )/gm);
    expect(named).toHaveLength(new Set(named).size);
    expect(new Set(named)).toEqual(new Set(['default_profile', ...profileKeys]));
  });

  test('shows the defaults of the settings that are switched off', () => {
    const settings = parseProfileFile(switchedOn(template()), 'x').profiles.get('shop') ?? {};
    const { names, ...others } = settings;
    const preferencesWith = (profile: typeof settings | undefined) => {
      const chosen = profile && {
        name: 'shop',
        settings: profile,
        origin: 'profile shop in x' as const,
        chosenBy: 'default' as const,
      };
      return parsePreferences(collectPreferences({}, chosen, 'gross-fees-tax'), chosen, choices);
    };
    expect(Object.keys(names ?? {})).toHaveLength(1);
    expect(preferencesWith(others)).toEqual(preferencesWith(undefined));
  });

  test('lists what can be chosen', () => {
    for (const word of [...choices.identities, ...choices.checks]) {
      expect(template()).toMatch(new RegExp(`^# .*\\b${word}\\b`, 'm'));
    }
    const words = Array.from({ length: 40 }, (_, index) => `check_${index}`);
    const long = configTemplate('shop', { ...choices, checks: words });
    expect(Math.max(...long.split('\n').map((line) => line.length))).toBeLessThan(101);
    expect(long.match(/check_\d+/g)).toEqual(words);
  });
});
