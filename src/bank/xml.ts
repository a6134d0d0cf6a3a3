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

/** Reads XML documents as a stream. A document type is a fault, because it can define entities. */
export function xmlReader(listener: XmlListener): TextReader {
  let parser: SaxesParser | undefined;
  let linesBefore = 0;
  let held = '';
  let isBroken = false;
  let breakOff: (problem: string) => void = () => {};
  /** Characters since the last tag; the parser keeps them all. */
  let sinceTag = 0;

  const start = (): SaxesParser => {
    const path: string[] = [];
    const stack: Growing[] = [];
    let fault: XmlFault | undefined;
    const started = new SaxesParser();
    const faultHere = (problem: string): XmlFault => ({
      line: linesBefore + started.line,
      path: [...path],
      problem,
    });
    breakOff = (problem) => {
      if (!isBroken) listener.broken(faultHere(problem));
      isBroken = true;
    };
    started.on('error', ({ message }) => {
      const problem = message.replace(/^\d+:\d+: |\.$/g, '');
      if (!isLocal.test(problem) || stack.length === 0) breakOff(problem);
      else fault ??= faultHere(problem);
    });
    started.on('doctype', () => breakOff('DOCTYPE'));
    started.on('opentag', ({ name: qualified, attributes }) => {
      sinceTag = 0;
      if (isBroken) return;
      const name = qualified.slice(qualified.indexOf(':') + 1);
      const line = linesBefore + started.line;
      path.push(name);
      if (stack.length === 0 && !listener.opened(path, line)) return;
      const element = { name, line, currency: attributes['Ccy'] ?? '', children: [], text: '' };
      stack.at(-1)?.children.push(element);
      stack.push(element);
    });
    const addText = (text: string) => {
      const element = stack.at(-1);
      if (!element) return;
      if (element.text.length + text.length <= longestText) element.text += text;
      else fault ??= faultHere('a text of more than 64 kB');
    };
    started.on('text', addText);
    started.on('cdata', addText);
    started.on('closetag', () => {
      sinceTag = 0;
      if (isBroken) return;
      const element = stack.pop();
      if (element && stack.length === 0) {
        listener.record(element, fault);
        fault = undefined;
      }
      if (!element) listener.closed(path);
      path.pop();
    });
    return started;
  };

  const finish = () => {
    if (!parser) return;
    // `close` resets the line.
    const lines = parser.line - 1;
    if (!isBroken) parser.close();
    linesBefore += lines;
    parser = undefined;
    isBroken = false;
  };

  const write = (text: string) => {
    // Banks write marks and empty lines before documents.
    const content = parser ? text : text.replace(/^[\s\ufeff]+/, '');
    if (!parser) linesBefore += text.slice(0, text.length - content.length).split('\n').length - 1;
    if (content === '') return;
    parser ??= start();
    if (isBroken) linesBefore += content.split('\n').length - 1;
    else parser.write(content);
    sinceTag += content.length;
    if (sinceTag > longestRecord) breakOff('a text of more than 64 kB');
  };

  return {
    push: (text) => {
      const documents = (held + text).split(/(?=<\?xml\s)/);
      const last = documents.pop() ?? '';
      // The text may end within an XML declaration.
      held = /<(?:\?(?:x(?:ml?)?)?)?$/.exec(last)?.[0] ?? '';
      for (const document of [...documents, last.slice(0, last.length - held.length)]) {
        if (/^<\?xml\s/.test(document)) finish();
        write(document);
      }
    },
    end: () => {
      write(held);
      finish();
    },
  };
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
