import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { schemas } from './schema/index.ts';

// `npm run schemas` writes them anew.
test.each(Object.entries(schemas))(
  'docs/schema/%s.schema.json is what reports are',
  async (name, schema) => {
    const text = `${JSON.stringify(schema, null, 2)}\n`;
    await expect(text).toMatchFileSnapshot(`../docs/schema/${name}.schema.json`);
  },
);

test('no other schemas are there', async () => {
  const files = await readdir('docs/schema');
  expect(files.sort()).toEqual(
    Object.keys(schemas)
      .map((name) => `${name}.schema.json`)
      .sort(),
  );
});
