import type { View } from '../report/common/view.ts';
import type { Inert } from './inert.ts';

/** What is written by this tool alone, and tells a renderer what to do. */
const unshown: readonly string[] = ['kind', 'tone'];

/** A view as it can be shown: `show` makes every text in it inert, whoever wrote it. */
export function inertView(view: View, show: (text: string) => Inert): View<Inert> {
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return show(value);
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, unshown.includes(key) ? item : walk(item)]),
    );
  };
  return walk(view) as View<Inert>;
}
