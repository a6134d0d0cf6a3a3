/** What every report can be written as. */
export const formats = ['table', 'csv', 'json', 'ndjson'] as const;

/** What finance hands on too: a workbook, and a page with pictures. */
export const handedOnFormats = [...formats, 'xlsx', 'html'] as const;

/** What goes into a ticket too: an explanation as a case for the provider, what the bank has. */
export const ticketFormats = [...handedOnFormats, 'markdown'] as const;

export type Format = (typeof ticketFormats)[number];

/** `rfc`: RFC 4180. `excel` opens right on a double click, `excel-eu` where decimals have commas. */
export const dialects = ['rfc', 'excel', 'excel-eu'] as const;

export type Dialect = (typeof dialects)[number];

/** What a workbook or a page is printed on. */
export const papers = ['a4', 'letter'] as const;

export type Paper = (typeof papers)[number];
