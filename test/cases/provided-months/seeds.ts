/** Three months of each provider; `PROVIDED_SEEDS=40` tests forty, `PROVIDED_SEED=17` one. */
const one = process.env['PROVIDED_SEED'];

export const seeds: readonly number[] =
  one === undefined
    ? Array.from({ length: Number(process.env['PROVIDED_SEEDS'] ?? 3) }, (_, index) => index + 1)
    : [Number(one)];
