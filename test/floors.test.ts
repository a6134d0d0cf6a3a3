import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { expect, test } from 'vitest';

interface Room {
  readonly floor: number;
  readonly because: string;
  /** The only rooms that may know it, where the floors alone would let in more. */
  readonly knownBy?: readonly string[];
}

/** A room imports from itself and from lower floors; rooms on one floor don't know each other. */
const rooms: Readonly<Record<string, Room>> = {
  base: { floor: 0, because: 'it knows no domain' },
  money: { floor: 0, because: 'exact arithmetic needs nothing' },
  mapping: {
    floor: 1,
    because: 'it infers columns for whoever gives it a table of fields, and knows no bank or shop',
  },
  model: { floor: 2, because: 'it holds plain types: no zod, no HTTP' },
  reconcile: { floor: 3, because: 'it is pure: no service, no files, no words' },
  api: { floor: 3, because: 'all others see ports of the model', knownBy: ['cli'] },
  register: { floor: 3, because: 'it reads files that people keep, and judges nothing' },
  bank: { floor: 3, because: 'it reads what banks write, and matches nothing', knownBy: ['cli'] },
  orders: {
    floor: 3,
    because: 'it reads what shops write, and matches nothing',
    knownBy: ['cli', 'config'],
  },
  provided: {
    floor: 3,
    because: 'it reads what other providers write, and judges nothing',
    knownBy: ['cli', 'config'],
  },
  listen: { floor: 3, because: 'what webhooks mean is handed in', knownBy: ['cli'] },
  config: { floor: 4, because: 'settings may name checks and identities, and nothing above them' },
  explain: { floor: 4, because: 'it is pure, over what reconcile found' },
  match: { floor: 4, because: 'it is pure, over entries and settlements' },
  books: { floor: 5, because: 'it is pure: settlements and matches to postings and their texts' },
  app: { floor: 6, because: 'use cases run over ports: no argv, no printing, no HTTP' },
  report: {
    floor: 7,
    because: 'it turns results into view models, and holds their wording',
    knownBy: ['cli', 'doctor', 'export', 'render'],
  },
  doctor: { floor: 8, because: 'it asks over the port Probe, judges, and says what it found' },
  render: { floor: 8, because: 'it turns view models into text' },
  lake: { floor: 2, because: 'it names tables and writes them, whoever fills them' },
  export: { floor: 9, because: 'it writes days and reads them again' },
  audit: { floor: 9, because: 'it asks engines about lakes and copies them, and has no wording' },
  nightly: { floor: 10, because: 'it plans and tells over days that are exported' },
  cli: { floor: 11, because: 'it alone knows argv' },
  // If it shared code with the client, tests would prove that code by itself.
  sandbox: { floor: 1, because: 'the service shares no code with its client', knownBy: ['cli'] },
  fixtures: { floor: 0, because: 'they are data', knownBy: ['sandbox'] },
};

/** Packages and side effects, each with its doors: the rooms or files that may import it. */
const doors: Readonly<Record<string, readonly string[]>> = {
  '@duckdb/node-api': ['audit/duckdb.ts'],
  '@clack/prompts': ['cli/prompts.ts'],
  'cli-table3': ['render/table.ts'],
  commander: ['cli/'],
  'csv-stringify': ['render/csv.ts'],
  'd3-scale': ['render/html/'],
  'd3-shape': ['render/html/charts.ts'],
  dayjs: ['base/calendar.ts'],
  hucre: ['render/xlsx/'],
  'hyparquet-writer': ['lake/parquet-file.ts'],
  'node:buffer': ['export/day-source.ts'],
  'node:child_process': ['base/run-command.ts'],
  'node:crypto': [
    'base/',
    'bank/entry-columns.ts',
    'api/auth.ts',
    'audit/write-months.ts',
    'export/',
    'listen/',
    'nightly/',
    'render/html/',
    'sandbox/',
  ],
  'node:diagnostics_channel': ['api/probe.ts'],
  'node:events': ['base/'],
  'node:fs': ['base/'],
  'node:http': ['base/http/listen-at.ts', 'listen/webhook-server.ts', 'sandbox/'],
  'node:os': ['cli/'],
  'node:path': [
    'audit/',
    'base/',
    'config/',
    'listen/',
    'register/',
    'lake/',
    'export/',
    'nightly/',
    'cli/',
  ],
  'node:stream': ['base/files.ts', 'cli/host.ts'],
  'node:timers': ['base/clock.ts'],
  'node:tls': ['api/probe.ts'],
  'node:util': ['cli/messages.ts', 'export/'],
  'node:v8': ['cli/processes.ts'],
  'node:zlib': ['base/archive.ts', 'export/', 'provided/row-packs.ts'],
  ora: ['cli/messages.ts'],
  saxes: ['base/workbook.ts', 'bank/xml.ts'],
  fflate: ['base/archive.ts'],
  'smol-toml': ['config/config-file.ts'],
  'string-width': ['render/wrap.ts'],
  undici: ['base/http/'],
  zod: [
    'api/records.ts',
    'audit/find-lakes.ts',
    'config/raw.ts',
    'config/csv-mappings.ts',
    'config/config-file.ts',
    'config/profile-tables.ts',
    'export/',
    'nightly/state.ts',
  ],
};

