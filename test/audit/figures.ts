/** What `recon audit` and `recon settlements` both say of a group. */
export function figures(group: object): object {
  const { accountingToken, currency, decimalPlaces, settlements, ...rest } = group as Record<
    string,
    unknown
  >;
  const { reported, computed, difference, outOfBalance, pendingPayIn } = rest;
  return {
    ...{ accountingToken, currency, decimalPlaces, settlements },
    ...{ reported, computed, difference, outOfBalance, pendingPayIn },
  };
}
