/** Three merchants, of which the last has nothing to decide; `LADDER_SEEDS=40` tests forty. */
const count = Number(process.env['LADDER_SEEDS'] ?? 3);

export const seeds: readonly number[] =
  count <= 3 ? [1, 2, 5].slice(0, count) : Array.from({ length: count }, (_, index) => index + 1);
