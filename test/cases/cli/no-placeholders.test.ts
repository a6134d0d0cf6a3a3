import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { exampleMappings } from '../../../src/books/example-mapping.ts';
import { scenarioOf, startService } from '../../cli/service.ts';
import { writeStatement } from '../../cli/statement.ts';
import { temporaryFolder } from '../../cli/temporary.ts';
import { partsOf } from '../../render/xlsx/read-workbook.ts';
import { runRecon } from '../../support/run-recon.ts';

/** What no output may hold: a value that was never there, or one that was never written. */
const placeholders = /\bNaN\b|\bundefined\b|\[object \w+\]|\bInfinity\b|\bInvalid Date\b/;

/** And where people read, no value of a program either. */
const forPeople = new RegExp(`${placeholders.source}|(?<![\\w-])null(?![\\w-])|\\$\\{|=> `);

/** The list of scenarios is the sandbox's own. */
async function scenarios(): Promise<readonly string[]> {
  const { stdout } = await runRecon(['sandbox', '--list']);
  const [list = ''] = stdout.split('\nFaults');
  return [...list.matchAll(/^ {2}([a-z][a-z-]*)$/gm)].map(([, name = '']) => name);
}

/** Where it was found, with what is around it. */
interface Found {
  readonly from: string;
  readonly around: string;
}

function look(from: string, said: string, pattern: RegExp): readonly Found[] {
  // What the service returned is told as it came: "found null, expected a whole number".
  const text = said.replace(/found\s+null/g, 'found nothing');
  const at = text.search(pattern);
  return at < 0 ? [] : [{ from, around: text.slice(Math.max(0, at - 60), at + 60) }];
}

/** The visible text of a page. */
function visible(page: string): string {
  return page.replace(/<(style|script)\b.*?<\/\1>/gs, '').replace(/<[^>]*>/g, ' ');
}

/** Looks into a file of a report by its suffix. */
function lookIntoFile(from: string, path: string): readonly Found[] {
  if (!existsSync(path)) return [];
  const bytes = readFileSync(path);
  if (extname(path) === '.xlsx') {
    return [...partsOf(bytes)].flatMap(([part, xml]) => look(`${from} ${part}`, xml, forPeople));
  }
  const text = bytes.toString('utf8');
  if (extname(path) === '.html') {
    return [
      ...look(`${from} (visible)`, visible(text), forPeople),
      // Attributes too: positions of bars and lines are drawn from them.
      ...look(`${from} (tags)`, text.replace(/<(style|script)\b.*?<\/\1>/gs, ''), placeholders),
    ];
  }
  const isData = ['.json', '.ndjson'].includes(extname(path));
  return look(from, text, isData ? placeholders : forPeople);
}

type Environment = Readonly<Record<string, string>>;

/** Runs a command in formats, on a terminal and into files, and looks at all that comes out. */
class Reader {
  readonly found: Found[] = [];
  looked = 0;
  readonly #folder: string;
  readonly #env: Environment;

  constructor(folder: string, env: Environment = {}) {
    this.#folder = folder;
    this.#env = { NO_COLOR: '1', ...env };
  }

