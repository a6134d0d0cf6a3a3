import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { camtStatement } from '../../../src/sandbox/bank.ts';
import { loadScenario } from '../../../src/sandbox/scenarios.ts';
import { runRecon } from '../../support/run-recon.ts';

let folder: string;
let _register: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recon-close-'));
  _register = join(folder, 'closes.csv');
});

afterEach(() => rm(folder, { recursive: true }));

const close = (...flags: string[]) => runRecon(['close', '--sandbox', ...flags]);
const days = (from: string, to: string) => ['--from', `2026-03-${from}`, '--to', `2026-03-${to}`];

interface Figure {
  readonly amount: string;
}

type Line = Readonly<Record<string, Figure | string>> & { readonly accountingName: string };

/** Figures of each line of the roll-forward, by name of the account. */
async function linesOf(...flags: string[]) {
  const { stdout, exitCode } = await close(...flags, '--json');
  const report = JSON.parse(stdout);
  const figure = (line: Line, name: string) => (line[name] as Figure).amount;
  const lines = Object.fromEntries(
    report.lines.map((line: Line) => [
      line.accountingName ?? 'shared',
      ['opening', 'changed', 'settled', 'received', 'bankCharges', 'over', 'short', 'closing'].map(
        (name) => figure(line, name),
      ),
    ]),
  );
  return { lines, report, exitCode };
}

test('an export of exactly the range is enough, and an export without one of its days is not', async () => {
  const out = join(folder, 'export');
  const statement = join(folder, 'march.xml');
  await writeFile(statement, camtStatement(await loadScenario('month')).text);
  await runRecon(['export', '--sandbox', ...days('01', '31'), '--out', out]);
  const exported = () => runRecon(['close', statement, '--from-export', out, '--json']);
  const { lines: expected } = (await linesOf()).report;
  const { stdout, exitCode } = await exported();
  expect(exitCode).toBe(1);
  expect(JSON.parse(stdout).lines).toEqual(expected);
  await rm(join(out, '2026-03-04'), { recursive: true });
  expect((await exported()).exitCode).toBe(4);
});
