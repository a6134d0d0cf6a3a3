/** What a field of a request body must be. */
interface FieldType {
  readonly words: string;
  readonly holds: (value: unknown) => boolean;
}

/** The fields of a request body and their types. Fields that aren't named are ignored. */
export type BodyShape = Readonly<Record<string, FieldType>>;

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

const uuid: FieldType = {
  words: 'a UUID',
  holds: (value) => typeof value === 'string' && uuidForm.test(value),
};
const integer: FieldType = { words: 'an integer', holds: Number.isSafeInteger };
const recordCount: FieldType = {
  words: 'a non-negative whole number',
  holds: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
};
const date: FieldType = { words: 'a date, YYYY-MM-DD', holds: isDate };

/** The headers' request (doc 4.3). */
export function headersShape(knownIds: ReadonlySet<unknown>): BodyShape {
  return {
    settlementId: settlementId(knownIds),
    cid: integer,
    chid: integer,
    mid: uuid,
    startDate: date,
    endDate: date,
    limit: recordCount,
    offset: recordCount,
  };
}

/** The transactions' request (doc 4.4). */
export function rowsShape(knownIds: ReadonlySet<unknown>): BodyShape {
  return { settlementId: settlementId(knownIds), limit: recordCount, offset: recordCount };
}

/** A service that hands out odd ids (the scenario `hostile-text`) takes them back too. */
function settlementId(knownIds: ReadonlySet<unknown>): FieldType {
  return { ...uuid, holds: (value) => uuid.holds(value) || knownIds.has(value) };
}

/** A sentence on the first field that has the wrong type; undefined where all are right. */
export function wrongType(
  body: Readonly<Record<string, unknown>>,
  shape: BodyShape,
): string | undefined {
  for (const [field, type] of Object.entries(shape)) {
    if (body[field] !== undefined && !type.holds(body[field])) {
      return `${field} must be ${type.words}`;
    }
  }
  return undefined;
}

function isDate(value: unknown): boolean {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const parsed = new Date(`${value}T00:00:00Z`);
  // 31 February parses, as a day of March.
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(value);
}
