import fc from 'fast-check';

/** The scales that occur (JPY, EUR, KWD, CLF) and the largest there is. */
export const scale = fc.constantFrom(0, 2, 3, 4, 18);

/** Minor units: small ones, the largest the service sends, and far larger; of both signs. */
export const minor = fc.oneof(
  fc.bigInt({ min: -1000n, max: 1000n }),
  fc.bigInt({ min: -(2n ** 53n) + 1n, max: 2n ** 53n - 1n }),
  fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }),
);

export const money = fc.record({
  minor,
  scale,
  currency: fc.constantFrom('EUR', 'JPY', 'KWD'),
});
