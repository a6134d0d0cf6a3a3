import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { ReconError } from '../../src/base/errors.ts';
import { parseProfileFile } from '../../src/config/config-file.ts';

const parse = (toml: string) => parseProfileFile(toml, '/etc/recon.toml');

function faultOf(toml: string): ReconError {
  try {
    parse(toml);
  } catch (error) {
    return error as ReconError;
  }
  throw new Error('it was taken');
}

describe('the configuration file', () => {
  test('holds profiles and a default one', () => {
    const file = parse(`
      default_profile = "shop"
      [profiles.shop]
      client_secret = "s3cret"
      tolerance = 2
      ignore = ["count"]
      [profiles.shop.names]
      "ACC.1" = "Shop"
      [profiles.constructor]
    `);
    expect(file.defaultProfile).toBe('shop');
    expect([...file.profiles.keys()]).toEqual(['shop', 'constructor']);
    expect(file.profiles.get('shop')).toMatchObject({
      tolerance: '2',
      ignore: 'count',
      names: '{"ACC.1":"Shop"}',
    });
    expect(inspect(file, { depth: null }) + JSON.stringify([...file.profiles])).not.toContain(
      's3cret',
    );
  });

  test('may be empty', () => {
    expect(parse('')).toEqual({ defaultProfile: undefined, profiles: new Map() });
  });

  test('treats empty text as not set', () => {
    const file = parse('[profiles.shop]\nbase_url = ""\nclient_secret = ""');
    expect(file.profiles.get('shop')).toEqual({});
  });

  test.each([
    ['[profiles.__proto__]', 'Nothing in the configuration file can be called __proto__.'],
    ['[profiles.shop.names]\n"__proto__" = "x"', 'can be called __proto__.'],
    ['[profiles.shop]\nbase_url = "https://a\0b"', 'cannot be seen on this line'],
  ])('is refused for what would get lost or cannot be seen: %j', (toml, message) => {
    expect(faultOf(toml).message).toContain(message);
    expect([...parse('[profiles.shop]\nnames.a = "\\"__proto__\\": "').profiles.keys()]).toEqual([
      'shop',
    ]);
  });

  test('is refused if malformed, with line and column and without its text', () => {
    const fault = faultOf('[profiles.shop]\nclient_secret = "s3c\\qret"');
    expect(fault).toMatchObject({
      failure: 'configuration',
      message: expect.stringContaining('line 2, column 22'),
      where: '/etc/recon.toml:2:22',
      hint: expect.any(String),
    });
    expect(inspect(fault, { depth: null })).not.toContain('s3c');
  });

  test.each([
    ['[profiles.shop]\nbase_ulr = "x"', 'profiles.shop.base_ulr', 'Did you mean base_url?'],
    ['[profiles.shop]\nrestate_days = 1', 'profiles.shop.restate_days', 'mean restated_days?'],
    ['[profiles.shop]\nnotifyurl = "x"', 'profiles.shop.notifyurl', 'Did you mean notify_url?'],
    ['[profiles.shop]\njwt_secret_fil = "x"', 'profiles.shop.jwt_secret_fil', 'jwt_secret_file?'],
    ['[profiles.shop]\nclient-id = "x"', 'profiles.shop.client-id', 'Did you mean client_id?'],
    ['[profiles.shop]\nweather = "x"', 'profiles.shop.weather', 'Known: base_url, auth_url'],
    ['[profile.shop]', 'profile', 'Did you mean profiles?'],
    ['base_url = "x"', 'base_url', '[profiles.NAME]'],
  ])('refuses the unknown key of %j', (toml, key, hint) => {
    expect(faultOf(toml)).toMatchObject({
      failure: 'configuration',
      message: `Unknown setting ${key}.`,
      where: '/etc/recon.toml',
      hint: expect.stringContaining(hint),
    });
  });

  test.each([
    ['tolerance = "2"', 'profiles.shop.tolerance must be a whole number'],
    ['tolerance = 1.5', 'profiles.shop.tolerance must be a whole number'],
    ['concurrency = true', 'profiles.shop.concurrency must be a whole number'],
    ['base_url = 3', 'profiles.shop.base_url must be text in quotes'],
    ['identity = ""', 'profiles.shop.identity must not be empty'],
    ['client_secret = 5318008', 'profiles.shop.client_secret must be text in quotes'],
    ['ignore = "count"', 'profiles.shop.ignore must be a list'],
    ['ignore = ["count", 3]', 'profiles.shop.ignore[1] must be text in quotes'],
    ['timeout = 2026-01-01', 'profiles.shop.timeout must be text in quotes'],
    ['names = "x"', 'profiles.shop.names must be a table'],
    ['names.ACC.1 = "x"', 'profiles.shop.names.ACC must be text in quotes'],
    ['names."A b" = 1', 'profiles.shop.names."A b" must be text in quotes'],
    [
      'client_secret = "5318008"\nclient_secret_command = "x"',
      'profiles.shop has client_secret and client_secret_command; keep one of them.',
    ],
    [
      'jwt_secret_file = "x"\njwt_secret_command = "x"',
      'profiles.shop has jwt_secret_file and jwt_secret_command; keep one of them.',
    ],
    [
      'notify_url = "5318008"\nnotify_url_file = "x"\nnotify_url_command = "x"',
      'profiles.shop has notify_url, notify_url_file and notify_url_command; keep one of them.',
    ],
    ['notify_url = 5318008', 'profiles.shop.notify_url must be text in quotes'],
    ['restated_days = "7"', 'profiles.shop.restated_days must be a whole number'],
  ])('is refused with the key path of %j', (line, words) => {
    const fault = faultOf(`[profiles.shop]\n${line}`);
    expect(fault.message).toContain(words);
    expect(inspect(fault, { depth: null })).not.toContain('5318008');
  });

  test.each([
    ['profiles = 1', 'profiles must be written as tables'],
    ['profiles.shop = 1', 'profiles.shop must be a table'],
    ['default_profile = 1', 'default_profile must be text'],
  ])('is refused with the key path of %j at the top', (toml, words) => {
    expect(faultOf(toml).message).toContain(words);
  });
});
