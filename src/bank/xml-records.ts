import { SaxesParser } from 'saxes';
import { longestRecord, longestText, type TextReader } from './written.ts';

/** An element with all that is in it. Names are without their prefixes: banks invent namespaces. */
export interface XmlElement {
  readonly name: string;
  readonly line: number;
  /** The attribute `Ccy`. */
  readonly currency: string;
  readonly children: readonly XmlElement[];
  readonly text: string;
}

/** Hears of a document. Lines count from 1, over the whole file. */
export interface XmlListener {
  /** Whether the element that `path` ends with is wanted as a record, with all that is in it. */
  opened(path: readonly string[], line: number): boolean;
  /** `fault` is what in it can't be read, if something can't. */
  record(record: XmlElement, fault: XmlFault | undefined): void;
  /** An element outside of records ends. */
  closed(path: readonly string[]): void;
  /** Nothing of the document is read from here on. */
  broken(fault: XmlFault): void;
}

export interface XmlFault {
  readonly line: number;
  readonly path: readonly string[];
  /** What the parser says. */
  readonly problem: string;
}

/** A fault that ends with the record in which it is: what follows is read as it should be. */
const isLocal = /^disallowed character$|entity|in char data/;

type Growing = XmlElement & { readonly children: Growing[]; text: string };

/**
 * Reads XML as a stream, in which some elements are records. A file may have several documents, one after
 * the other. Nothing is fetched; a document type is a fault, since it can define entities.
 */
export function xmlReader(listener: XmlListener): TextReader {
  let parser: SaxesParser | undefined;
  let linesBefore = 0;
  let held = '';
  let isBroken = false;
  let breakOff: (problem: string) => void = () => {};
  /** Characters since the last tag: the parser keeps them all. */
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
    // Closed, it begins to count again.
    const lines = parser.line - 1;
    if (!isBroken) parser.close();
    linesBefore += lines;
    parser = undefined;
    isBroken = false;
  };

  const write = (text: string) => {
    // Before a document banks leave marks and empty lines.
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
      // Where the text may end in the middle of a declaration, that waits for the rest.
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
