import type { Tone } from '../report/view.ts';
import { inert } from './inert.ts';
import { painter } from './style.ts';

/** A single line for a screen, however long. */
export function renderLine(text: string, tone: Tone, colour: boolean): string {
  return `${painter(colour)(tone, inert(text))}\n`;
}
