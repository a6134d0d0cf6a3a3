import type { Tone } from '../report/common/view.ts';
import { shown } from './inert.ts';
import { painter } from './style.ts';

/** A single line for a screen. */
export function renderLine(text: string, tone: Tone, colour: boolean): string {
  return `${painter(colour)(tone, shown(text))}\n`;
}
