import { shown } from '../inert.ts';

/** HTML in which no text from elsewhere acts. Only `markup` and `trusted` make it. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Content = string | number | undefined | Markup | readonly Content[];

/** A template of HTML. Every text in it is escaped; markup stays, lists are joined, undefined is empty. */
export function markup(template: TemplateStringsArray, ...contents: readonly Content[]): Markup {
  return new Markup(String.raw({ raw: template }, ...contents.map(written)));
}

function written(content: Content): string {
  if (content === undefined) return '';
  if (content instanceof Markup) return content.text;
  if (typeof content === 'object') return content.map(written).join('');
  return escaped(String(content));
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return shown(text).replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
