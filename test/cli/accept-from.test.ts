import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { number, row, text, workbookOf } from '../bank/workbook-file.ts';
import { runRecon } from '../support/run-recon.ts';
import { csvOfLines, decisionKeys, decisionsOfMarch, type Line } from './decisions.ts';
import { readRecords } from './read-report.ts';
import { temporaryFolder } from './temporary.ts';

let march: readonly Line[];

beforeAll(async () => {
  march = await decisionsOfMarch();
});

const yes = { decision: 'accept', reason: 'known since March' };
const decided = (more: Line = {}): readonly Line[] =>
  march.map((line) => ({ ...line, ...yes, ...more }));

/** A list of decisions with its register, over the sandbox's March. */
async function startClose(contents: string | Buffer = csvOfLines(decided())) {
  const folder = await temporaryFolder();
  const [file, register] = [join(folder, 'decisions.csv'), join(folder, 'accepted.csv')];
  await writeFile(file, contents);
  const run = (...words: readonly string[]) =>
    runRecon([...words, '--sandbox', '--accepted', register]);
  return {
    ...{ file, register, run },
    text: () => readFile(register, 'utf8'),
    accept: (...more: readonly string[]) => run('accept', '--from', file, ...more),
  };
}

type Close = Awaited<ReturnType<typeof startClose>>;

async function expectNothing({ text }: Close) {
  await expect(text()).rejects.toThrow('ENOENT');
}

const statusesOf = (csv: string) => readRecords(csv).map(({ status }) => status);

describe('a list of decisions', () => {
  it('is accepted in one run, and March then ends with the code of the missing pay-out', async () => {
    const { accept, run, text, register } = await startClose();
    const { exitCode, stdout, stderr } = await accept();
    expect(exitCode).toBe(0);
    expect(stderr).toBe(
      'ACCEPTED. 8 lines: 8 accepted. Differences: +395.18 EUR net, 405.20 EUR absolute; ' +
        `+323,136 JPY net, 323,136 JPY absolute. Written to ${register}: 8 lines.\n` +
        `Started the register of accepted differences: ${register}\n`,
    );
    expect(statusesOf(stdout)).toEqual(march.map(() => 'accepted'));
    expect((await run('settlements')).exitCode).toBe(0);
    const bank = ['bank', '--fail-on', 'unknown-on-bank,difference'];
    const screen = await run(...bank, '--format', 'table');
    expect(screen.exitCode).toBe(0);
    expect(screen.stdout).toContain('1 entry is unknown to the service and accepted: 312.40 EUR.');
    expect(screen.stdout).toContain('\nAccepted, unknown to the service: 1\n');
    expect(screen.stdout).toContain('= accepted on 2026-04-01: known since March\n');
    const last = readRecords(await text()).at(-1);
    expect(last).toMatchObject({
      settlement_id: '',
      bank_received: '312.40',
      bank_difference: '312.40',
      bank_account: 'DE79123456780000143027',
      bank_date: '2026-03-24',
    });
    const kept = await text();
    const again = await accept();
    expect([again.exitCode, await text()]).toEqual([0, kept]);
    expect(again.stderr).toBe('ALREADY ACCEPTED. 8 lines: 8 already accepted.\n');
  });

  it('shows on a dry run what would be accepted, and writes nothing', async () => {
    const close = await startClose();
    const { exitCode, stdout } = await close.accept('--dry-run', '--format', 'table');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^DRY RUN\n8 lines: 8 can be accepted\. [\s\S]*Nothing was written\.\n/);
    expect(stdout).toMatch(/Accepted before +nothing\nAccepted after +\+395\.18 EUR net/);
    await expectNothing(close);
  });

  it('is in JSON with every line of the register and the totals before and after', async () => {
    const { accept } = await startClose();
    const { stdout } = await accept('--json');
    expect(JSON.parse(stdout)).toMatchObject({
      written: true,
      before: [],
      after: [{ currency: 'EUR', net: { amount: '395.18' } }, { currency: 'JPY' }],
      decisions: march.map((line) => ({
        id: line['settlement_id'],
        kind: line['kind'],
        status: 'accepted',
        accepted: { reason: yes.reason, currency: line['currency'] },
      })),
    });
    const lines = (await accept('--format', 'ndjson')).stdout.trim().split('\n');
    expect(lines).toHaveLength(march.length + 1);
  });

  it('keeps the values of an earlier acceptance, and reports another reason', async () => {
    const close = await startClose(csvOfLines(decided({ by: 'Anna', until: '2026-12-31' })));
    await close.accept();
    await writeFile(close.file, csvOfLines(decided({ reason: 'another reason' })));
    expect((await close.accept()).stderr).toContain('8 accepted');
    const records = readRecords(await close.text());
    expect(records).toHaveLength(8);
    for (const record of records) {
      expect(record).toMatchObject({
        accepted_reason: 'another reason',
        accepted_by: 'Anna',
        accepted_until: '2026-12-31',
      });
    }
  });
});

