import { exactJson } from '../base/json.ts';
import { inertJson } from './inert.ts';

/** A document of the service as JSON, with the digits that it came with; on one line, or indented. */
export function renderRaw(document: unknown, isLine: boolean): string {
  return `${inertJson(exactJson(document, isLine ? undefined : 2))}\n`;
}
