// The memory that JavaScript and the kernel share. Addresses and sizes are in bytes.

/** Larger pages are left to those who parse JSON: the document's have about 50 kB (doc 4.4). */
export const mostBytes = 0x100000;
export const mostRows = 4096;

/** A digest, as far as it has come, and a text that it takes: of so many characters, each of two bytes at most. */
export const digest = 1024;
export const takenText = 2048;
const textBytes = 2 * mostBytes;

// What is learned of rows. In both tables, 0 stands behind the last address.

/** The texts that each field has had, by code; code 0 is for rows without the field. */
export const texts = takenText + textBytes;
const textFields = 6;
export const codeBits = 5;
export const fieldBytes = 4 << codeBits;
/** The text that each field had last, by its code. */
export const lastTexts = texts + textFields * fieldBytes;
/** The shapes of rows: literals, and the values behind them. */
export const shapes = lastTexts + 4 * 8;
const shapeBytes = 4 * 32;
/** A literal: its length, what it adds to the digest, then blocks of it, each beside a mask of the bytes that count. */
export const literals = shapes + shapeBytes;
export const literalsBytes = 0x40000;
/** A step of a shape: a literal, the form of the value behind it, its place in the row and its number in the digest. */
export const stepBytes = 16;
export const formId = 0;
export const formAmount = 1;
export const formTimestamp = 2;
/** Of a note. */
export const formPlainText = 3;
/** Of a field that has the same texts again and again. */
export const formKnownText = 4;
/** Nothing: only the place is kept. */
export const formPlace = 5;
export const formOtherNotes = 6;
export const formRowEnd = 7;

/** Who reads sixteen bytes at a time reads beyond the end: zeros stand there, as nowhere in JSON. */
export const pageStart = literals + literalsBytes;
export const margin = 64;

// The columns: for each row three figures, three ids, a digest, the codes of its texts, and seven places.
export const figures = pageStart + mostBytes + margin;
export const ids = figures + 3 * 8 * mostRows;
export const idColumn = 16 * mostRows;
export const digests = ids + 3 * idColumn;
export const kinds = digests + 8 * mostRows;
export const places = kinds + 4 * mostRows;
export const memoryBytes = places + 7 * 4 * mostRows;
