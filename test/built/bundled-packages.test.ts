import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../cli/temporary.ts';
import { root } from '../support/built-program.ts';

interface Package {
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

interface Bill {
  readonly metadata: { readonly component: { readonly purl: string } };
  readonly components: readonly {
    readonly name: string;
    readonly version: string;
    readonly purl: string;
    readonly licenses: readonly { readonly license: { readonly id: string } }[];
  }[];
  readonly dependencies: readonly { readonly dependsOn: readonly string[] }[];
}

interface Bundled {
  readonly bundledPackages: (metafile: object) => Promise<readonly object[]>;
}

const dist = join(root, 'dist');
const read = (...path: readonly string[]) => readFileSync(join(...path), 'utf8');
const bill = JSON.parse(read(dist, 'bom.cdx.json')) as Bill;
const own = JSON.parse(read(root, 'package.json')) as Package;

/** The packages by what the bundle says of itself: a comment before the code of each file. */
function packagesInBundle(): readonly Package[] {
  const chunks = readdirSync(dist).filter((file) => file.endsWith('.js'));
  const files = chunks.flatMap((chunk) => [...read(dist, chunk).matchAll(/^ *\/\/ (\S+)$/gm)]);
  const folders = files.flatMap(
    ([, file = '']) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? [],
  );
  return [...new Set(folders)]
    .sort()
    .map((folder) => JSON.parse(read(root, folder, 'package.json')) as Package);
}

test('the list of packages has every one in the bundle, with version and licence, and no other', () => {
  const listed = bill.components.map(({ name, version, licenses }) => ({
    ...{ name, version },
    license: licenses.map(({ license }) => license.id).join(),
  }));
  const bundled = packagesInBundle().map(({ name, version, license }) => ({
    ...{ name, version, license },
  }));
  expect(bundled.length).toBeGreaterThan(20);
  expect(listed).toEqual(bundled);
});

test('a package is found by its name and version in what scanners read', () => {
  expect(bill.metadata.component.purl).toBe(`pkg:npm/recon@${own.version}`);
  const colors = bill.components.find(({ name }) => name === '@colors/colors');
  expect(colors?.purl).toBe(`pkg:npm/%40colors/colors@${colors?.version}`);
  expect(bill.dependencies.flatMap(({ dependsOn }) => dependsOn)).toEqual(
    bill.components.map((one) => one.purl),
  );
});

test('the text of each licence is in the package', () => {
  const texts = read(dist, 'THIRD-PARTY-LICENSES.txt').split(`\n${'-'.repeat(78)}\n\n`);
  const headings = texts.map((text) => text.slice(0, text.indexOf('\n')));
  expect(headings).toEqual(
    bill.components.map(
      ({ name, version, licenses }) =>
        `${name} ${version} (${licenses.map(({ license }) => license.id).join()})`,
    ),
  );
  expect(texts.filter((text) => !/copyright/i.test(text))).toEqual([]);
});

test('a bundled package without a licence text fails the build', async () => {
  const folder = join(await temporaryFolder(), 'node_modules', 'odd');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"name":"odd","version":"1.2.3","license":"ISC"}');
  const { bundledPackages } = (await import(join(root, 'bundled-packages.mjs'))) as Bundled;
  const inputs = { [`${folder}/index.js`]: { bytesInOutput: 1 } };
  const outputs = { 'main.js': { inputs } };
  await expect(bundledPackages({ outputs })).rejects.toThrow('odd has no licence text.');
  writeFileSync(join(folder, 'LICENSE'), ' \n');
  await expect(bundledPackages({ outputs })).rejects.toThrow('odd has no licence text.');
  writeFileSync(join(folder, 'LICENSE'), 'As you like.\n');
  expect(await bundledPackages({ outputs })).toMatchObject([{ text: 'As you like.' }]);
});
