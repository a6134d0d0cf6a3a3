/** What every report can be written as. */
export const formats = ['table', 'csv', 'json', 'ndjson'] as const;

/** An explanation can also be a case for the provider. */
export const explainFormats = [...formats, 'markdown'] as const;

export type Format = (typeof explainFormats)[number];

/** `rfc`: RFC 4180. `excel` opens right on a double click, `excel-eu` where decimals have commas. */
export const dialects = ['rfc', 'excel', 'excel-eu'] as const;

export type Dialect = (typeof dialects)[number];
