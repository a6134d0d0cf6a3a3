import { isObject } from '../base/json.ts';
import { keysOf, tableOf } from '../base/lists.ts';
import { cut } from '../base/texts.ts';
import { uuidForm } from './row.ts';

/** The content of a webhook. Webhooks are unsigned (doc 6), so nothing in it is certain. */
export interface Webhook {
  /** The settlements and charges in it, each once, the outermost first. */
  readonly hints: readonly Hint[];
  /** Whether there are more than `mostHints`. */
  readonly namesMore: boolean;
  readonly fields: readonly string[];
  /**
   * What a settlement webhook says, with its id (doc 6.2): the same each time it is sent. Ids alone are not:
   * a sender may use one twice. Empty for one that names a charge, or more than `mostHints`.
   */
  readonly identity: string;
}

/** A settlement or charge in a payload, to be read from the API. */
export interface Hint {
  readonly kind: 'settlement' | 'charge';
  readonly id: string;
  readonly said: Said;
}

/** The documented fields (doc 6.1, 6.2) of the object with the id, or of those around it, by their paths. */
export const saidFields = {
  /** Of the payload itself. */
  payloadId: 'id',
  settlementDate: 'settlement_date',
  status: 'settlement_status.status',
  statusTimestamp: 'settlement_status.timestamp',
  objectType: 'object_type',
  version: 'version',
  event: 'event',
  /** Equals the accounting token of the settlements (doc 2.7). */
  serviceId: 'service_id',
} as const;

type Said = Readonly<Record<keyof typeof saidFields, string>>;

type Payload = Readonly<Record<string, unknown>>;

interface Place {
  readonly name: string;
  readonly value: unknown;
  readonly said: Said;
}

/** The most hints of a payload that are used. */
export const mostHints = 20;
const shownFields = 8;
/** All documented texts are shorter. */
const longestText = 100;

/** In webhooks (doc 6.1, 6.2) and in settlements (doc 2.7, 2.8). */
const idNames: ReadonlyMap<string, Hint['kind']> = new Map([
  ['settlement_id', 'settlement'],
  ['settlementId', 'settlement'],
  ['charge_id', 'charge'],
  ['chargeId', 'charge'],
]);

/** Finds the ids at any depth: that of a refund "can vary" (doc 6.1). Not recursive. */
export function readWebhook(payload: Payload): Webhook {
  const hints = new Map<string, Hint>();
  const places: Place[] = [{ name: '', value: payload, said: saidIn({}) }];
  for (const { name, value, said } of places) {
    if (Array.isArray(value)) {
      for (const item of value) places.push({ name, value: item, said });
    } else if (isObject(value)) {
      const saidHere = saidIn(value, said);
      for (const [key, item] of Object.entries(value)) {
        places.push({ name: key, value: item, said: saidHere });
      }
    } else {
      const kind = idNames.get(name);
      const id = cut(String(value ?? ''), longestText);
      const key = `${kind} ${id.toLowerCase()}`;
      if (kind && id !== '' && !hints.has(key)) hints.set(key, { kind, id, said });
    }
  }
  const used = [...hints.values()].slice(0, mostHints);
  const namesMore = hints.size > mostHints;
  const hasId = used.every(({ kind, said }) => kind === 'settlement' && said.payloadId !== '');
  return {
    hints: used,
    namesMore,
    identity: used.length > 0 && hasId && !namesMore ? JSON.stringify(used) : '',
    fields: Object.keys(payload)
      .slice(0, shownFields)
      .map((name) => cut(name, longestText)),
  };
}

/** Whether its id is a UUID (doc 2.2, 6.2). Any other is never sent to the API. */
export function isId({ id }: Hint): boolean {
  return uuidForm.test(id);
}

/** The fields of an object in a payload, or of those around it. */
function saidIn(object: Payload, around?: Said): Said {
  const { settlement_status: status } = object;
  const inStatus = isObject(status) ? status : { status };
  const found = (path: string) => {
    const [field = '', inner] = path.split('.');
    return inner === undefined ? object[field] : inStatus[inner];
  };
  return tableOf(keysOf(saidFields), (name) => text(found(saidFields[name]), around?.[name]));
}

/** The version may be a number. */
function text(value: unknown, otherwise = ''): string {
  const isSaid = typeof value === 'string' || typeof value === 'number';
  return (isSaid && cut(String(value), longestText)) || otherwise;
}