/** The core, which one day can be a library: it imports nothing but itself and `base`. */
const core = ['money', 'model', 'reconcile', 'explain', 'match', 'books'];

/** Why `file` may not import `specifier`; undefined where it may. Paths are relative to `src`. */
function fault(file: string, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) {
    const name = specifier
      .split('/')
      .slice(0, specifier.startsWith('@') ? 2 : 1)
      .join('/');
    const open = doors[name] ?? [];
    const isDoor = open.some((door) => file.startsWith(door));
    return isDoor ? undefined : `the doors to ${name} are ${open.join(', ') || 'nowhere'}`;
  }
  const name = roomOf(file);
  const other = roomOf(join(file, '..', specifier));
  const [above, below] = [rooms[name], rooms[other]];
  if (name === other && above) return undefined;
  if (!above || !below) return `${above ? other : name} is no room`;
  if (core.includes(name) && ![...core, 'base'].includes(other))
    return `${name} is in the core, and ${other} is not`;
  if (above.floor <= below.floor)
    return `${name} stands below or beside ${other}: ${above.because}`;
  const { knownBy, because } = below;
  return !knownBy || knownBy.includes(name) ? undefined : `${other} is known to others: ${because}`;
}

/** The first folder of a path that is relative to `src`. */
function roomOf(path: string): string {
  return path.split(sep).find((part) => part !== '..') ?? '';
}

/** Imports and exports from, of types too, on one line or several, and `import()`. */
const imports = /(?:^(?:import|export)\s[^'";]*?\bfrom\s*|^import\s*|\bimport\(\s*)'([^']+)'/gm;

function faultsIn(file: string, text: string): string[] {
  return [...text.matchAll(imports)].flatMap((match) => {
    const line = text.slice(0, match.index).split('\n').length;
    const why = fault(file, match[1] ?? '');
    return why === undefined ? [] : [`src/${file}:${line} imports ${match[1]}: ${why}`];
  });
}

const files = readdirSync('src', { encoding: 'utf8', recursive: true })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => ({ file, text: readFileSync(join('src', file), 'utf8') }));

test('rooms import only from lower floors, and packages only where they are allowed', () => {
  expect(files.length).toBeGreaterThan(100);
  expect(files.flatMap(({ file, text }) => faultsIn(file, text))).toEqual([]);
});

/** The files that a file imports, or loads when it needs them, relative to `src`. */
function importsOf({ file, text }: (typeof files)[number]): readonly string[] {
  return [...text.matchAll(imports)].flatMap(([, specifier = '']) =>
    specifier.startsWith('.') ? [join(file, '..', specifier)] : [],
  );
}

/** The files that import themselves through others, also by types or when they run. */
function circular(): readonly string[] {
  const graph = new Map(files.map((one) => [one.file, importsOf(one)]));
  return [...graph.keys()].filter((start) => {
    const reached = new Set<string>();
    const open = [...(graph.get(start) ?? [])];
    for (let file = open.pop(); file !== undefined; file = open.pop()) {
      if (reached.has(file)) continue;
      reached.add(file);
      open.push(...(graph.get(file) ?? []));
    }
    return reached.has(start);
  });
}

test('no files import each other in a circle, not even types or lazy imports', () => {
  expect(circular()).toEqual([]);
});

test.each([
  ['money/x.ts', "import type { Clock } from '../base/clock.ts';"],
  ['reconcile/x.ts', "export * from '../report/common/view.ts';"],
  ['api/walk/x.ts', "const { subjectOf } = await import('../../reconcile/subject.ts');"],
  ['app/x.ts', "import {\n  request,\n} from 'undici';"],
  ['report/x.ts', "import type { Client } from '../api/client.ts';"],
  ['sandbox/x.ts', "import { decodeRow } from '../api/records.ts';"],
  ['books/x.ts', "import type { BookedBatch } from '../register/booked-register.ts';"],
  ['cli/commands/x.ts', "import { readFile } from 'node:fs/promises';"],
])('%s cannot have the line %s', (file, text) => {
  expect(faultsIn(file, text)).toHaveLength(1);
});

test('no two files export the same name', () => {
  const named =
    /^export (?:abstract )?(?:async )?(?:class|interface|type|function\*?|const) +(\w+)/gm;
  const places = new Map<string, string[]>();
  for (const { file, text } of files) {
    for (const [, name = ''] of text.matchAll(named)) {
      places.set(name, [...(places.get(name) ?? []), file]);
    }
  }
  expect([...places].filter(([, found]) => new Set(found).size > 1)).toEqual([]);
});

test('no object literal is spread only to fit a line', () => {
  expect(files.flatMap(({ file, text }) => (text.includes('...{ ') ? [file] : []))).toEqual([]);
});
