import { faultNames } from '../sandbox/faults.ts';
import type { Random } from '../support/random.ts';

/** Faults after which there is no sense in another attempt: most runs are to get past them. */
const final =
  /^(wrapper-(1001|1010|1020|9999)|long-code|http-40[03]|scope-missing|charge-scheme|scheme)/;

/** A random combination of the sandbox's misbehaviours, each at a random rate and place. */
export function randomFaults(random: Random, settlementIds: readonly string[]): readonly string[] {
  const most = random.pick([1, 2, 3, 4, 6]);
  const usages = faultNames.map(({ usage }) => usage).filter((usage) => !/^webhook/.test(usage));
  const chosen = random.sample(
    usages.filter((usage) => !final.test(usage) || random.chance(5)),
    most,
  );
  return chosen.map((usage) => {
    const [, name = '', value = '', where = ''] =
      /^([^=@]*)(?:=([^@]*))?(@WHERE)?$/.exec(usage) ?? [];
    const text = value === '' ? name : `${name}=${valueFor(value, random)}`;
    const place = where === '' ? '' : placeFor(name, random, settlementIds);
    return place === '' ? text : `${text}@${place}`;
  });
}

/** By how a value is written, in help: what it may be. */
const values: Readonly<Record<string, (random: Random) => string | number>> = {
  WHEN: (random) =>
    random.chance(4)
      ? 'always'
      : random.pick([
          `every:${random.int(2, 15)}`,
          `first:${random.int(1, 6)}`,
          `on:${random.int(1, 20)}`,
        ]),
  MS: (random) => random.int(1, 40_000),
  SECONDS: (random) => random.pick([1, 5, 60, 600]),
  N: (random) => random.int(1, 60),
  'N|N-M': (random) => {
    const size = () => random.pick([1, 2, 3, 7, 19, 30, 50, 90]);
    return random.chance(60) ? size() : `${size()}-${size()}`;
  },
  'once|always': (random) => (random.chance(70) ? 'once' : 'always'),
  'absent|null|object': (random) => random.pick(['absent', 'null', 'object']),
  'v1|v2': (random) => random.pick(['v1', 'v2']),
  'N|N,BURST': (random) => {
    const rate = random.pick([2, 5, 20, 100]);
    return random.chance(50) ? rate : `${rate},${random.int(1, 50)}`;
  },
  TEXT: (random) => random.pick(['0', '3', '90', 'soon', 'Sun, 05 Apr 2026 12:01:00 GMT']),
};

function valueFor(syntax: string, random: Random): string | number {
  const make = values[syntax];
  if (make === undefined) throw new Error(`How is a fault's value "${syntax}" written?`);
  return make(random);
}

function placeFor(name: string, random: Random, settlementIds: readonly string[]): string {
  // A list has no tokens and no charges.
  const ofLists = 'page-max ignore-offset repeat skip hole end-at-total over-limit'.split(' ');
  const isOfLists = ofLists.includes(name);
  const places = isOfLists ? ['', 'headers', 'rows'] : ['', 'headers', 'rows', 'token', 'charge'];
  const [id] = random.sample(settlementIds, 1);
  return id !== undefined && random.chance(15) ? id : random.pick(places);
}
