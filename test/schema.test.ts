import { readdir } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { schemas } from './schema/index.ts';

const ajv = new Ajv2020();

// `npm run schemas` writes them anew.
test.each(Object.entries(schemas))(
  '%s.schema.json is the schema that tests compare with',
  async (name, one) => {
    expect([ajv.validateSchema(one), ajv.errors]).toEqual([true, null]);
    const text = `${JSON.stringify(one, null, 2)}\n`;
    await expect(text).toMatchFileSnapshot(`../docs/schema/${name}.schema.json`);
  },
);

test('the folder contains no other schemas', async () => {
  const files = await readdir('docs/schema');
  expect(files.sort()).toEqual(
    Object.keys(schemas)
      .map((name) => `${name}.schema.json`)
      .sort(),
  );
});
