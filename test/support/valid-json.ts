import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { RunResult } from './run-recon.ts';

/** The schema of what a command writes as JSON, by the name of its file in `docs/schema`. */
function schemaOf(args: readonly string[]): string | undefined {
  const command = args.find((arg) => commands.includes(arg));
  const isDry = args.includes('--dry-run');
  if (args.includes('--raw')) return undefined;
  if (command === 'export' && args.includes('--verify')) return 'export-verify';
  if (command === 'accept' && args.includes('--from')) return 'accept-from';
  if (command === 'bank' && args.includes('--entries')) return 'bank-entries';
  if (command === 'close' && args.includes('--list')) return 'close-list';
  if (command === 'nightly' && isDry) return 'nightly-dry-run';
  return isDry ? 'dry-run' : command === 'config' ? 'config-show' : command;
}

/** By the names of the schemas: a new command is checked as soon as it has one. */
const commands = [
  'config',
  ...readdirSync('docs/schema').map((file) => file.replace('.schema.json', '')),
];

type Validate = (name: string, value: unknown) => void;
let loaded: Promise<Validate> | undefined;

/** Only where there is JSON: the schemas take time. They are compiled once a process. */
async function loadSchemas(): Promise<Validate> {
  const [{ Ajv2020 }, { schemas }, { fileOf }] = await Promise.all([
    import('ajv/dist/2020.js'),
    import('../schema/index.ts'),
    import('../schema/form.ts'),
  ]);
  const ajv = new Ajv2020({
    ...{ validateSchema: false, strictTypes: false, strictRequired: false },
    // Making the validators faster takes longer than they do.
    code: { optimize: false },
  });
  ajv.addSchema(Object.values(schemas));
  return (name, value) => {
    const [title = '', part = ''] = name.split('#');
    const validate = ajv.getSchema(`${fileOf(title)}#${part}`);
    if (validate === undefined) throw new Error(`docs/schema has no ${name}.`);
    if (validate(value)) return;
    // The deepest one is about the variant that comes closest.
    const errors = [...(validate.errors ?? [])].sort(
      (one, other) => other.instancePath.length - one.instancePath.length,
    );
    const told = errors.map(({ instancePath, message, params }) => [instancePath, message, params]);
    expect.fail(`Not as ${name} says: ${JSON.stringify(told.slice(0, 8), null, 1)}`);
  };
}

/** That a value is as a schema in `docs/schema` says; `NAME#/$defs/line` is a line of NDJSON. */
export async function expectValid(name: string, value: unknown): Promise<void> {
  loaded ??= loadSchemas();
  (await loaded)(name, value);
}

/** That a text is a document, or lines, as the schema says. One that was cut off is not looked at. */
async function expectValidText(name: string, text: string): Promise<void> {
  if (!text.startsWith('{') || !text.endsWith('\n')) return;
  const document = parsed(text);
  if (document !== undefined && !('type' in document)) return expectValid(name, document);
  for (const line of text.slice(0, -1).split('\n')) {
    const value = parsed(line);
    if (value !== undefined) await expectValid(`${name}#/$defs/line`, value);
  }
}

function parsed(text: string): object | undefined {
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}

/** That all JSON that a run has written is as `docs/schema` says. */
export async function expectValidJson(
  args: readonly string[],
  { exitCode, stdout, stderr }: RunResult,
): Promise<void> {
  for (const line of stderr.split('\n')) {
    if (line.startsWith('{"error"')) await expectValid('error', JSON.parse(line));
  }
  const out = args[args.indexOf('--out') + 1];
  // What a run refuses to read, a test may have damaged.
  if (args.includes('--out') && out !== undefined && exitCode < 2) await expectValidFiles(out);
  const name = schemaOf(args);
  if (name === undefined) return;
  const written = args.filter((arg) => /\.(json|ndjson|jsonl)$/.test(arg));
  for (const text of [stdout, ...written.map(textOf)]) await expectValidText(name, text);
}

/** That what an export, a night or a monthly copy says of itself is valid; of the days, the first. */
async function expectValidFiles(out: string): Promise<void> {
  const [day = ''] = daysIn(out);
  const files = {
    status: 'status.json',
    manifest: join(day, 'manifest.json'),
    months: 'months.json',
  };
  for (const [schema, file] of Object.entries(files)) {
    const document = parsed(textOf(join(out, file)));
    if (document) await expectValid(schema, document);
  }
}

/** The folders of days in an export. */
function daysIn(out: string): readonly string[] {
  try {
    return readdirSync(out).filter((name) => /^\d{4}-\d\d-\d\d$/.test(name));
  } catch {
    return [];
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
