import { inertJson } from './inert.ts';

/** A document as indented JSON. */
export function renderJson(document: object): string {
  return `${inertJson(JSON.stringify(document, null, 2))}\n`;
}