describe('a list of decisions after a close', () => {
  it('changes nothing that the close depends on, and adds what is new', async () => {
    const [fresh = {}, ...others] = decided();
    const close = await startClose(csvOfLines(others));
    await close.accept();
    const config = `${close.register}.toml`;
    await writeFile(config, '[profiles.shop]\ncloses = "closes.csv"\n', { mode: 0o600 });
    const closes = ['--config', config, '--profile', 'shop'];
    const recording = ['--record', '--by', 'Anna', '--force', '--note', 'known', '--new-register'];
    expect((await close.run('close', ...recording, ...closes)).exitCode).toBe(0);
    const before = await close.text();
    const [changed = {}, ...kept] = others;
    await writeFile(close.file, csvOfLines([fresh, { ...changed, reason: 'other' }, ...kept]));
    const some = await close.accept('--partial', ...closes);
    expect(statusesOf(some.stdout)).toEqual([
      ...['accepted', 'closed'],
      ...kept.map(() => 'already_accepted'),
    ]);
    expect((await close.text()).startsWith(before.trimEnd())).toBe(true);
    const single = await close.run(
      ...['accept', changed['settlement_id'] ?? '', '--reason', 'other', '--replace'],
      ...['--difference', changed['difference_seen'] ?? '', ...closes],
    );
    expect([single.exitCode, single.stderr]).toEqual([
      2,
      expect.stringContaining('is closed, with the earlier acceptance of this difference.'),
    ]);
  });
});

const comma = (line: Line): Line =>
  Object.fromEntries(
    Object.entries(line).map(([key, cell]) => [
      key,
      /_seen$/.test(key) ? cell.replace('.', ',') : cell,
    ]),
  );

/** 2026-03-04 as spreadsheets number it. */
const serial = (day: string) => String((Date.parse(day) - Date.UTC(1899, 11, 30)) / 86_400_000);

const titled = decisionKeys.map((key) =>
  `${key[0]?.toUpperCase()}${key.slice(1)}`.replace('_', ' '),
);

const habits: readonly (readonly [string, () => string | Buffer])[] = [
  ['decimal commas and semicolons', () => csvOfLines(decided().map(comma), ';')],
  ['decimal commas between commas', () => csvOfLines(decided().map(comma))],
  ['a byte order mark', () => `\ufeff${csvOfLines(decided())}`],
  [
    'UTF-16 with tabs',
    () => Buffer.from(`\ufeff${csvOfLines(decided().map(comma), '\t')}`, 'utf16le'),
  ],
  [
    'its lines sorted, and lines without anything',
    () => `${csvOfLines([...decided()].reverse())}\r\n,,,,,\r\n\r\n`,
  ],
  ['its columns moved', () => csvOfLines(decided(), ',', [...decisionKeys].reverse())],
  [
    'only the columns that count',
    () =>
      csvOfLines(
        decided(),
        ',',
        decisionKeys.filter((key) => !/cause|books|until|by/.test(key)),
      ),
  ],
  [
    'the titles of the sheet',
    () => csvOfLines(decided()).replace(decisionKeys.join(','), titled.join(',')),
  ],
  [
    'numbers for dates',
    () => csvOfLines(decided().map((line) => ({ ...line, date: serial(line['date'] ?? '') }))),
  ],
  [
    'dates with dots',
    () =>
      csvOfLines(
        decided().map((line) => ({
          ...line,
          date: (line['date'] ?? '').split('-').reverse().join('.'),
        })),
      ),
  ],
  [
    'ids as formulas of themselves',
    () =>
      csvOfLines(
        decided().map((line) => ({ ...line, settlement_id: `="${line['settlement_id']}"` })),
      ),
  ],
  ['a workbook, in a sheet of its own', () => workbookOfLines(decided())],
  [
    'capital letters',
    () =>
      csvOfLines(
        decided({ decision: 'ACCEPT' }).map((line) => ({
          ...line,
          settlement_id: (line['settlement_id'] ?? '').toUpperCase(),
        })),
      ),
  ],
];

