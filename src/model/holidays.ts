/** Days on which banks are closed, YYYY-MM-DD, by currency; those under an empty text hold for all. */
export type Holidays = ReadonlyMap<string, ReadonlySet<string>>;
