import { isObject } from '../base/json.ts';

/**
 * What a payload says that it is about. Webhooks are unsigned (doc 6): it is a hint to read the API
 * again, and never a fact. Texts are kept as they came; what isn't there is an empty text.
 */
export type Webhook = SettlementWebhook | ChargeWebhook | UnknownWebhook;

/** A settlement's status changed (doc 6.2). */
interface SettlementWebhook {
  readonly kind: 'settlement';
  /** That of the payload itself. */
  readonly payloadId: string;
  readonly settlementId: string;
  readonly status: string;
  readonly event: string;
}

/** A charge reached a status (doc 6.1); which one, its payload isn't known to say. */
interface ChargeWebhook {
  readonly kind: 'charge';
  readonly chargeId: string;
  /** Equals the accounting token of the settlements (doc 2.7). */
  readonly serviceId: string;
}

/** Neither of them can be found in it. */
interface UnknownWebhook {
  readonly kind: 'unknown';
  /** The names of its first fields. */
  readonly fields: readonly string[];
}

type Payload = Readonly<Record<string, unknown>>;

const shownFields = 8;

/**
 * Recognises a payload liberally: more fields may be there than are shown, and the payload of a
 * refund "can vary" (doc 6.1), so that the ids are looked for one level down too.
 */
export function recogniseWebhook(payload: Payload): Webhook {
  return (
    [payload, ...Object.values(payload).filter(isObject)]
      .map((part) => settlementIn(part) ?? chargeIn(part))
      .find((webhook) => webhook !== undefined) ?? {
      kind: 'unknown',
      fields: Object.keys(payload).slice(0, shownFields),
    }
  );
}

function settlementIn(payload: Payload): SettlementWebhook | undefined {
  const { object_type, charge_id, settlement_id, settlement_status: status } = payload;
  const isNamed = object_type === 'webhook.settlement' || charge_id === undefined;
  if (!isNamed || !isId(settlement_id)) return undefined;
  return {
    kind: 'settlement',
    payloadId: text(payload['id']),
    settlementId: settlement_id,
    status: text(isObject(status) ? status['status'] : status),
    event: text(payload['event']),
  };
}

function chargeIn({ charge_id, service_id }: Payload): ChargeWebhook | undefined {
  return isId(charge_id)
    ? { kind: 'charge', chargeId: charge_id, serviceId: text(service_id) }
    : undefined;
}

/** A UUID in all that the document shows. Whoever sent it, it stays one segment of an address. */
function isId(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z0-9][\w.~-]{0,127}$/.test(value);
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
