// The memory that JavaScript and the kernel share, from this address on. Sizes are in bytes.
export const start = 1024;

/** A step: address and length of a text, kind of the value after it, its place in the columns, decimal places. */
export const stepWords = 5;
export const valueId = 0;
export const valueTimestamp = 1;
export const valueFigure = 2;
export const valueNotes = 3;
export const valueNone = 4;

/** Who copies sixteen bytes at a time reads and writes beyond the end. */
export const overrun = 64;
