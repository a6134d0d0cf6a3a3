import type { XmlElement } from './xml-records.ts';

/** All elements at a path such as `TxDtls/Refs/EndToEndId`. */
export function elementsAt(element: XmlElement, path: string): readonly XmlElement[] {
  return path
    .split('/')
    .reduce<readonly XmlElement[]>(
      (found, name) => found.flatMap(({ children }) => children.filter((one) => one.name === name)),
      [element],
    );
}

/** The texts at several paths, in their order, without blanks around them; no empty ones. */
export function textsAt(element: XmlElement, ...paths: readonly string[]): readonly string[] {
  return paths
    .flatMap((path) => elementsAt(element, path))
    .map(({ text }) => text.trim())
    .filter((text) => text !== '');
}

/** The first text at the first of the paths that has one; else an empty one. */
export function textAt(element: XmlElement, ...paths: readonly string[]): string {
  for (const path of paths) {
    const [text] = textsAt(element, path);
    if (text !== undefined) return text;
  }
  return '';
}
