// The packages that a bundle contains: their licences, and a list for scanners.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** Those of which at least one byte is in the bundle, by esbuild's own account. */
export async function bundledPackages({ outputs }) {
  const folders = new Set();
  for (const { inputs } of Object.values(outputs)) {
    for (const [input, { bytesInOutput }] of Object.entries(inputs)) {
      const inPackage = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input);
      if (inPackage && bytesInOutput > 0) folders.add(inPackage[1]);
    }
  }
  return Promise.all([...folders].sort().map(readPackage));
}

async function readPackage(folder) {
  const { name, version, license } = JSON.parse(await readFile(`${folder}/package.json`, 'utf8'));
  if (!license) throw new Error(`${folder}/package.json names no licence.`);
  return { name, version, license, text: await licenceText(folder, `${name}-${version}`) };
}

async function licenceText(folder, nameAndVersion) {
  const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
  // Some packages leave the text in their repository: `licences` has it, as it is there.
  const kept = path.join('licences', `${nameAndVersion.replace('/', '+')}.txt`);
  const text = (
    await readFile(file ? path.join(folder, file) : kept, 'utf8').catch(() => '')
  ).trim();
  if (text === '') {
    throw new Error(
      `${folder} has no licence text. Write that of its repository, at this version, to ${kept}.`,
    );
  }
  return text;
}

/** Their licences, as their terms ask. */
export function licenceTexts(packages) {
  return packages
    .map(({ name, version, license, text }) => `${name} ${version} (${license})\n\n${text}\n`)
    .join(`\n${'-'.repeat(78)}\n\n`);
}

/** CycloneDX, the same for the same bundle: without a time and a number of its own, which may be left out. */
export function billOfMaterials(program, packages) {
  const root = component('application', program);
  const components = packages.map((one) => component('library', one));
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: root },
    components,
    dependencies: [{ ref: root['bom-ref'], dependsOn: components.map((one) => one['bom-ref']) }],
  };
}

function component(type, { name, version, license }) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const isExpression = license.includes(' ');
  return {
    type,
    'bom-ref': purl,
    name,
    version,
    licenses: [isExpression ? { expression: license } : { license: { id: license } }],
    purl,
  };
}
