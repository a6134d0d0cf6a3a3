import { isObject } from '../base/json.ts';
import type { Secrets } from '../base/secrets.ts';
import type { AnswerPart } from '../model/probe.ts';
import type { OddAnswer } from '../model/source.ts';
import { quoted, recordNames } from './decode.ts';
import { chargeNames } from './decode-charge.ts';

/** More of them than anybody reads: a service may have another word in each answer. */
const mostKept = 10;

/** Collects what answers have that the document doesn't show, each thing once. */
export class OddAnswers {
  readonly #found = new Map<string, OddAnswer>();
  readonly #secrets: Secrets;

  /** `secrets` are kept out of what is quoted. */
  constructor(secrets: Secrets) {
    this.#secrets = secrets;
  }

  readonly note = (odd: OddAnswer): void => {
    if (this.#found.size >= mostKept) return;
    const one = quoted(odd, this.#secrets);
    this.#found.set(`${one.field} ${one.found}`, one);
  };

  get all(): readonly OddAnswer[] {
    return [...this.#found.values()];
  }
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

/** Collects the names of fields that the document lacks (doc 2, 4.1). It keeps no value. */
export class UnknownFields {
  readonly #names = new Map<AnswerPart, Set<string>>();
  readonly #quote: (name: string) => string;

  /** `quote`: what is to be said of a name, which may be of any length. */
  constructor(quote: (name: string) => string) {
    this.#quote = quote;
  }

  /** By the kind of record, in alphabetical order. */
  get names(): ReadonlyMap<AnswerPart, readonly string[]> {
    return new Map([...this.#names].map(([kind, names]) => [kind, [...names].sort()]));
  }

  note(kind: AnswerPart, record: unknown): void {
    if (!isObject(record)) return;
    for (const [path, fields] of Object.entries(documented[kind])) {
      const object = path === '' ? record : record[path];
      if (!isObject(object)) continue;
      for (const name of Object.keys(object)) {
        if (!fields.includes(name)) this.#add(kind, path === '' ? name : `${path}.${name}`);
      }
    }
  }

  #add(kind: AnswerPart, name: string): void {
    const names = this.#names.get(kind) ?? new Set();
    this.#names.set(kind, names);
    if (names.size < mostNames) names.add(this.#quote(name));
  }
}
