const whole = (name: string, otherwise: number) => Number(process.env[name] ?? otherwise);

/** Four years; `CLOSED_SEEDS=40` makes forty, `CLOSED_SEED=17` the seventeenth alone. */
export const seeds: readonly number[] = process.env['CLOSED_SEED']
  ? [whole('CLOSED_SEED', 1)]
  : Array.from({ length: whole('CLOSED_SEEDS', 4) }, (_, index) => index + 1);

/** How much of a year, from October on: six months; `CLOSED_MONTHS=12` is all of it. */
export const monthsOfYear: number = whole('CLOSED_MONTHS', 6);
