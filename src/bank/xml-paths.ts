import type { XmlElement } from './xml-records.ts';

/** Names of paths that were asked for: they are few, and asked for at every entry. */
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

/** The texts at several paths, in their order, without blanks around them; no empty ones. */
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

/** The first text at the first of the paths that has one; else an empty one. */
export function textAt(element: XmlElement, ...paths: readonly string[]): string {
  for (const path of paths) {
    const [text] = textsAt(element, path);
    if (text !== undefined) return text;
  }
  return '';
}
