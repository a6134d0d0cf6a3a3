import type { SandboxFault } from '../../src/sandbox/faults.ts';
import type { Scenario } from '../../src/sandbox/scenario.ts';
import { parseFaults } from '../sandbox/faults.ts';

/**
 * What can't be told from the truth, by design (`src/api/README.md`): what every walk over a list
 * hides in the same way looks like what isn't there, and what every walk repeats looks like what is
 * there twice. All other misbehaviours have to be seen through.
 */
export interface BlindSpots {
  /** Whether every walk over the headers may hide the same settlements. */
  readonly settlements: boolean;
  /** Whether all that is read of the rows of this settlement may hide the same ones. */
  rowsOf(settlementId: string): boolean;
  /** The settlement whose header has no true content: it is another with every reading. */
  readonly restless: string | undefined;
  /** Whether every walk over the rows may repeat the same ones. */
  readonly repeats: boolean;
}

/** Where pages are no longer than this, another limit makes no other page borders. */
const longestRigidPage = 2;

export function blindSpotsOf({ settlements }: Scenario, texts: readonly string[]): BlindSpots {
  const faults = parseFaults(texts);
  const has = (name: string, value: string | undefined, place: string) =>
    faults.some((one) => one.name === name && isWith(one, value) && isAt(one, place));
  const isRigid = (place: string) =>
    faults.some(
      (one) => one.name === 'page-max' && isAt(one, place) && smallest(one) <= longestRigidPage,
    );
  const hides = (value: string | undefined, place: string) =>
    has('skip', value, place) || has('hole', value, place);
  // Where more is listed than the header announces, a walk that misses just so many is clean.
  const listedBeyond = new Set(
    settlements
      .filter(({ header, rows }) => Number(header['totalTransactions']) < rows.length)
      .map(({ header }) => header['settlementId']),
  );
  const places = ['rows', ...settlements.map(({ header }) => String(header['settlementId']))];
  return {
    // A list that grows after it was read: nobody can know.
    settlements:
      has('late-settlement', undefined, '') || (isRigid('headers') && hides('always', 'headers')),
    rowsOf: (id) =>
      ['rows', id].some(
        (place) =>
          (isRigid(place) && hides('always', place)) ||
          (listedBeyond.has(id) &&
            ['skip', 'hole', 'end-at-total', 'ignore-offset'].some((name) =>
              has(name, undefined, place),
            )),
      ),
    restless: has('restless-header', undefined, '')
      ? String(settlements[0]?.header['settlementId'])
      : undefined,
    // Where the proof that nothing follows is asked for, rows come that have come before. Pages that
    // are longer than asked for overlap; rows that are hidden shift them against each other.
    repeats: places.some(
      (place) =>
        has('ignore-offset', undefined, place) ||
        has('repeat', 'always', place) ||
        (places.some((other) => hides(undefined, other)) && has('over-limit', undefined, place)),
    ),
  };
}

function isWith(fault: SandboxFault, value: string | undefined): boolean {
  return value === undefined || fault.value === value;
}

/** Without a place, a fault is at both lists. */
function isAt({ where }: SandboxFault, place: string): boolean {
  return where === '' || where === place;
}

/** The smallest page maximum, of `N` or `N-M`. */
function smallest({ value }: SandboxFault): number {
  return Math.min(...value.split('-').map(Number));
}
