import type { WebhookAnswer } from '../app/answer-webhook.ts';
import type { Webhook } from '../model/webhook.ts';
import type { Names } from './settlements-report.ts';

/** A webhook that came in, and what the API says of what it is about. */
export interface EventReport {
  /** Counts the events of a journal: one that is told twice has the same number. */
  readonly number: number;
  /** ISO 8601. */
  readonly receivedAt: string;
  readonly webhook: Webhook;
  readonly answer: WebhookAnswer;
  readonly names: Names;
}
