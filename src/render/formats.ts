export const formats = ['table', 'csv', 'json', 'ndjson'] as const;

export type Format = (typeof formats)[number];

/** `rfc`: RFC 4180. `excel` opens right on a double click, `excel-eu` where decimals have commas. */
export const dialects = ['rfc', 'excel', 'excel-eu'] as const;

export type Dialect = (typeof dialects)[number];
