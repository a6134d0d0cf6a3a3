import type { Tone } from '../report/common/view.ts';
import { type Inert, shown } from './inert.ts';

export type Style = Tone | 'strong';

const codes: Readonly<Record<Style, string>> = {
  good: '32',
  bad: '31',
  unsure: '33',
  quiet: '2',
  strong: '1',
  plain: '',
};

/** Styles a line of text. Its codes are all that acts on a screen. */
export type Paint = (style: Style, line: Inert) => Inert;

/** Without colour every line stays as it is. Spaces at the end, which only align, always do. */
export function painter(colour: boolean): Paint {
  return (style, line) => {
    const seen = line.trimEnd();
    if (!colour || codes[style] === '' || seen === '') return line;
    return `\x1b[${codes[style]}m${seen}\x1b[0m${line.slice(seen.length)}` as Inert;
  };
}

/** A single line for a screen. */
export function renderLine(text: string, tone: Tone, colour: boolean): string {
  return `${painter(colour)(tone, shown(text))}\n`;
}
