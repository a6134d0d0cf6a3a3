import { tmpdir } from 'node:os';
import {
  type Audit,
  type AuditSettings,
  auditVerdict,
  countOf,
} from '../../../app/audit-result.ts';
import { audit, auditScript, type Engine } from '../../../audit/audit.ts';
import { sqlDialects, viewsOf } from '../../../audit/dialects.ts';
import { openDuckDb } from '../../../audit/duckdb.ts';
import { findLakes, type Lake } from '../../../audit/find-lakes.ts';
import { openSpark } from '../../../audit/spark.ts';
import { ReconError } from '../../../base/errors.ts';
import type { Settings } from '../../../config/settings.ts';
import { auditConclusion, auditViews } from '../../../report/audit/view.ts';
import type { ContextOf } from '../../context.ts';
import { exitCodes } from '../../exit-codes.ts';
import { office } from '../../flags.ts';
import { print } from '../../host.ts';
import { printReport, resolveTarget } from '../../output.ts';
import { exitCodeOf } from '../../run-exit-code.ts';
import { dayNow, readSettings } from '../../settings.ts';
import { type auditCommand, usualMemory } from './command.ts';

type AuditContext = ContextOf<typeof auditCommand>;

const usualSilentDays = 14;

export async function auditLakes(context: AuditContext, folders: readonly string[]) {
  const { flags, host, messages } = context;
  const settings = await readSettings(context);
  const auditSettings = settingsOf(settings, context);
  const lakes = await findLakes(folders);
  if (flags.printSql !== undefined) {
    const views = viewsOf(lakes, sqlDialects[flags.printSql]);
    await print(host, await auditScript(flags.printSql, views, auditSettings));
    return exitCodes.ok;
  }
  const target = resolveTarget(context, office);
  const engine = await openEngine(lakes, context);
  await messages.startProgress('reading the tables');
  const found = await audit(engine, auditSettings).finally(engine.close);
  messages.stop();
  const names = new Map([
    ...found.totals.flatMap((one) =>
      one.accountingName ? [[one.accountingToken, one.accountingName] as const] : [],
    ),
    ...settings.preferences.names,
  ]);
  const report = { ...found, lakes: folders, settings: auditSettings, names };
  const exitCode = exitCodeOf(auditVerdict(found), metBy(found), flags.failOn);
  return printReport(target, auditViews(report), context, auditConclusion(report), exitCode);
}

async function openEngine(lakes: readonly Lake[], context: AuditContext): Promise<Engine> {
  const { flags, host, messages, signal } = context;
  const { engine, master, memory, threads } = flags;
  const temporary = tmpdir();
  if (engine === 'spark') {
    if (memory !== undefined || threads !== undefined) {
      const hint = 'Remove it, and set the memory and cores of Spark in its own configuration.';
      throw new ReconError('usage', '--memory and --threads are for DuckDB.', { hint });
    }
    const onWaiting = () =>
      messages.warn('The cluster has no worker with free cores and memory. Spark waits for one.');
    return openSpark(lakes, { master, env: host.env, temporary, signal, onWaiting });
  }
  if (master !== undefined) {
    const hint = 'Add --engine spark, or remove --master.';
    throw new ReconError('usage', '--master is for Spark.', { hint });
  }
  return openDuckDb(lakes, { memory: memory ?? usualMemory, threads, temporary, signal });
}

function settingsOf(settings: Settings, context: AuditContext): AuditSettings {
  const { preferences } = settings;
  return {
    today: dayNow(settings, context),
    pendingDays: preferences.pending_days,
    silentDays: context.flags.silentDays ?? usualSilentDays,
    refundTypes: preferences.refund_types,
    purchaseTypes: preferences.purchase_types,
  };
}

function metBy({ coverage, findings }: Audit) {
  return {
    empty: !coverage.some((one) => Object.values(one.settlements).some((count) => count > 0)),
    pending: countOf(coverage, 'pending'),
    overdue: findings.find(({ code }) => code === 'never_settled')?.count ?? 0,
    finding: findings.length,
  };
}
