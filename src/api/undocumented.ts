import { isObject } from '../base/json.ts';
import type { Secrets } from '../base/secrets.ts';
import type { AnswerPart } from '../model/probe.ts';
import type { OddAnswer } from '../model/source.ts';
import { chargeNames } from './charge-answer.ts';
import { quoted, recordNames } from './decode.ts';

/** More of them than anybody reads: a service may have another word in each answer. */
const mostKept = 10;

/** Collects what answers have that the document doesn't show, each thing once; without the secrets. */
export function collectOddAnswers(secrets: Secrets) {
  const found = new Map<string, OddAnswer>();
  return {
    note: (odd: OddAnswer): void => {
      const one = quoted(odd, secrets);
      if (found.size < mostKept) found.set(`${one.field} ${one.found}`, one);
    },
    all: (): readonly OddAnswer[] => [...found.values()],
  };
}

/** The fields that the document names: of the record itself, and of objects in it, by their path. */
const documented: Readonly<Record<AnswerPart, Readonly<Record<string, readonly string[]>>>> = {
  token: { '': ['access_token', 'scope', 'expires_in', 'token_type'] },
  wrapper: { '': ['status', 'data'], status: ['code', 'response', 'message'] },
  settlement: { '': recordNames.settlement },
  transaction: { '': recordNames.transaction },
  charge: chargeNames,
};

/** More names than anybody reads: a record that has ids for field names would have no end of them. */
const mostNames = 100;

/**
 * Collects the names of fields that the document lacks (doc 2, 4.1). It keeps no value. `quote`: what is
 * to be said of a name, which may be of any length.
 */
export function collectUnknownFields(quote: (name: string) => string) {
  const found = new Map<AnswerPart, Set<string>>();
  return {
    note: (kind: AnswerPart, record: unknown): void => {
      const names = found.get(kind) ?? new Set();
      for (const [path, fields] of Object.entries(documented[kind])) {
        const object = isObject(record) && (path === '' ? record : record[path]);
        for (const name of isObject(object) ? Object.keys(object) : []) {
          if (fields.includes(name) || names.size >= mostNames) continue;
          found.set(kind, names.add(quote(path === '' ? name : `${path}.${name}`)));
        }
      }
    },
    /** By the kind of record, in alphabetical order. */
    names: () => [...found].map(([record, names]) => ({ record, fields: [...names].sort() })),
  };
}
