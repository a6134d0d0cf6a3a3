import { bodyOf } from '../../base/http/transport.ts';
import { parseJson } from '../../base/json.ts';
import type { Note } from '../../model/row.ts';
import { notesOf } from '../decode.ts';

const quote = 0x22;
const backslash = 0x5c;
const openList = 0x5b;
const closeList = 0x5d;

/** A list of notes in which nothing is escaped, as the document shows it. */
export const plainNotes =
  /^\[\s*(?:\{\s*"key"\s*:\s*"[ !#-[\]-~]*"\s*,\s*"value"\s*:\s*"[ !#-[\]-~]*"\s*\}\s*(?:,\s*(?=\{)|(?=\])))*\]$/;

/** The bytes of the list that begins at a place, if it is one: its brackets, not its contents, are looked at. */
export function listAt(bytes: Buffer, from: number): Buffer | undefined {
  if (bytes[from] !== openList) return undefined;
  let depth = 0;
  let isText = false;
  for (let at = from; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === quote) isText = !isText;
    else if (isText) at += byte === backslash ? 1 : 0;
    else if (byte === openList) depth += 1;
    else if (byte === closeList) depth -= 1;
    if (depth === 0) return bytes.subarray(from, at + 1);
  }
  return undefined;
}

/** Any notes, from the bytes of their list; undefined where these are no JSON. */
export function parseNotes(list: Buffer): readonly Note[] | undefined {
  const parsed = parseJson(bodyOf({ bytes: list }));
  return parsed === undefined ? undefined : notesOf(parsed);
}