  async screen(args: readonly string[], columns = 100): Promise<void> {
    const from = args.join(' ');
    const { stdout, stderr } = await runRecon(args, { env: this.#env, columns });
    this.#keep(look(from, stdout, forPeople), look(`${from} (errors)`, stderr, forPeople));
  }

  async printed(args: readonly string[], pattern = forPeople, env = {}): Promise<void> {
    const from = args.join(' ');
    const { stdout, stderr } = await runRecon(args, { env: { ...this.#env, ...env } });
    this.#keep(look(from, stdout, pattern), look(`${from} (errors)`, stderr, forPeople));
  }

  async data(args: readonly string[]): Promise<void> {
    await this.printed(args, placeholders);
  }

  async files(args: readonly string[], suffixes: readonly string[]): Promise<void> {
    for (const suffix of suffixes) {
      const path = join(this.#folder, `report-${this.looked}.${suffix}`);
      const { stdout, stderr } = await runRecon([...args, '--output', path], { env: this.#env });
      const from = `${args.join(' ')} ${suffix}`;
      this.#keep(look(`${from} (screen)`, stdout + stderr, forPeople), lookIntoFile(from, path));
    }
  }

  folder(path: string): void {
    if (!existsSync(path)) return;
    for (const name of readdirSync(path, { recursive: true, encoding: 'utf8' })) {
      if (/\.(csv|json|ndjson)$/.test(name)) {
        // An export is data: a field may be null, a cell of CSV may not.
        const pattern = name.endsWith('.csv') ? forPeople : placeholders;
        const text = readFileSync(join(path, name), 'utf8');
        this.#keep(look(name, text, pattern));
      }
    }
  }

  #keep(...found: readonly (readonly Found[])[]): void {
    this.found.push(...found.flat());
    this.looked += 1;
  }
}

/** The commands that every source has something for; `more` are slower. */
async function everyCommand(
  reader: Reader,
  base: readonly string[],
  folder: string,
  more: boolean,
): Promise<void> {
  const month = ['--month', '2026-03'];
  await reader.screen(['settlements', ...base]);
  const suffixes = more ? ['xlsx', 'html', 'json'] : ['html'];
  await reader.files(['settlements', ...base, '--by', 'payment'], suffixes);
  await reader.printed(['settlements', ...base, '--format', 'csv']);
  await reader.screen(['explain', ...month, ...base, '--all']);
  const formats = ['hledger', 'datev', 'beancount', 'csv', 'ledger'] as const;
  for (const format of formats.slice(0, more ? 5 : 1)) {
    const env = { RECON_BOOKS: JSON.stringify(exampleMappings[format]) };
    const args = ['journal', ...base, '--for', format, '--include-pending'];
    await reader.printed(args, forPeople, base.includes('--sandbox') ? {} : env);
  }
  if (!more) return;
  const days = join(folder, 'days');
  await reader.screen(['export', ...month, ...base, '--out', days]);
  reader.folder(days);
  await reader.screen(['settlements', ...base, '--by', 'month,account'], 60);
  await reader.data(['settlements', ...base, '--format', 'ndjson']);
  await reader.files(['explain', ...month, ...base], ['md', 'html', 'xlsx']);
  await reader.printed(['transactions', ...base, '--format', 'csv']);
  await reader.screen(['export', '--verify', '--out', days]);
  await reader.screen(['settlements', ...base, '--dry-run']);
}

/** Those that differ most from the others. */
const thorough = ['month', 'empty', 'malformed', 'pending-unread', 'unusual-scale'];

const slow = { timeout: 240_000 };

describe('no output has a placeholder', () => {
  test('for any scenario, command and format', slow, async () => {
    const all = await scenarios();
    expect(all.length).toBeGreaterThan(25);
    expect(all).toContain('month');
    for (const scenario of all) {
      const folder = await temporaryFolder();
      const reader = new Reader(folder);
      const base = ['--sandbox', '--scenario', scenario];
      await everyCommand(reader, base, folder, thorough.includes(scenario));
      expect.soft(reader.found, scenario).toEqual([]);
      expect(reader.looked).toBeGreaterThan(4);
    }
  });

  test('for the bank, in all formats', slow, async () => {
    for (const scenario of ['month', 'empty', 'pending', 'malformed']) {
      const folder = await temporaryFolder();
      const reader = new Reader(folder);
      const base = ['--sandbox', '--scenario', scenario];
      await reader.screen(['bank', ...base]);
      await reader.files(['bank', ...base], ['csv', 'xlsx', 'html', 'md']);
      await reader.data(['bank', ...base, '--json']);
      await reader.data(['bank', ...base, '--format', 'ndjson']);
      await reader.screen(['settlements', ...base, '--bank']);
      await reader.files(['settlements', ...base, '--bank'], ['html', 'csv']);
      await reader.printed(['journal', ...base, '--bank', '--for', 'hledger']);
      expect.soft(reader.found, scenario).toEqual([]);
    }
  });

  test('for commands that need a special scenario', slow, async () => {
    const folder = await temporaryFolder();
    const reader = new Reader(folder);
    const charges = ['--sandbox', '--scenario', 'charges'];
    const ids = await chargeIds();
    expect(ids.length).toBeGreaterThan(4);
    await reader.screen(['charge', ...ids, ...charges, '--verbose'], 90);
    await reader.printed(['charge', ...ids, ...charges, '--format', 'csv']);
    await reader.data(['charge', ...ids, ...charges, '--json']);
    await reader.screen(['explain', '--month', '2026-03', ...charges, '--charges']);
    const drift = ['--sandbox', '--scenario', 'fee-drift', '--month', '2026-03'];
    await reader.screen(['settlements', ...drift, '--compare', 'previous']);
    await reader.files(['settlements', ...drift, '--compare', 'previous'], ['html', 'xlsx', 'csv']);
    // Compared with nothing: every rate is without an earlier one.
    const none = ['--sandbox', '--month', '2026-03', '--compare', '2026-01'];
    await reader.screen(['settlements', ...none]);
    await reader.files(['settlements', ...none], ['html', 'xlsx']);
    for (const scenario of ['month', 'overdue', 'empty', 'malformed', 'pending-unread']) {
      const out = join(folder, `nights-${scenario}`);
      const night = ['nightly', '--sandbox', '--scenario', scenario, '--out', out];
      await reader.screen([...night, '--since', '2026-03-01', '--dry-run']);
      await reader.files([...night, '--since', '2026-03-01'], ['html']);
      await reader.screen(night);
      await reader.files(night, ['xlsx', 'csv']);
      await reader.data([...night, '--json']);
      reader.folder(out);
    }
    await reader.screen(['doctor', '--sandbox']);
    await reader.data(['doctor', '--sandbox', '--json']);
    await reader.printed(['doctor', '--sandbox', '--format', 'csv']);
    await reader.screen(['doctor', '--sandbox', '--scenario', 'empty']);
    const register = join(folder, 'accepted.csv');
    const accepted = ['--sandbox', '--accepted', register];
    const stores = 'be678572-cc4e-5b84-ae52-bdd95f9ee0dd';
    const given = ['--difference', '82.79', '--reason', 'known'];
    await reader.screen(['accept', stores, ...accepted, ...given]);
    await reader.screen(['accept', stores, ...accepted, ...given, '--by', 'Ann']);
    await reader.screen(['accept', '--list', ...accepted]);
    await reader.printed(['accept', '--list', ...accepted, '--format', 'csv']);
    await reader.files(['settlements', ...accepted], ['html', 'xlsx']);
    await reader.screen(['config', 'show']);
    await reader.printed(['config', 'show', '--format', 'csv']);
    expect(reader.found).toEqual([]);
  });

  test('if everything is zero, empty or missing', slow, async () => {
    const folder = await temporaryFolder();
    const zero = { amountGross: 0, fees: 0, tax: 0, amountPayIn: 0 };
    const service = await startService(
      scenarioOf([
        // A settlement of nothing, one that is all fees, and one that takes money back.
        { date: '2026-03-02', rows: [] },
        { date: '2026-03-02', rows: [['purchase', 0, 0, 0]] },
        { date: '2026-03-03', rows: [['fee', 0, 500, 100]] },
        { date: '2026-03-04', rows: [['refund', -5000, -125, -25]] },
        { date: '2026-03-05', header: { ...zero, totalTransactions: 7 }, rows: [] },
        { date: '2026-03-06', off: { amountPayIn: 1 }, rows: [] },
        { date: '2026-03-06', status: 'settled_out_of_balance', rows: [] },
        { date: '2026-03-09', status: 'pending_settlement', header: zero, rows: [] },
        // Texts that are not there.
        {
          date: '2026-03-10',
          header: { merchantId: '', paymentService: '' },
          rows: [['', 1000, 25, 5, { paymentType: '', state: '' }]],
        },
        { date: '2026-03-11', header: { accountingToken: '' }, rows: [['purchase', 1, 0, 0]] },
      ]),
    );
    const statement = join(folder, 'march.xml');
    await writeStatement(statement, [1, 31], []);
    const empty = join(folder, 'empty.csv');
    await writeFile(empty, 'Datum;Betrag;Text\r\n');
    const reader = new Reader(folder, service.env);
    await everyCommand(reader, ['--month', '2026-03'], folder, true);
    await reader.screen(['bank', statement, '--month', '2026-03']);
    await reader.files(['bank', statement, '--month', '2026-03'], ['xlsx', 'html', 'md', 'csv']);
    await reader.data(['bank', statement, '--month', '2026-03', '--json']);
    await reader.screen(['bank', empty, '--month', '2026-03']);
    expect(reader.found).toEqual([]);
  });

  test.each([
    ['no account, no balance, no entry', '<Stmt><Id>1</Id></Stmt>'],
    ['nothing at all', '<Stmt></Stmt>'],
    ['a balance without an amount', '<Stmt><Id>1</Id><Bal><Tp/></Bal></Stmt>'],
  ])('for an empty bank statement: %s', async (_, statement) => {
    const folder = await temporaryFolder();
    const path = join(folder, 'march.xml');
    const space = 'urn:iso:std:iso:20022:tech:xsd:camt.053.001.08';
    await writeFile(
      path,
      `<?xml version="1.0"?><Document xmlns="${space}"><BkToCstmrStmt>${statement}</BkToCstmrStmt></Document>`,
    );
    const reader = new Reader(folder);
    const base = ['bank', path, '--sandbox'];
    await reader.screen(base);
    await reader.screen([...base, '--month', '2026-03']);
    await reader.files(base, ['xlsx', 'html', 'csv', 'md']);
    await reader.data([...base, '--json']);
    expect(reader.found).toEqual([]);
  });
});

/** The ids of charges that the rows of the scenario name. */
async function chargeIds(): Promise<readonly string[]> {
  const base = ['--sandbox', '--scenario', 'charges'];
  const { stdout } = await runRecon(['transactions', ...base, '--format', 'ndjson']);
  return [...new Set([...stdout.matchAll(/"chargeId":"([^"]+)"/g)].map(([, id = '']) => id))];
}
