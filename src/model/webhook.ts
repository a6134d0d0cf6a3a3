import { isObject } from '../base/json.ts';
import { cut } from '../base/texts.ts';
import { uuidForm } from './forms.ts';

/** What a payload says that it is about. Webhooks are unsigned (doc 6): nothing in it is a fact. */
export interface Webhook {
  /** The settlements and charges that it names, each once, the outermost first. */
  readonly hints: readonly Hint[];
  /** Whether it names more than those. */
  readonly namesMore: boolean;
  /** The names of its first fields. */
  readonly fields: readonly string[];
}

/** A settlement or a charge that a payload names: a hint to read it again from the API. */
export interface Hint {
  readonly kind: 'settlement' | 'charge';
  /** The id of the settlement or charge, as it came: `isId` says whether it can be one. */
  readonly id: string;
  readonly said: Said;
}

/**
 * What both webhooks are documented to say (doc 6.1, 6.2), from where the id stands or the nearest
 * place around it. Texts are as they came, but for their length; what isn't there is an empty text.
 */
interface Said {
  /** `id`: that of the payload itself. */
  readonly payloadId: string;
  readonly settlementDate: string;
  /** `settlement_status.status`. */
  readonly status: string;
  /** `settlement_status.timestamp`. */
  readonly statusTimestamp: string;
  readonly objectType: string;
  readonly version: string;
  readonly event: string;
  /** Equals the accounting token of the settlements (doc 2.7). */
  readonly serviceId: string;
}

type Payload = Readonly<Record<string, unknown>>;

/** A value somewhere in a payload, with the name that it, or the list that it is in, stands under. */
interface Place {
  readonly name: string;
  readonly value: unknown;
  readonly said: Said;
}

/** So many of a payload are answered. */
export const mostHints = 20;
const shownFields = 8;
/** All that is documented is shorter; whoever sent it may have made it long. */
const longestText = 100;

/** In webhooks (doc 6.1, 6.2), and as the records of settlements have them (doc 2.7, 2.8). */
const idNames: ReadonlyMap<string, Hint['kind']> = new Map([
  ['settlement_id', 'settlement'],
  ['settlementId', 'settlement'],
  ['charge_id', 'charge'],
  ['chargeId', 'charge'],
]);

/**
 * Finds the ids in a payload at any depth: that of a refund "can vary" (doc 6.1). It goes through
 * level by level and never calls itself, so that no depth is too much.
 */
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
  return {
    hints: [...hints.values()].slice(0, mostHints),
    namesMore: hints.size > mostHints,
    fields: Object.keys(payload)
      .slice(0, shownFields)
      .map((name) => cut(name, longestText)),
  };
}

/** Whether it is a UUID, as all ids are (doc 2.2, 6.2). Any other is never sent to the API. */
export function isId({ id }: Hint): boolean {
  return uuidForm.test(id);
}

/**
 * The id of a settlement webhook, by which it is told from any other (doc 6.2). Empty for all that
 * names a charge: webhooks of charges have none (doc 6.1).
 */
export function payloadIdOf({ hints }: Webhook): string {
  const isOfSettlement = hints.every(({ kind }) => kind === 'settlement');
  return (isOfSettlement && hints[0]?.said.payloadId) || '';
}

/** What an object of a payload says itself, or else what stands around it. */
function saidIn(object: Payload, around?: Said): Said {
  const { settlement_status: status } = object;
  const inStatus = isObject(status) ? status : { status };
  return {
    payloadId: text(object['id'], around?.payloadId),
    settlementDate: text(object['settlement_date'], around?.settlementDate),
    status: text(inStatus['status'], around?.status),
    statusTimestamp: text(inStatus['timestamp'], around?.statusTimestamp),
    objectType: text(object['object_type'], around?.objectType),
    version: text(object['version'], around?.version),
    event: text(object['event'], around?.event),
    serviceId: text(object['service_id'], around?.serviceId),
  };
}

/** A number is kept by its digits: the document shows a text, and a version may be either. */
function text(value: unknown, otherwise = ''): string {
  const isSaid = typeof value === 'string' || typeof value === 'number';
  return (isSaid && cut(String(value), longestText)) || otherwise;
}