/** A workbook as spreadsheets save it again: amounts and dates are numbers, and its titles are those of the sheet. */
function workbookOfLines(lines: readonly Line[]): Buffer {
  const place = (at: number, line: number) => `${String.fromCharCode(65 + at)}${line}`;
  const cell = (key: string, content: string, where: string) => {
    if (key === 'date') return number(where, serial(content), 1);
    if (/_seen$/.test(key) && key !== 'codes_seen') return number(where, `${Number(content)}`);
    return text(where, content);
  };
  const list = lines.map((line, index) =>
    row(
      index + 2,
      ...decisionKeys.map((key, at) => cell(key, line[key] ?? '', place(at, index + 2))),
    ),
  );
  const titles = row(1, ...titled.map((title, at) => text(place(at, 1), title)));
  const first = row(1, text('A1', 'Summary'), number('B1', '12.5'));
  const more = { Decisions: [titles, ...list].join('') };
  return workbookOf({ rows: first, formats: ['dd/mm/yyyy'], more });
}

describe('a list saved by a spreadsheet', () => {
  it.each(habits)('is read with %s', async (_, contents) => {
    const { accept, text } = await startClose(contents());
    const { exitCode, stdout } = await accept();
    expect([exitCode, statusesOf(stdout)]).toEqual([0, march.map(() => 'accepted')]);
    const ids = readRecords(await text()).map(
      (one) => one['settlement_id'] || one['bank_entry_id'],
    );
    expect([...ids].sort()).toEqual(march.map((one) => one['settlement_id']).sort());
  });

  it('is the sheet of the workbook that the close has written, with nothing filled in', async () => {
    const { run, file, accept } = await startClose();
    const book = file.replace(/csv$/, 'xlsx');
    await run('close', '--output', book);
    const { exitCode, stdout } = await run('accept', '--from', book);
    const csv = await accept('--dry-run');
    expect([exitCode, statusesOf(stdout)]).toEqual([2, Array(19).fill('undecided')]);
    const ids = (out: string) => readRecords(out).map((one) => one['settlement_id']);
    expect(ids(stdout)).toEqual(expect.arrayContaining(ids(csv.stdout)));
  });

  it('is not replaced by the workbook of the next close until it is applied', async () => {
    const { run, file } = await startClose();
    const book = file.replace(/csv$/, 'xlsx');
    const filled = workbookOfLines(decided());
    await writeFile(book, filled);
    const html = ['--output', file.replace(/csv$/, 'html')];
    const refused = await run('close', ...html, '--output', book);
    expect(refused).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('This file has decisions that are not applied yet.'),
    });
    expect(refused.stderr).toContain(`recon accept --from ${book}`);
    expect(await readFile(book)).toEqual(filled);
    expect((await run('accept', '--from', book)).exitCode).toBe(0);
    expect((await run('close', '--output', book)).exitCode).toBe(1);
    expect(await readFile(book)).not.toEqual(filled);
  });

  it('in another encoding, with a last day as a number and with texts that stay texts', async () => {
    const line = { ...march[1], ...yes, reason: '=Gebühr', until: serial('2026-06-30') };
    const bytes = Buffer.from(csvOfLines([line]), 'latin1');
    const { accept, text } = await startClose(bytes);
    expect((await accept()).exitCode).toBe(0);
    expect(readRecords(await text())).toMatchObject([
      { accepted_reason: "'=Gebühr", accepted_until: '2026-06-30' },
    ]);
  });

  const rows = row(1, text('A1', 'Total'), number('B1', '12.5'));

  it.each([
    ['a workbook without a list', workbookOf({ rows }), 'This file has no list of decisions.'],
    ['a damaged workbook', Buffer.from('PK\x03\x04rest'), 'The archive is damaged.'],
    ['an old workbook', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'no list of decisions.'],
    ['other columns', 'a,b\r\n1,2\r\n', 'Missing columns: kind, settlement_id, date, '],
    ['a column twice', `reason,${csvOfLines([])}`, 'Two columns are named reason.'],
    ['an open quotation mark', `${csvOfLines([])}"pay_in,`, 'is never closed.'],
    ['nothing', '', 'Missing columns: kind'],
  ])('is refused: %s', async (_, contents, message) => {
    const close = await startClose(contents);
    const { exitCode, stderr } = await close.accept();
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)]);
    await expectNothing(close);
  });
});

