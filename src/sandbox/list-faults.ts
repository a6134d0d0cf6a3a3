import { type FaultKind, type FaultKinds, parseNumber, parseWhen } from './fault.ts';
import type { ListQuery } from './service.ts';

/**
 * A fault that strikes where it can (`isOpen`): the first time in each list (`once`, the default), or
 * `always`. The list is then asked for what `reshape` says.
 */
function striking(
  about: string,
  isOpen: (query: ListQuery) => boolean,
  reshape: (query: ListQuery) => ListQuery,
): FaultKind {
  return {
    syntax: 'once|always@WHERE',
    about: `${about}: once in each list, or always`,
    list: (value) => {
      if (!['', 'once', 'always'].includes(value)) {
        throw new Error(`"${value}" is neither once nor always`);
      }
      const struck = new Set<string>();
      return (query) => {
        const list = `${query.operation} ${query.settlementId}`;
        if (!isOpen(query) || (struck.has(list) && value !== 'always')) return query;
        struck.add(list);
        return reshape(query);
      };
    },
  };
}

function emptied(query: ListQuery): ListQuery {
  return { ...query, records: [] };
}

/** Faults of lists. The size of the page and the list come first: the others go by them. */
export const listFaults: FaultKinds = {
  'page-max': {
    syntax: 'N|N-M@WHERE',
    about: 'pages have at most N records; N-M: one fewer (or more) per page, down (or up) to M',
    list: (value) => {
      const [first = '', last = first] = value.split('-', 2);
      const end = parseNumber(last);
      let maximum = parseNumber(first);
      return (query) => {
        const limit = Math.min(query.limit, maximum);
        maximum += Math.sign(end - maximum);
        return { ...query, limit };
      };
    },
  },
  'ignore-offset': {
    syntax: '@WHERE',
    about: 'every page is the first page',
    list: () => (query) => ({ ...query, offset: 0 }),
  },
  'restless-header': {
    syntax: 'WHEN',
    about: 'the fees of the first settlement change each time it is listed',
    list: (value) => {
      const isTime = parseWhen(value);
      let changes = 0;
      return (query) => {
        const [first, ...others] = query.records;
        const isList = query.operation === 'headers' && query.settlementId === undefined;
        if (!isList || first === undefined || !isTime()) return query;
        changes += 1;
        const changed = { ...first, fees: Number(first['fees']) + changes };
        return { ...query, records: [changed, ...others] };
      };
    },
  },
  'late-settlement': {
    syntax: 'N',
    about: 'the first settlement of the list appears only after N requests for headers',
    list: (value) => {
      const wait = parseNumber(value);
      let seen = 0;
      return (query) => {
        if (query.operation === 'rows' || query.settlementId !== undefined) return query;
        seen += 1;
        return seen > wait ? query : { ...query, records: query.records.slice(1) };
      };
    },
  },
  repeat: striking(
    'a page after the first starts one record early',
    ({ offset, records }) => offset > 0 && offset <= records.length,
    (query) => ({ ...query, offset: query.offset - 1 }),
  ),
  skip: striking(
    'a page after the first starts one record late',
    ({ offset, records }) => offset > 0 && offset < records.length,
    (query) => ({ ...query, offset: query.offset + 1 }),
  ),
  hole: striking(
    'a page in the middle of a list is empty',
    ({ offset, limit, records }) => {
      const middle = Math.floor(records.length / 2);
      return offset > 0 && offset <= middle && middle < offset + limit;
    },
    emptied,
  ),
  'end-at-total': {
    syntax: '@WHERE',
    about: 'pages from the announced total on are empty, even if earlier pages go beyond it',
    list: () => (query) => (query.offset >= Number(query.announced) ? emptied(query) : query),
  },
  'over-limit': {
    syntax: 'N@WHERE',
    about: 'pages have N more records than requested',
    list: (value) => {
      const more = parseNumber(value);
      return (query) => ({ ...query, unasked: query.unasked + more });
    },
  },
};
