/** Three years; `CLOSE_SEEDS=20` tests twenty. */
export const seeds: readonly number[] = Array.from(
  { length: Number(process.env['CLOSE_SEEDS'] ?? 3) },
  (_, index) => index + 1,
);
