import { expect } from 'vitest';
import type { ReportSettlement } from '../cli/read-report.ts';
import { days } from './random-scenario.ts';
import type { Ended, Trial } from './trial.ts';

/** A report in either of its forms, as far as it is looked at. */
interface Report {
  readonly verdict: string;
  readonly completeness: { readonly complete: boolean };
  readonly settlements: readonly ReportSettlement[];
  readonly findings: readonly { readonly code: string }[];
}

/** `recon settlements`: what it says with the faults, against what it says without. */
export async function tryOutSettlements(trial: Trial): Promise<Ended> {
  const { random, blind } = trial;
  const isLines = random.chance(20);
  const format = isLines ? 'ndjson' : 'json';
  const range = ['--from', days[0], '--to', days.at(-1) ?? ''];
  const args = ['settlements', ...range, '--format', format, ...trial.connection];
  const file = random.chance(50) ? 'report' : undefined;
  const calm = await trial.undisturbed(args);
  const wild = await trial.disturbed(args, file);
  if (isCutShort(wild, isLines)) {
    // There is no conclusion without a report; lines that were printed before stand.
    expect([3, 4]).toContain(wild.exitCode);
    expect(wild.stderr).toContain('error');
    expect(wild.file).toBeUndefined();
    if (!isLines) expect(wild.text).toBe('');
  } else {
    expect(wild.exitCode).not.toBe(3);
    expect(wild.file === undefined).toBe(file === undefined);
  }
  const read = isLines ? readLines : readDocument;
  if (wild.text === '') return wild;
  const [before, after] = [read(calm.text), read(wild.text)];
  // What every reading shows otherwise has no true content: the run says that it isn't certain.
  const isOpen = !after.completeness.complete;
  const sure = after.settlements.filter((one) => !isOpen || one.id !== blind.restless);
  compareSettlements(before.settlements, sure, trial);
  if (isCutShort(wild, isLines)) return wild;
  const isWhole = after.verdict !== 'incomplete';
  expect([after.completeness.complete, wild.exitCode !== 4]).toEqual([isWhole, isWhole]);
  if (!isWhole) return wild;
  const isUndoubted = after.settlements.every((one) => one.complete);
  const mayHide = blind.settlements || blind.repeats || trial.ids.some(blind.rowsOf);
  if (isUndoubted && !mayHide) {
    if (!isNoticed(wild)) expect(wild.text).toBe(calm.text);
    expect(withoutNotice(after)).toEqual(before);
    expect(wild.exitCode).toBe(calm.exitCode);
  }
  if (!blind.settlements) expect(idsOf(after)).toEqual(idsOf(before));
  return wild;
}

/** Whether it says that answers were not as documented: of which the calm run knows nothing. */
function isNoticed({ text }: Ended): boolean {
  return text.includes('"code":"unusual_answer"') || text.includes('"code": "unusual_answer"');
}

function withoutNotice(report: Report): Report {
  const findings = report.findings.filter(({ code }) => code !== 'unusual_answer');
  return { ...report, findings };
}

/** No report, or lines without the last one. */
function isCutShort({ text }: Ended, isLines: boolean): boolean {
  return isLines ? !text.includes('{"type":"summary"') : text === '';
}

/** Settlements as they came with the faults, against the same without. */
export function compareSettlements<Settlement extends ReportSettlement>(
  before: readonly Settlement[],
  after: readonly Settlement[],
  { blind, scenario }: Trial,
  inEssence: (settlement: Settlement) => unknown = (settlement) => settlement,
): void {
  const known = new Map(before.map((one) => [one.id, one]));
  const listed = new Map(
    scenario.settlements.map(({ header, rows }) => [header['settlementId'], rows]),
  );
  expect(new Set(after.map((one) => one.id)).size).toBe(after.length);
  for (const one of after) {
    const calm = known.get(one.id);
    expect(calm).toBeDefined();
    if (calm === undefined) continue;
    const rows = listed.get(one.id)?.length ?? 0;
    const counted = one.computed?.transactions ?? 0;
    if (!one.complete) {
      expect(['incomplete', 'pending']).toContain(one.verdict);
      expect([one.computed, one.difference]).toEqual([null, null]);
      expect(one.discrepancies.filter(({ weight }) => weight === 'incomplete')).not.toEqual([]);
    } else if (blind.rowsOf(one.id) && counted < rows) {
      // Rows are hidden. The count gives that away, unless the header leaves out as many.
      if (one.verdict === 'balanced') expect(counted).toBe(one.reported.transactions);
    } else if (blind.repeats) {
      expect(inEssence(withoutRepeats(one))).toEqual(inEssence(withoutRepeats(calm)));
    } else {
      expect(inEssence(one)).toEqual(inEssence(calm));
    }
  }
}

/** Without what is said of rows that are listed more than once. */
function withoutRepeats<Settlement extends ReportSettlement>(one: Settlement): Settlement {
  const notices = one.notices.filter(({ code }) => code !== 'duplicate_transaction');
  return { ...one, notices, explanation: null };
}

function idsOf({ settlements }: Report): readonly string[] {
  return settlements.map((one) => one.id);
}

function readDocument(text: string): Report {
  return JSON.parse(text);
}

function readLines(text: string): Report {
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const of = (type: string) => lines.filter((line) => line.type === type);
  const [summary] = of('summary');
  return {
    verdict: summary?.verdict ?? '',
    completeness: summary?.completeness ?? { complete: false },
    settlements: of('settlement'),
    findings: of('finding'),
  };
}
