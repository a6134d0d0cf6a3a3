const whole = (name: string, otherwise: number) => Number(process.env[name] ?? otherwise);

/** Three banks; `BANK_SEEDS=40` makes forty, `BANK_SEED=17` the seventeenth alone. */
export const seeds: readonly number[] = process.env['BANK_SEED']
  ? [whole('BANK_SEED', 1)]
  : Array.from({ length: whole('BANK_SEEDS', 3) }, (_, index) => index + 1);
