import { SaxesParser } from 'saxes';
import { longestRecord, longestText, type TextReader } from '../base/text-reader.ts';

/** An element and its content. Names have no prefixes, because banks invent namespaces. */
export interface XmlElement {
  readonly name: string;
  readonly line: number;
  readonly currency: string;
  readonly children: readonly XmlElement[];
  readonly text: string;
}

/** Receives the parts of a document. Lines count from 1, over the whole file. */
interface XmlListener {
  /** Returns whether the last element of `path` is a record, to be read with its content. */
  opened(path: readonly string[], line: number): boolean;
  /** `fault` is set if a part of it cannot be read. */
  record(record: XmlElement, fault: XmlFault | undefined): void;
  closed(path: readonly string[]): void;
  /** The rest of the document is not read. */
  broken(fault: XmlFault): void;
}

export interface XmlFault {
  readonly line: number;
  readonly path: readonly string[];
  readonly problem: string;
}

/** Faults that affect only the record in which they are. */
const isLocal = /^disallowed character$|entity|in char data/;

type Growing = XmlElement & { readonly children: Growing[]; text: string };

/** Reads XML documents, one after the other, as a stream. */
export function xmlReader(listener: XmlListener): TextReader {
  let document: XmlDocument | undefined;
  let linesBefore = 0;
  let held = '';
  const write = (text: string) => {
    // Banks write marks and empty lines before documents.
    const content = document ? text : text.replace(/^[\s\ufeff]+/, '');
    if (!document) linesBefore += lineBreaksIn(text.slice(0, text.length - content.length));
    if (content === '') return;
    document ??= new XmlDocument(listener, linesBefore);
    document.write(content);
  };
  const finish = () => {
    linesBefore += document?.end() ?? 0;
    document = undefined;
  };
  return {
    push: (text) => {
      const documents = (held + text).split(/(?=<\?xml\s)/);
      const last = documents.pop() ?? '';
      // The text may end within an XML declaration.
      held = /<(?:\?(?:x(?:ml?)?)?)?$/.exec(last)?.[0] ?? '';
      for (const part of [...documents, last.slice(0, last.length - held.length)]) {
        if (/^<\?xml\s/.test(part)) finish();
        write(part);
      }
    },
    end: () => {
      write(held);
      finish();
    },
  };
}

const lineBreaksIn = (text: string): number => text.split('\n').length - 1;

/** One document. A document type is a fault, because it can define entities. */
class XmlDocument {
  readonly #listener: XmlListener;
  readonly #linesBefore: number;
  readonly #parser = new SaxesParser();
  readonly #path: string[] = [];
  /** The record that is being read, and the open elements in it. */
  readonly #open: Growing[] = [];
  #faultOfRecord: XmlFault | undefined;
  #isBroken = false;
  #linesOfRest = 0;
  /** Characters since the last tag; the parser keeps them all. */
  #sinceTag = 0;

  constructor(listener: XmlListener, linesBefore: number) {
    this.#listener = listener;
    this.#linesBefore = linesBefore;
    this.#parser.on('error', ({ message }) => this.#refuse(message));
    this.#parser.on('doctype', () => this.#breakOff('DOCTYPE'));
    this.#parser.on('opentag', ({ name, attributes }) => this.#openTag(name, attributes['Ccy']));
    this.#parser.on('text', (text) => this.#addText(text));
    this.#parser.on('cdata', (text) => this.#addText(text));
    this.#parser.on('closetag', () => this.#closeTag());
  }

  write(text: string): void {
    if (this.#isBroken) this.#linesOfRest += lineBreaksIn(text);
    else this.#parser.write(text);
    this.#sinceTag += text.length;
    if (this.#sinceTag > longestRecord) this.#breakOff('a text of more than 64 kB');
  }

  /** Returns the line breaks of the document. */
  end(): number {
    // `close` resets the line.
    const lines = this.#parser.line - 1 + this.#linesOfRest;
    if (!this.#isBroken) this.#parser.close();
    return lines;
  }

  #openTag(qualified: string, currency = ''): void {
    this.#sinceTag = 0;
    if (this.#isBroken) return;
    const name = qualified.slice(qualified.indexOf(':') + 1);
    const line = this.#linesBefore + this.#parser.line;
    this.#path.push(name);
    if (this.#open.length === 0 && !this.#listener.opened(this.#path, line)) return;
    const element = { name, line, currency, children: [], text: '' };
    this.#open.at(-1)?.children.push(element);
    this.#open.push(element);
  }

  #addText(text: string): void {
    const element = this.#open.at(-1);
    if (!element) return;
    if (element.text.length + text.length <= longestText) element.text += text;
    else this.#faultOfRecord ??= this.#faultHere('a text of more than 64 kB');
  }

  #closeTag(): void {
    this.#sinceTag = 0;
    if (this.#isBroken) return;
    const element = this.#open.pop();
    if (!element) this.#listener.closed(this.#path);
    else if (this.#open.length === 0) {
      this.#listener.record(element, this.#faultOfRecord);
      this.#faultOfRecord = undefined;
    }
    this.#path.pop();
  }

  #refuse(message: string): void {
    const problem = message.replace(/^\d+:\d+: |\.$/g, '');
    if (!isLocal.test(problem) || this.#open.length === 0) this.#breakOff(problem);
    else this.#faultOfRecord ??= this.#faultHere(problem);
  }

  #breakOff(problem: string): void {
    if (!this.#isBroken) this.#listener.broken(this.#faultHere(problem));
    this.#isBroken = true;
  }

  #faultHere(problem: string): XmlFault {
    const line = this.#linesBefore + this.#parser.line;
    return { line, path: [...this.#path], problem };
  }
}

/** The encoding that an XML declaration names. */
export function declaredEncoding(beginning: string): string | undefined {
  return /^[\s\ufeff]*<\?xml[^>]*?encoding\s*=\s*["']([\w.-]+)/.exec(beginning)?.[1];
}

/** Cached, because every entry uses the same few paths. */
const namesByPath = new Map<string, readonly string[]>();

function namesIn(path: string): readonly string[] {
  const names = namesByPath.get(path) ?? path.split('/');
  namesByPath.set(path, names);
  return names;
}

/** All elements at a path such as `TxDtls/Refs/EndToEndId`. */
export function elementsAt(element: XmlElement, path: string): readonly XmlElement[] {
  let found: XmlElement[] = [element];
  for (const name of namesIn(path)) {
    const inside: XmlElement[] = [];
    for (const { children } of found) {
      for (const child of children) if (child.name === name) inside.push(child);
    }
    if (inside.length === 0) return inside;
    found = inside;
  }
  return found;
}

/** The texts at several paths, in their order, trimmed, without empty ones. */
export function textsAt(element: XmlElement, ...paths: readonly string[]): readonly string[] {
  const texts: string[] = [];
  for (const path of paths) {
    for (const found of elementsAt(element, path)) {
      const text = found.text.trim();
      if (text !== '') texts.push(text);
    }
  }
  return texts;
}

/** The first text at the first of the paths that has one, else an empty text. */
export function textAt(element: XmlElement, ...paths: readonly string[]): string {
  for (const path of paths) {
    const [text] = textsAt(element, path);
    if (text !== undefined) return text;
  }
  return '';
}
