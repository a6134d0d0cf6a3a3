// The memory that JavaScript and the kernel share. Addresses and sizes are in bytes.

/** Larger pages are parsed as JSON: documented ones have about 50 kB (doc 4.4). */
export const mostBytes = 0x100000;
export const mostRows = 4096;

/** The digest under way, and a text to add to it, of two bytes a character at most. */
export const digest = 1024;
export const inputText = 2048;
const textBytes = 2 * mostBytes;

// Learned shapes and texts of rows. Both tables of addresses end with 0.

/** The texts of each field, by code; code 0 is for rows without the field. */
export const texts = inputText + textBytes;
export const textFields = 6;
/** The codes of a row's texts share 32 bits. */
export const codeBits = (32 / textFields) | 0;
export const fieldBytes = 4 << codeBits;
/** The code of each field's last text. */
export const lastTexts = texts + textFields * fieldBytes;
export const shapes = lastTexts + 4 * textFields;
const shapeBytes = 4 * 32;
/** A literal: its length, its share of the digest, then blocks of 16 bytes, each with a mask. */
export const literals = shapes + shapeBytes;
export const literalsBytes = 0x40000;
/** A step of a shape: a literal, the form of the value behind it, its column and its digest slot. */
export const stepBytes = 16;
export const formId = 0;
export const formAmount = 1;
export const formTimestamp = 2;
/** Of a note. */
export const formPlainText = 3;
/** Of a field whose texts repeat. */
export const formKnownText = 4;
/** Nothing: only the offset is kept. */
export const formPlace = 5;
export const formOtherNotes = 6;
export const formRowEnd = 7;

/** Reads of 16 bytes can pass the end of the page: the margin is zeros, which JSON never holds. */
export const pageStart = literals + literalsBytes;
export const margin = 64;

// The columns: for each row three figures, three ids, a digest, the codes of its texts, and seven offsets.
export const figures = pageStart + mostBytes + margin;
export const ids = figures + 3 * 8 * mostRows;
export const idColumn = 16 * mostRows;
export const digests = ids + 3 * idColumn;
export const kinds = digests + 8 * mostRows;
export const places = kinds + 4 * mostRows;
export const placesBytes = 7 * 4;
export const memoryBytes = places + placesBytes * mostRows;
