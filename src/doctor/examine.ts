import { ReconError } from '../base/errors.ts';
import { uuidForm } from '../model/forms.ts';
import type { Probe } from '../model/probe.ts';
import type { Settlement } from '../model/settlement.ts';
import type { SettlementQuery } from '../model/source.ts';
import { checkFaultOf } from './check.ts';
import {
  type Examination,
  type ServiceAnswers,
  type Setup,
  seenSettlements,
} from './examination.ts';

export interface ExamineOptions {
  readonly probe: Probe;
  readonly setup: Setup;
  readonly query: SettlementQuery;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly signal: AbortSignal;
}

/** What recon itself asks for: the documented default, and the documented maximum (doc 8). */
export const settlementsAsked = 50;
export const rowsAsked = 100;

/**
 * Asks the service for little, one after the other, until something fails: seven requests at most,
 * and one more for each that has to be repeated. All of them read. Throws only where the run ends.
 */
export async function examine(options: ExamineOptions): Promise<Examination> {
  const { probe, setup, query, now, signal } = options;
  const answers: ServiceAnswers = {};
  let asking: keyof ServiceAnswers = 'grant';
  let settlement: Settlement | undefined;
  let chargeId: string | undefined;
  let stop: Examination['stop'];
  const evidence = (): Examination => {
    const sightings = probe.sightings();
    return { setup, query, answers, settlement, chargeId, stop, sightings, now };
  };
  const ask = async <Step extends keyof ServiceAnswers>(
    step: Step,
    work: () => Promise<NonNullable<ServiceAnswers[Step]>>,
  ) => {
    asking = step;
    const answer = await work();
    answers[step] = answer;
    return answer;
  };
  try {
    if (Object.values(setup.schemes).includes('v2')) await ask('grant', () => probe.token());
    await ask('first', () => probe.settlements(query, { offset: 0, limit: 1 }));
    const page = { offset: 0, limit: settlementsAsked };
    const { keys } = await ask('settlements', () => probe.settlements(query, page));
    if (keys.length > 0) {
      const next = { ...page, offset: keys.length };
      await ask('nextSettlements', () => probe.settlements(query, next));
    }
    settlement = withMostRows(seenSettlements(evidence()));
    if (settlement) chargeId = await askForRows(settlement);
    const id = chargeId;
    if (id !== undefined) await ask('charge', () => probe.charge(id).then(() => id));
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ReconError)) throw error;
    stop = { step: asking, fault: checkFaultOf(error) };
  }
  return evidence();

  /** Gives the id of a charge among them. */
  async function askForRows({ id, transactions }: Settlement): Promise<string | undefined> {
    const page = { offset: 0, limit: rowsAsked };
    const { keys, items } = await ask('rows', () => probe.rows(id, page));
    if (keys.length > 0 && keys.length < transactions) {
      await ask('nextRows', () => probe.rows(id, { ...page, offset: keys.length }));
    }
    return items.map((row) => row.chargeId).find((one) => uuidForm.test(one));
  }
}

function withMostRows(settlements: readonly Settlement[]): Settlement | undefined {
  return settlements.reduce<Settlement | undefined>(
    (most, one) => (most && most.transactions >= one.transactions ? most : one),
    undefined,
  );
}
