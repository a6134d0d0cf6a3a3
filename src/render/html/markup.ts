import { shown } from '../inert.ts';

/** HTML in which no text from elsewhere acts: `markup` and `trusted` alone make it. */
export class Markup {
  readonly text: string;

  private constructor(text: string) {
    this.text = text;
  }

  static of(text: string): Markup {
    return new Markup(text);
  }
}

type Content = string | number | undefined | Markup | readonly Content[];

/**
 * A template of HTML. Every text in it is escaped, and what would act on a screen becomes visible;
 * markup stays as it is, lists are joined, and what is undefined is nothing.
 */
export function markup(template: TemplateStringsArray, ...contents: readonly Content[]): Markup {
  return Markup.of(String.raw({ raw: template }, ...contents.map(written)));
}

/** Style and script of our own, which must stay as they are. */
export function trusted(text: string): Markup {
  return Markup.of(text);
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

/** Text as itself, in an element or between the quotes of an attribute. */
function escaped(text: string): string {
  return shown(text).replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
