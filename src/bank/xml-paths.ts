import type { XmlElement } from './xml-records.ts';

/** All elements at a path such as `TxDtls/Refs/EndToEndId`. */
export function elementsAt(element: XmlElement, path: string): readonly XmlElement[] {
  let found: readonly XmlElement[] = [element];
  for (const name of path.split('/')) {
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
  const found = paths.flatMap((path) => elementsAt(element, path));
  return found.map(({ text }) => text.trim()).filter((text) => text !== '');
}

/** The first text at the first of the paths that has one; else an empty one. */
export function textAt(element: XmlElement, ...paths: readonly string[]): string {
  return textsAt(element, ...paths)[0] ?? '';
}
