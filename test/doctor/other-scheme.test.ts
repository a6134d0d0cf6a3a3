import { expect, test } from 'vitest';
import { ReconError } from '../../src/base/errors.ts';
import { parseProfileFile } from '../../src/config/config-file.ts';
import { examine } from '../../src/doctor/examination.ts';
import type { Probe } from '../../src/model/probe.ts';
import { evidence } from './sightings.ts';

/** A service that takes the other scheme alone. */
function probe(isAccepted: boolean): Probe {
  const page = { keys: [], items: [], unreadable: [] };
  return {
    token: async () => {},
    settlements: async () => {
      if (isAccepted) return page;
      throw new ReconError('authentication', 'Rejected.');
    },
    rows: async () => page,
    charge: async () => {},
    sightings: () => evidence().sightings,
    close: async () => {},
  };
}

test.each(['spain', 'my shop', 'a "b"'])(
  'the table of profile %s in advice is valid TOML',
  async (profile) => {
    const { signal } = new AbortController();
    const given = evidence({}, { setup: { profile } });
    const { stop } = await examine(probe(false), given, async () => probe(true), signal);
    const [, table] = /under (\[profiles\..+\]), or/.exec(stop?.fault.hint ?? '') ?? [];
    const { profiles } = parseProfileFile(`${table}\nauth = "v1"`, 'config.toml');
    expect([...profiles.keys()]).toEqual([profile]);
  },
);
