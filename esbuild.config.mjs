// Bundles the tool into dist/. Chunks are split, so that a command loads only what it runs.
import { cp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { billOfMaterials, bundledPackages, licenceTexts } from './bundled-packages.mjs';

const outdir = 'dist';

async function importEsbuild() {
  try {
    return await import('esbuild');
  } catch (error) {
    // `npm ci --omit=dev` runs `prepare` too: without the build tools there is nothing to build.
    if (process.argv.includes('--if-installed')) process.exit(0);
    throw error;
  }
}

/** commander loads it for commands that are programs of their own, of which there are none here. */
const withoutChildProcesses = {
  name: 'without-child-processes',
  setup(build) {
    build.onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
      importer.includes(`${path.sep}commander${path.sep}`)
        ? { path: 'none', namespace: 'empty' }
        : undefined,
    );
    build.onLoad({ filter: /./, namespace: 'empty' }, () => ({ contents: '' }));
  },
};

/** Compiles a kernel, if it has changed, to a module that can be bundled: WebAssembly as base64. */
async function compileKernel(entry) {
  const folder = path.dirname(entry);
  const binary = `${folder}-binary.ts`;
  const age = async (file) => (await stat(file).catch(() => ({ mtimeMs: 0 }))).mtimeMs;
  const files = (await readdir(folder)).map((file) => path.join(folder, file));
  const sources = ['esbuild.config.mjs', ...files];
  const compiledAt = await age(binary);
  if ((await Promise.all(sources.map(age))).every((changedAt) => changedAt < compiledAt)) return;
  const { main } = await import('assemblyscript/asc');
  const options = ['-O3', '--runtime', 'stub', '--noAssert', '--enable', 'simd'];
  let compiled = Buffer.alloc(0);
  const { error, stderr } = await main([entry, ...options, '-o', 'kernel'], {
    writeFile: (_, contents) => {
      compiled = Buffer.from(contents);
    },
  });
  if (error) throw new Error(`${error.message}\n${stderr}`);
  await writeFile(
    binary,
    `export const ${path.parse(entry).name}Kernel =\n  '${compiled.toString('base64')}';\n`,
  );
}

/** Of undici, only what sends requests: with all of it, every start would take 30 ms longer. */
const sendersOfUndici = {
  name: 'senders-of-undici',
  setup(build) {
    build.onLoad({ filter: /node_modules.undici.index\.js$/ }, ({ path: index }) => ({
      // `connect` is what a proxy is asked by.
      contents: `require('./lib/dispatcher/dispatcher').prototype.connect = require('./lib/api/api-connect');
        exports.Agent = require('./lib/dispatcher/agent');
        exports.EnvHttpProxyAgent = require('./lib/dispatcher/env-http-proxy-agent');
        exports.Pool = require('./lib/dispatcher/pool');`,
      resolveDir: path.dirname(index),
    }));
  },
};

/**
 * All that the start needs as one chunk: what is loaded later is said to need the start, which is there by then. Else
 * what both share is divided by who shares it, into twenty files, and each of them costs the start half a millisecond.
 */
const startInOneChunk = {
  name: 'start-in-one-chunk',
  async setup(build) {
    const start = path.resolve('src/cli/program.ts');
    const later = new Set();
    for (const name of await readdir('src', { recursive: true })) {
      if (!name.endsWith('.ts')) continue;
      const text = await readFile(path.join('src', name), 'utf8');
      for (const [, found] of text.matchAll(/\bimport\('(\.[^']+)'\)/g))
        later.add(path.resolve('src', path.dirname(name), found));
    }
    later.delete(start);
    build.onLoad({ filter: /\.ts$/ }, async ({ path: file }) => {
      if (!later.has(file)) return undefined;
      const contents = await readFile(file, 'utf8');
      return { contents: `${contents}\nimport ${JSON.stringify(start)};\n`, loader: 'ts' };
    });
  },
};

const esbuild = await importEsbuild();
await compileKernel('src/api/scan/kernel/scan.ts');
await compileKernel('src/render/kernel/records.ts');
// Tests that start no built program need no more.
if (process.argv.includes('--kernels')) process.exit(0);
const recon = JSON.parse(await readFile('package.json', 'utf8'));
const { metafile } = await esbuild.build({
  entryPoints: ['src/cli/main.ts'],
  outdir,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.18',
  minifySyntax: true,
  legalComments: 'none',
  metafile: true,
  // Native and large: only who audits with it installs it. Files of released versions are no scenarios.
  external: ['@duckdb/node-api', '../../fixtures/1.*'],
  define: { RECON_VERSION: JSON.stringify(recon.version) },
  // CommonJS packages call `require` for Node's own modules.
  banner: {
    js: "const require = process.getBuiltinModule('module').createRequire(import.meta.url);",
  },
  plugins: [withoutChildProcesses, sendersOfUndici, startInOneChunk],
  logLevel: 'warning',
});
// Queries and the template of a configuration are read as files: they are there for people too.
await cp('src/audit/sql', path.join(outdir, 'sql'), { recursive: true });
await cp('src/config/template.toml', path.join(outdir, 'template.toml'));
const packages = await bundledPackages(metafile);
await writeFile(path.join(outdir, 'THIRD-PARTY-LICENSES.txt'), licenceTexts(packages));
const bill = JSON.stringify(billOfMaterials(recon, packages), null, 2);
await writeFile(path.join(outdir, 'bom.cdx.json'), `${bill}\n`);

// Old chunks go last: dist/ may be in use while it is rebuilt.
const built = new Set(Object.keys(metafile.outputs).map((file) => path.basename(file)));
for (const file of ['THIRD-PARTY-LICENSES.txt', 'bom.cdx.json', 'sql', 'template.toml'])
  built.add(file);
for (const file of await readdir(outdir)) {
  if (!built.has(file)) await rm(path.join(outdir, file), { recursive: true });
}
