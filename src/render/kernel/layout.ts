// The memory that JavaScript and the kernel share. Addresses and sizes are in bytes.

/** A part for each field or run of fields in a record: what it is made from, and its place in the columns. */
export const parts = 1024;
export const partBytes = 8;
export const partSettlement = 1;
export const partKind = 2;
export const partId = 3;
export const partTimestamp = 4;
export const partDecimal = 5;
export const partInteger = 6;
export const partNotes = 7;

/**
 * What many rows have in common: decimal places, then for each part where the text is that stands there in
 * a record, and its length. Kinds have this, and settlements.
 */
export const shared = 2048;
export const sharedTexts = 8;

/** Who copies sixteen bytes at a time reads and writes beyond the end. */
export const overrun = 64;