describe('a list that is accepted as a whole', () => {
  /** The first two lines are in order, the third is not. */
  const withOneBad = (bad: Line) => {
    const [first, second, third] = decided();
    return csvOfLines([first ?? {}, second ?? {}, { ...third, ...bad }]);
  };

  it.each<[string, Line]>([
    ['changed', { received_seen: '4653.09' }],
    ['changed', { codes_seen: 'currency | gross' }],
    ['changed', { currency: 'USD' }],
    ['not_found', { settlement_id: '00000000-0000-4000-8000-000000000001' }],
    ['reason_missing', { reason: '' }],
    ['invalid', { decision: 'maybe' }],
    ['invalid', { decision: '' }],
    ['invalid', { until: '2026-03-31' }],
    ['invalid', { until: '03/04/2027' }],
    ['invalid', { expected_seen: 'much' }],
  ])('is refused if one line is %s, unless in part: %j', async (status, bad) => {
    const close = await startClose(withOneBad(bad));
    const { exitCode, stdout, stderr } = await close.accept();
    expect([exitCode, statusesOf(stdout)]).toEqual([2, ['accepted', 'accepted', status]]);
    expect(stderr).toContain('NOTHING ACCEPTED. 3 lines: 2 can be accepted and 1 ');
    expect(stderr).toContain(` and 1 ${status.replaceAll('_', ' ')}. All or nothing: `);
    await expectNothing(close);
    const part = await close.accept('--partial');
    expect([part.exitCode, readRecords(await close.text()).length]).toEqual([0, 2]);
  });

  it('reports what has changed since it was seen', async () => {
    const { accept } = await startClose(withOneBad({ received_seen: '4653.09' }));
    const problem = 'received changed from 4,653.09 to 4,653.08';
    expect(readRecords((await accept()).stdout)[2]).toMatchObject({ line: '4', problem });
    const screen = await accept('--format', 'table');
    expect(screen.stdout).toContain(`  ! ${problem}\n`);
  });

  it('has a refusal for a settlement that balances, is repeated, or is not on the bank statements so', async () => {
    const settlements = readRecords((await runRecon(['settlements', '--sandbox'])).stdout);
    const { settlement_id: id = '', settlement_date: date = '' } =
      settlements.find(({ verdict }) => verdict === 'balanced') ?? {};
    const [first = {}, second = {}] = decided();
    const list = [first, { ...second, settlement_id: id, date }, second, { ...second, by: 'Anna' }];
    const onBank = { ...second, kind: 'bank', settlement_id: id, date };
    const { accept } = await startClose(csvOfLines([...list, onBank]));
    expect(statusesOf((await accept()).stdout)).toEqual([
      'accepted',
      'not_out_of_balance',
      'twice_in_the_file',
      'twice_in_the_file',
      'not_out_of_balance',
    ]);
  });

  it('is accepted in its filled lines, and is an error without any', async () => {
    const [first = {}, ...others] = march;
    const some = await startClose(csvOfLines([{ ...first, ...yes }, ...others]));
    const { exitCode, stderr } = await some.accept();
    expect([exitCode, stderr]).toEqual([
      0,
      'ACCEPTED. 8 lines: 1 accepted and 7 undecided. Differences: -0.01 EUR net, 0.01 EUR absolute. ' +
        `Written to ${some.register}: 1 line.\n` +
        `Started the register of accepted differences: ${some.register}\n`,
    ]);
    const none = await startClose(csvOfLines(march));
    expect(await none.accept()).toMatchObject({
      exitCode: 2,
      stderr: 'NOTHING ACCEPTED. 8 lines: 8 undecided.\n',
    });
    await expectNothing(none);
  });

  it('ends with 4 if a settlement was not fully read', async () => {
    const { stdout } = await runRecon(['settlements', '--sandbox', '--scenario', 'malformed']);
    const unread = readRecords(stdout).find(({ verdict }) => verdict === 'incomplete');
    const line = {
      ...{ kind: 'pay_in', settlement_id: unread?.['settlement_id'] ?? '', currency: 'EUR' },
      ...{ date: unread?.['settlement_date'] ?? '', expected_seen: '0', received_seen: '0' },
      ...{ difference_seen: '0', ...yes },
    };
    const close = await startClose(csvOfLines([line]));
    const { exitCode, stdout: report } = await close.accept('--scenario', 'malformed');
    expect([exitCode, statusesOf(report)]).toEqual([4, ['not_read']]);
    await expectNothing(close);
  });

  it.each([
    [['--list'], '--list cannot be combined with --from.'],
    [['--reason', 'x'], '--reason cannot be combined with --from.'],
    [['--by', 'x'], '--from cannot be combined with a settlement or --by.'],
  ])('is not possible with %j', async (more, message) => {
    const { accept } = await startClose();
    expect(await accept(...more)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(message),
    });
  });

  it('is needed for --partial and --dry-run', async () => {
    const { run } = await startClose();
    expect((await run('accept', '--partial')).stderr).toContain('--partial needs --from.');
    expect((await run('accept', '--dry-run')).stderr).toContain('--dry-run needs --from.');
  });
});

