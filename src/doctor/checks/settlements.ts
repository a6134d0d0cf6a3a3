import type { Check } from '../check.ts';
import type { Evidence } from '../evidence.ts';

/** A small page of settlements: the least that recon needs. Without any, little else can be told. */
export function judgeSettlements({ answers, query }: Evidence): Check<'settlements'> | undefined {
  const { first } = answers;
  if (!first) return undefined;
  const received = first.keys.length;
  const facts = { ...query.range, asked: 1, received };
  return { check: 'settlements', level: received === 1 ? 'ok' : 'warning', facts };
}
