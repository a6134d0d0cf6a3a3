import { readdir } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { groupedBy } from '../src/base/lists.ts';
import type { Code } from '../src/reconcile/entry.ts';
import { type Fields, fileOf } from './schema/form.ts';
import { schemas } from './schema/index.ts';

const ajv = new Ajv2020({ strictTypes: false });
ajv.addSchema(Object.values(schemas));

// `npm run schemas` writes them anew.
test.each(Object.entries(schemas))(
  '%s.schema.json is the schema that tests compare with',
  async (name, one) => {
    expect([ajv.validateSchema(one), ajv.errors]).toEqual([true, null]);
    const text = `${JSON.stringify(one, null, 2)}\n`;
    await expect(text).toMatchFileSnapshot(`../docs/schema/${fileOf(name)}`);
  },
);

test('a line has its type, the version and no field that its schema does not name', () => {
  const isValid = ajv.getSchema(`${fileOf('close-list')}#/$defs/line`);
  const line = { type: 'summary', schema: 1, register: 'closes.csv' };
  expect(isValid?.(line)).toBe(true);
  const { type: _, ...untyped } = line;
  const { schema: __, ...unversioned } = line;
  const wrong = [{ ...line, more: 1 }, { ...line, type: 'close' }, untyped, unversioned];
  expect(wrong.filter((one) => isValid?.(one))).toEqual([]);
});

test('the folder contains no other schemas', async () => {
  const files = await readdir('docs/schema');
  expect(files.sort()).toEqual(Object.keys(schemas).map(fileOf).sort());
});

test.each(Object.keys(schemas))('every reference of %s.schema.json is to something', (name) => {
  expect(ajv.getSchema(fileOf(name))).toBeTypeOf('function');
});

test('the codes of findings are in one file, so a new notice changes no other', () => {
  const codes: readonly Code[] = ['within_tolerance', 'unusual_scale', 'fee_drift'];
  const files = Object.keys(schemas).filter((name) =>
    codes.some((code) => JSON.stringify(schemas[name]).includes(`"${code}"`)),
  );
  expect(files).toEqual(['common']);
});

test('no definition stands in two files', () => {
  const definitions = Object.entries(schemas).flatMap(([file, { $defs }]) =>
    Object.entries(($defs ?? {}) as Fields)
      // A line of NDJSON, which names its file.
      .filter(([name]) => name !== 'line')
      .map(([name, schema]) => ({ place: `${file}: ${name}`, text: JSON.stringify(schema) })),
  );
  const repeated = [...groupedBy(definitions, ({ text }) => text).values()]
    .filter(({ length }) => length > 1)
    .map((same) => same.map(({ place }) => place));
  expect(repeated).toEqual([]);
});
