import type { Source } from '../model/source.ts';

/** A source that lists or reads in another way. */
export function sourceWith(source: Source, own: Partial<Pick<Source, 'headers' | 'rows'>>): Source {
  return {
    ...(source.isRecord && { isRecord: source.isRecord }),
    headers: own.headers ?? ((query, allowance) => source.headers(query, allowance)),
    header: (id) => source.header(id),
    rows: own.rows ?? ((...asked) => source.rows(...asked)),
    ...(source.oddAnswers && { oddAnswers: () => source.oddAnswers?.() ?? [] }),
  };
}
