import { type Cause, cause } from '../../src/explain/cause.ts';
import type { Row } from '../../src/model/row.ts';
import { uuid } from '../support/build.ts';
import type { Random } from '../support/random.ts';
import { type Injection, injected } from './injection.ts';
import { type Posting, postingOf, type World } from './world.ts';

/** Rows of the settlement that no cause has been at and that make a difference. */
function freeRows({ rows, touched, currency }: World): readonly Row[] {
  return rows.filter(
    (row) =>
      !touched.has(row.id) && row.currency === currency && (row.amount !== 0n || row.fees !== 0n),
  );
}

function take(random: Random, world: World, count: number): readonly Row[] | undefined {
  const free = freeRows(world);
  if (free.length < count + 1) return undefined;
  const taken = random.sample(free, count);
  for (const { id } of taken) world.touched.add(id);
  return taken;
}

function rowsAtOnce(random: Random, world: World, alone: boolean): number {
  const most = !alone ? 1 : world.rows.length <= 500 ? 3 : 2;
  return random.int(1, most);
}

export const leaveOutRows: Injection = {
  code: 'row_not_counted',
  inject(random, world, alone) {
    const taken = take(random, world, rowsAtOnce(random, world, alone));
    if (taken === undefined) return undefined;
    const count = random.chance(70) ? 'follows' : 'stays';
    const ids = new Set(taken.map(({ id }) => id));
    world.postings = world.postings.flatMap((posting) =>
      ids.has(posting.rowId) ? (count === 'follows' ? [] : [emptied(posting)]) : [posting],
    );
    return injected([cause('row_not_counted', { count })], [...ids]);
  },
};

export const countRowsTwice: Injection = {
  code: 'row_counted_twice',
  inject(random, world, alone) {
    const taken = take(random, world, rowsAtOnce(random, world, alone));
    if (taken === undefined) return undefined;
    const count = random.chance(70) ? 'follows' : 'stays';
    const again = taken.map((row) => ({
      ...postingOf(world, row),
      count: count === 'follows' ? 1 : 0,
    }));
    world.postings = [...world.postings, ...again];
    return injected(
      [cause('row_counted_twice', { count })],
      taken.map(({ id }) => id),
    );
  },
};

export const loseRows: Injection = {
  code: 'missing_rows',
  inject(random, world) {
    const taken = take(random, world, random.int(1, Math.min(5, world.rows.length - 2)));
    if (taken === undefined) return undefined;
    world.rows = world.rows.filter((row) => !taken.includes(row));
    return injected([cause('missing_rows', {})]);
  },
};

export const includeCopies: Injection = {
  code: 'duplicate_rows',
  inject(random, world) {
    const taken = take(random, world, random.int(1, 3));
    if (taken === undefined) return undefined;
    if (random.chance(30)) return otherContent(random, world, taken);
    const repeated = taken.map((row) => ({ row, copies: random.int(1, 2) }));
    world.outcome = { ...world.outcome, repeated };
    const copies = repeated.flatMap(({ row, copies }) =>
      Array.from({ length: copies }, () => postingOf(world, row)),
    );
    world.postings = [...world.postings, ...copies];
    return injected([cause('duplicate_rows', { kind: 'copies', count: 'follows' })]);
  },
};

function otherContent(random: Random, world: World, [row]: readonly Row[]) {
  if (row === undefined) return undefined;
  const other = { ...row, amount: row.amount + BigInt(random.int(1, 5000)) };
  world.outcome = { ...world.outcome, conflicts: [[row, other]] };
  world.postings = world.postings.map((posting) =>
    posting.rowId === row.id ? postingOf(world, other) : posting,
  );
  const facts = cause('duplicate_rows', { kind: 'other_content', count: 'stays' });
  return injected([facts]);
}

/** One row, or the rows that are listed with one more decimal place than they were meant to have. */
export const slipRows: Injection = {
  code: 'scale_slip',
  inject(random, world) {
    const taken = take(random, world, 1);
    const [row] = taken ?? [];
    if (row === undefined) return undefined;
    const power = random.pick([1, 2, 3]);
    world.postings = world.postings.map((posting) =>
      posting.rowId === row.id ? shifted(posting, power) : posting,
    );
    const facts = cause('scale_slip', { of: 'row', power, decimalPlaces: undefined });
    return injected([facts], [row.id]);
  },
};

export const otherDecimalPlaces: Injection = {
  code: 'scale_slip',
  inject(random, world) {
    const taken = take(random, world, random.int(2, 6));
    if (taken === undefined) return undefined;
    const decimalPlaces = world.scale + random.pick([1, 2]);
    world.rows = world.rows.map((row) =>
      taken.some(({ id }) => id === row.id) ? { ...row, scale: decimalPlaces } : row,
    );
    const power = decimalPlaces - world.scale;
    return injected([cause('scale_slip', { of: 'rows', power, decimalPlaces })]);
  },
};

/** A row with the opposite sign, or a part of its amounts. */
export const turnRow: Injection = {
  code: 'row_sign',
  inject(random, world) {
    const [row] = take(random, world, 1) ?? [];
    if (row === undefined || row.amount === 0n || row.fees === 0n) return undefined;
    const part = random.pick(['all', 'all', 'gross', 'fees_and_tax'] as const);
    const [gross, other] = [part === 'fees_and_tax' ? 1n : -1n, part === 'gross' ? 1n : -1n];
    world.postings = world.postings.map((one) =>
      one.rowId === row.id
        ? { ...one, gross: gross * one.gross, fees: other * one.fees, tax: other * one.tax }
        : one,
    );
    return injected([cause('row_sign', { part })], [row.id]);
  },
};

/** A row that only a neighbour lists is in this header; its charge may have a row here, too. */
export const includeNeighboursRow: Injection = {
  code: 'neighbour',
  inject(random, world) {
    const [neighbour] = world.neighbours;
    const free = freeRows(world);
    if (neighbour === undefined || free.length === 0) return undefined;
    const drawn = world.trade.row(random, 900_000);
    const isShared = random.chance(50);
    const chargeId = isShared ? random.pick(free).chargeId : uuid(999_999);
    const { currency, scale } = world;
    const row = { ...drawn, currency, scale, chargeId };
    world.neighbours = [{ ...neighbour, rows: [...neighbour.rows, row] }];
    world.postings = [...world.postings, postingOf(world, row)];
    const { id, date } = neighbour.settlement;
    const kind = isShared ? 'charge_included' : 'listed_there';
    const facts: Cause = cause('neighbour', { kind, settlementId: id, date, count: 'follows' });
    return injected([facts], [row.id]);
  },
};

function emptied({ rowId, count }: Posting): Posting {
  return { rowId, count, gross: 0n, fees: 0n, tax: 0n };
}

function shifted({ rowId, count, gross, fees, tax }: Posting, power: number): Posting {
  const factor = 10n ** BigInt(power);
  return { rowId, count, gross: gross * factor, fees: fees * factor, tax: tax * factor };
}
