import {
  type FaultKind,
  parseNumber,
  parseWhen,
  parseWhere,
  refuseValue,
  refuseWhere,
} from './fault.ts';
import type { ListQuery } from './listing.ts';

/** At its places, a fault that asks the list for something else; undefined is an empty page. */
function reshaping(
  kind: Pick<FaultKind, 'name' | 'syntax' | 'about'>,
  read: (value: string) => (query: ListQuery) => ListQuery | undefined,
): FaultKind {
  return {
    ...kind,
    create(value, where) {
      const isThere = parseWhere(where);
      const reshape = read(value);
      return {
        list(query, next) {
          const reshaped = isThere(query) ? reshape(query) : query;
          return reshaped === undefined ? [] : next(reshaped);
        },
      };
    },
  };
}

/** `once` (the default): true for the first call about each list. `always`: true. */
function parseFrequency(text: string): (query: ListQuery) => boolean {
  if (text === 'always') return () => true;
  if (text !== '' && text !== 'once') throw new Error(`"${text}" is neither once nor always`);
  const struck = new Set<string>();
  return ({ operation, settlementId }) => {
    const list = `${operation} ${settlementId}`;
    return !struck.has(list) && Boolean(struck.add(list));
  };
}

const pageMax = reshaping(
  {
    name: 'page-max',
    syntax: 'N|N-M@WHERE',
    about: 'pages hold N records at most; N-M: one fewer (or more) with every page, down (up) to M',
  },
  (value) => {
    const [first = '', last = first] = value.split('-', 2);
    const end = parseNumber(last);
    let maximum = parseNumber(first);
    return (query) => {
      const limit = Math.min(query.limit, maximum);
      maximum += Math.sign(end - maximum);
      return { ...query, limit };
    };
  },
);

const ignoreOffset = reshaping(
  { name: 'ignore-offset', syntax: '@WHERE', about: 'every page is the first page' },
  (value) => {
    refuseValue(value);
    return (query) => ({ ...query, offset: 0 });
  },
);

const restlessHeader: FaultKind = {
  name: 'restless-header',
  syntax: 'WHEN',
  about: 'the first settlement of the list has other fees, and each time others',
  create(value, where) {
    refuseWhere(where);
    const isTime = parseWhen(value);
    let changes = 0;
    return {
      list(query, next) {
        const [first, ...others] = query.records;
        const isList = query.operation === 'headers' && query.settlementId === undefined;
        if (!isList || first === undefined || !isTime()) return next(query);
        changes += 1;
        const changed = { ...first, fees: Number(first['fees']) + changes };
        return next({ ...query, records: [changed, ...others] });
      },
    };
  },
};

const lateSettlement = reshaping(
  {
    name: 'late-settlement',
    syntax: 'N',
    about: 'the first settlement of the list appears only after N requests for headers',
  },
  (value) => {
    const wait = parseNumber(value);
    let seen = 0;
    return (query) => {
      if (query.operation === 'rows' || query.settlementId !== undefined) return query;
      seen += 1;
      return seen > wait ? query : { ...query, records: query.records.slice(1) };
    };
  },
);

const repeat = reshaping(
  {
    name: 'repeat',
    syntax: 'once|always@WHERE',
    about: 'a page after the first starts one record early: once in each list, or always',
  },
  (value) => {
    const strikes = parseFrequency(value);
    return (query) => {
      const { offset, records } = query;
      const isBorder = offset > 0 && offset <= records.length;
      return isBorder && strikes(query) ? { ...query, offset: offset - 1 } : query;
    };
  },
);

const skip = reshaping(
  {
    name: 'skip',
    syntax: 'once|always@WHERE',
    about: 'a page after the first starts one record late: once in each list, or always',
  },
  (value) => {
    const strikes = parseFrequency(value);
    return (query) => {
      const { offset, records } = query;
      const isBorder = offset > 0 && offset < records.length;
      return isBorder && strikes(query) ? { ...query, offset: offset + 1 } : query;
    };
  },
);

const hole = reshaping(
  {
    name: 'hole',
    syntax: 'once|always@WHERE',
    about: 'a page in the middle of a list is empty: once in each list, or always',
  },
  (value) => {
    const strikes = parseFrequency(value);
    return (query) => {
      const { offset, limit, records } = query;
      const middle = Math.floor(records.length / 2);
      const isMiddle = offset > 0 && offset <= middle && middle < offset + limit;
      return isMiddle && strikes(query) ? undefined : query;
    };
  },
);

const endAtTotal = reshaping(
  {
    name: 'end-at-total',
    syntax: '@WHERE',
    about: 'pages from the announced number on are empty, even if pages before them go beyond it',
  },
  (value) => {
    refuseValue(value);
    return (query) => (query.offset >= Number(query.announced) ? undefined : query);
  },
);

const overLimit: FaultKind = {
  name: 'over-limit',
  syntax: 'N@WHERE',
  about: 'pages hold N records more than were asked for',
  create(value, where) {
    const isThere = parseWhere(where);
    const more = parseNumber(value);
    return {
      list(query, next) {
        const page = next(query);
        const end = query.offset + page.length;
        return isThere(query) ? [...page, ...query.records.slice(end, end + more)] : page;
      },
    };
  },
};

/** Faults of lists. The size of the page and the list come first: the others go by them. */
export const listFaults: readonly FaultKind[] = [
  pageMax,
  ignoreOffset,
  restlessHeader,
  lateSettlement,
  repeat,
  skip,
  hole,
  endAtTotal,
  overLimit,
];
