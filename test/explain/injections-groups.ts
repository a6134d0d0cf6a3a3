import { cause, type Part } from '../../src/explain/cause.ts';
import type { Row } from '../../src/model/row.ts';
import { uuid } from '../support/build.ts';
import type { Random } from '../support/random.ts';
import { type Injection, injected } from './injection.ts';
import type { Posting, World } from './world.ts';

/** Lets the header see the postings of some rows otherwise; none of them may be touched already. */
function change(
  world: World,
  isMeant: (row: Row) => boolean,
  view: (posting: Posting) => readonly Posting[],
): boolean {
  const meant = new Set(world.rows.filter(isMeant).map(({ id }) => id));
  if ([...meant].some((id) => world.touched.has(id))) return false;
  world.postings = world.postings.flatMap((posting) =>
    meant.has(posting.rowId) ? view(posting) : [posting],
  );
  return true;
}

function countRule(random: Random) {
  return random.chance(70) ? 'follows' : 'stays';
}

function without(count: 'follows' | 'stays') {
  return (posting: Posting): readonly Posting[] =>
    count === 'follows' ? [] : [{ ...posting, gross: 0n, fees: 0n, tax: 0n }];
}

export const leaveOutState: Injection = {
  code: 'state_left_out',
  inject(random, world) {
    const states = [...new Set(world.rows.map(({ state }) => state))];
    if (states.length < 2) return undefined;
    const only = states.length > 2 && random.chance(20);
    const state = only
      ? random.pick(states)
      : random.pick(states.filter((one) => one !== 'approved'));
    const count = countRule(random);
    const isMeant = (row: Row) => (row.state === state) !== only;
    if (!change(world, isMeant, without(count))) return undefined;
    return injected([cause('state_left_out', { state, only, count })]);
  },
};

export const leaveOutType: Injection = {
  code: 'type_left_out',
  inject(random, world) {
    const types = otherTypes(world);
    if (types.length === 0) return undefined;
    const type = random.pick(types);
    const count = countRule(random);
    if (!change(world, (row) => row.type === type, without(count))) return undefined;
    return injected([cause('type_left_out', { type, part: 'all', count })]);
  },
};

export const turnType: Injection = {
  code: 'type_sign',
  inject(random, world) {
    const types = otherTypes(world);
    if (types.length === 0) return undefined;
    const type = random.pick(types);
    const posted = new Set(world.rows.filter((row) => row.type === type).map(({ id }) => id));
    const hasFees = world.postings.some(
      ({ rowId, fees, tax }) => posted.has(rowId) && (fees !== 0n || tax !== 0n),
    );
    const part: Part = !hasFees || random.chance(70) ? 'all' : 'gross';
    const turned = change(
      world,
      (row) => row.type === type,
      ({ gross, fees, tax, ...rest }) => [
        part === 'all'
          ? { ...rest, gross: -gross, fees: -fees, tax: -tax }
          : { ...rest, gross: -gross, fees, tax },
      ],
    );
    return turned ? injected([cause('type_sign', { type, part })]) : undefined;
  },
};

/** Without what most rows are: who leaves that out leaves out nearly all. */
function otherTypes({ rows }: World): readonly string[] {
  const types = [...new Set(rows.map(({ type }) => type))];
  return types.filter((type) => type !== 'purchase' && type !== 'sale');
}

export const leaveOutForeignSettlement: Injection = {
  code: 'foreign_settlement_rows',
  inject(random, world) {
    const free = world.rows.filter(
      ({ id, currency }) => !world.touched.has(id) && currency === world.currency,
    );
    if (free.length < 4) return undefined;
    const moved = new Set(random.sample(free, random.int(1, 3)).map(({ id }) => id));
    const settlementId = uuid(77);
    world.rows = world.rows.map((row) => (moved.has(row.id) ? { ...row, settlementId } : row));
    const count = countRule(random);
    change(world, (row) => moved.has(row.id), without(count));
    const facts = cause('foreign_settlement_rows', { settlementIds: [settlementId], count });
    return injected([facts]);
  },
};

export const includeForeignCurrency: Injection = {
  code: 'foreign_currency_rows',
  inject(random, world) {
    const foreign = world.rows.filter(({ currency }) => currency !== world.currency);
    const currencies = [...new Set(foreign.map(({ currency }) => currency))].sort();
    if (currencies.length === 0) return undefined;
    const isForeign = (row: Row) => row.currency !== world.currency;
    if (random.chance(25)) {
      if (!change(world, isForeign, () => [])) return undefined;
      const facts = { currencies, reading: 'left_out', count: 'follows' } as const;
      return injected([cause('foreign_currency_rows', facts)]);
    }
    const row = new Map(foreign.map((one) => [one.id, one]));
    // Amounts with more decimal places than the header's can't be included as they are.
    const fits = foreign.every(({ scale }) => scale <= world.scale);
    const isSame = foreign.every(({ scale }) => scale === world.scale);
    const reading = isSame || (fits && random.chance(60)) ? 'included' : 'digits';
    const isDone = change(world, isForeign, (posting) => [
      included(world, posting, row.get(posting.rowId), reading),
    ]);
    if (!isDone) return undefined;
    const facts = { currencies, reading, count: 'stays' } as const;
    return injected([cause('foreign_currency_rows', facts)]);
  },
};

function included(
  world: World,
  posting: Posting,
  row: Row | undefined,
  reading: 'included' | 'digits',
): Posting {
  if (row === undefined) return posting;
  const factor = reading === 'digits' ? 1n : 10n ** BigInt(world.scale - row.scale);
  return { ...posting, gross: row.amount * factor, fees: row.fees * factor, tax: row.tax * factor };
}
