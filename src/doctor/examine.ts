import { ReconError } from '../base/errors.ts';
import type { Probe } from '../model/probe.ts';
import {
  chargeSeen,
  checkFaultOf,
  type Examination,
  largestSettlement,
  pageLimits,
  type ServiceAnswers,
} from './examination.ts';

/** Whom to ask, and for what. */
export interface ExamineOptions extends Pick<Examination, 'setup' | 'query' | 'now'> {
  readonly probe: Probe;
  readonly signal: AbortSignal;
}

/**
 * Asks the service for little, one after the other, until something fails: seven requests at most,
 * and one more for each that has to be repeated. All of them read. Throws only where the run ends.
 */
export async function examine({ probe, signal, ...given }: ExamineOptions): Promise<Examination> {
  const { setup, query } = given;
  const answers: ServiceAnswers = {};
  let step: keyof ServiceAnswers = 'grant';
  let stop: Examination['stop'];
  const ask = async <Step extends keyof ServiceAnswers>(
    asked: Step,
    work: () => Promise<NonNullable<ServiceAnswers[Step]>>,
  ) => {
    step = asked;
    const answer = await work();
    answers[asked] = answer;
    return answer;
  };
  try {
    if (Object.values(setup.schemes).includes('v2')) await ask('grant', () => probe.token());
    await ask('first', () => probe.settlements(query, { offset: 0, limit: 1 }));
    const headers = (offset: number) =>
      probe.settlements(query, { offset, limit: pageLimits.settlements });
    const { length } = (await ask('settlements', () => headers(0))).keys;
    if (length > 0) await ask('nextSettlements', () => headers(length));
    const settlement = largestSettlement(answers);
    if (settlement) {
      const rows = (offset: number) =>
        probe.rows(settlement.id, { offset, limit: pageLimits.rows });
      const { length } = (await ask('rows', () => rows(0))).keys;
      const isMore = length > 0 && length < settlement.transactions;
      if (isMore) await ask('nextRows', () => rows(length));
    }
    const id = chargeSeen(answers);
    if (id !== undefined) await ask('charge', () => probe.charge(id).then(() => id));
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ReconError)) throw error;
    stop = { step, fault: checkFaultOf(error) };
  }
  return { ...given, answers, stop, sightings: probe.sightings() };
}
