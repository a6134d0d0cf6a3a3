/** The formats of a journal. */
export const journalFormats = ['hledger', 'beancount', 'ledger', 'datev', 'csv'] as const;

export type JournalFormat = (typeof journalFormats)[number];
