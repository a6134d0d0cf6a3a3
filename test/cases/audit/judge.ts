import { rm } from 'node:fs/promises';
import { expect, onTestFinished } from 'vitest';
import { type Audited, audit, type Layout, layouts, questions, verify } from './adapter.ts';
import { copyOf, newFolder } from './base.ts';
import type { Fault } from './faults.ts';
import { Place } from './tables.ts';

/** Plants a fault in a copy of a folder, and holds what the audit says against what is right. */
async function judge(fault: Fault, folder: string, layout: Layout): Promise<void> {
  const { sql, files, second, args = [], undetectable } = fault;
  const copy = await copyOf(folder, undetectable ? '' : layout.root);
  const folders = [copy];
  const place = new Place(copy, layout);
  if (sql.length > 0) await place.change(sql);
  const about = [...fault.about, ...((await files?.(place, await folderAside())) ?? [])];
  if (second) {
    folders.push(await copyOf(folder, layout.root));
    await new Place(folders[1] ?? '', layout).change(second);
  }
  const failOn = fault.isNotice ? ['--fail-on', 'finding'] : [];
  const audited = await audit(folders, [...args, ...failOn]);
  if (undetectable) {
    expect(audited, `It is found now: ${undetectable}`).toMatchObject({
      exitCode: 0,
      findings: [],
    });
    if (layout === layouts.daily) await expectVerifyFinds(copy);
    return;
  }
  expectNamed(audited, { ...fault, about });
  expectNothingElse(audited, [{ ...fault, about }]);
}

/** Plants faults that `batches` has found to be apart. Each is named, and nothing else is. */
export async function judgeAtOnce(
  some: readonly Fault[],
  folder: string,
  layout: Layout,
): Promise<void> {
  const [only, ...more] = some;
  if (only && more.length === 0) return judge(only, folder, layout);
  const copy = await copyOf(folder, layout.root);
  await new Place(copy, layout).change(some.flatMap(({ sql }) => sql));
  const audited = await audit([copy], ['--fail-on', 'finding']);
  for (const fault of some) expectNamed(audited, fault);
  expectNothingElse(audited, some);
}

async function folderAside(): Promise<string> {
  const folder = await newFolder();
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const names = ({ about }: Fault, text: string) => about.some((one) => text.includes(one));

/** The audit names the fault, by one of its questions, and ends with 1 or 4. */
function expectNamed({ exitCode, findings, stderr }: Audited, fault: Fault): void {
  const said = JSON.stringify({ fault: fault.name, exitCode, findings, stderr }, null, 1);
  expect([1, 4], said).toContain(exitCode);
  const codes: readonly string[] | undefined = questions[fault.question];
  const answers = findings.filter(({ code }) => codes?.includes(code) ?? true);
  const isUnreadable = exitCode === 4 && codes === undefined && names(fault, stderr);
  const isNamed = isUnreadable || answers.some((one) => names(fault, JSON.stringify(one)));
  expect(isNamed, said).toBe(true);
}

/** Each row of a finding is about one of the faults. Without a purchase, its refund has none. */
function expectNothingElse({ findings }: Audited, faults: readonly Fault[]): void {
  const falseAlarms = findings
    .filter(({ code }) => !questions.refundWithoutPurchase.some((one) => one === code))
    .flatMap(({ code, rows }) => rows.map((row) => ({ code, ...row })))
    .filter((row) => !faults.some((fault) => names(fault, JSON.stringify(row))));
  expect(falseAlarms).toEqual([]);
}

async function expectVerifyFinds(folder: string): Promise<void> {
  const verified = await verify(folder);
  expect(verified.exitCode).toBe(4);
  expect(verified.stdout + verified.stderr).toMatch(/lake\/(transactions|settlements)\//);
}

/** Faults that can be planted at once, because they touch different days; the others alone. */
export function batches(faults: readonly Fault[]): readonly (readonly Fault[])[] {
  const shared: { readonly days: Set<string>; readonly faults: Fault[] }[] = [];
  const alone: Fault[][] = [];
  for (const fault of faults) {
    const { about, sql, files, second, args, undetectable } = fault;
    const found = [...about, ...sql].join().match(/\b\d\d-\d\d\b|2026\d{4}/g) ?? [];
    const days = found.map((one) => one.replace('-', '').slice(-4));
    if (days.length === 0 || files || second || args?.length || undetectable) {
      alone.push([fault]);
      continue;
    }
    const fits = shared.find((one) => days.every((day) => !one.days.has(day)));
    const batch = fits ?? { days: new Set<string>(), faults: [] };
    if (!fits) shared.push(batch);
    batch.faults.push(fault);
    for (const day of days) batch.days.add(day);
  }
  return [...shared.map((one) => one.faults), ...alone];
}

/** The name of a test over faults. */
export const nameOf = (some: readonly Fault[]): string => some.map(({ name }) => name).join('; ');