describe('an accepted unknown receipt', () => {
  const start = async () => {
    const close = await startClose(csvOfLines(decided().slice(-1)));
    await close.accept();
    const id = march.at(-1)?.['settlement_id'] ?? '';
    const bank = () => close.run('bank', '--fail-on', 'unknown-on-bank', '--json');
    return { ...close, id, bank };
  };

  it('counts again if its amount changes, its last day is over, or it is removed', async () => {
    const { bank, register, text, run, id } = await start();
    expect((await bank()).exitCode).toBe(0);
    const kept = await text();
    await writeFile(register, kept.replaceAll('312.40', '312.41'));
    const changed = await bank();
    expect(changed.exitCode).toBe(1);
    expect(changed.stdout).toContain('but received changed from 312.41 to 312.40');
    await writeFile(register, kept.replace('2026-04-01,,', '2026-03-20,2026-03-31,'));
    expect((await bank()).exitCode).toBe(1);
    await writeFile(register, kept);
    const listed = await run('accept', '--list', '--format', 'table');
    expect(listed.stdout).toMatch(/^ACCEPTED DIFFERENCES\n1 bank entry\.\n/);
    expect(listed.stdout).toContain(id);
    const removed = await run('accept', '--remove', id, '--json');
    expect(removed.stdout).toContain('"bankEntry"');
    expect((await bank()).exitCode).toBe(1);
  });

  it('is added to a register from before receipts, whose lines stay byte for byte', async () => {
    const close = await startClose(csvOfLines(decided().slice(0, 1)));
    await close.accept();
    const old = (await close.text())
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(',').slice(0, -15).join(','));
    await writeFile(close.register, `${old.join('\r\n')}\r\n`);
    expect((await close.accept()).stderr).toContain('ALREADY ACCEPTED.');
    expect(await close.text()).toBe(`${old.join('\r\n')}\r\n`);
    await writeFile(close.file, csvOfLines(decided().slice(-1)));
    expect((await close.accept()).exitCode).toBe(0);
    const [head, line, added] = (await close.text()).split('\r\n');
    const receipt = 'bank_account,bank_entry_id,bank_date';
    const decision =
      'bank_decision,settled_with,settled_with_date,settled_with_pay_in,' +
      'confirmed_entries,confirmed_places,confirmed_date,confirmed_with,' +
      'order_ref,order_date,order_account,order_difference';
    expect([head, line]).toEqual([`${old[0]},${receipt},${decision}`, old[1]]);
    expect(added).toContain(march.at(-1)?.['settlement_id']);
    expect((await close.run('accept', '--list')).stderr).toContain('1 settlement, 1 bank entry.');
  });

  it('is not accepted by its id alone', async () => {
    const { run, id } = await start();
    const { exitCode, stderr } = await run('accept', id, '--difference', '312.40');
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('is accepted from a file.')]);
  });
});
