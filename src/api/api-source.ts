import type { ChargeSource } from '../model/charge.ts';
import type { HeaderList, PagedSource } from '../model/source.ts';
import { readCharge, readChargeDocument } from './charge-answer.ts';
import { readEnvelope } from './envelope.ts';
import { OddAnswers } from './odd-answers.ts';
import { type ApiOptions, createOperations, rangeQuestion } from './operations.ts';
import { readHeaders } from './read-headers.ts';
import { readRows, rowsPerPage } from './read-rows.ts';
import type { Answer } from './transport.ts';
import { UsualRows } from './usual/usual-rows.ts';

export type { ApiOptions } from './operations.ts';

export interface ApiSource extends PagedSource, ChargeSource {
  /** Ends what is still under way and closes the connections. */
  close(): Promise<void>;
}

/** The service's API as a source of settlements (doc 4). */
export function createApiSource(options: ApiOptions): ApiSource {
  const operations = createOperations(options);
  // Twice as many ranges as requests: the next ones are ready when a place becomes free.
  const ahead = 2 * options.concurrency;
  const odd = new OddAnswers();
  const { note } = odd;
  // They announce no total: any page may be the empty one, and another walk has to confirm it.
  const readHeaderPage = (answer: Answer) => readEnvelope(answer, { mayBeEmpty: true, note });
  const headers = (question: object, subject: string): Promise<HeaderList> =>
    readHeaders(
      (offset, limit) => operations.headers(question, { offset, limit }, subject, readHeaderPage),
      ahead,
    );
  return {
    headers: (query) => headers(rangeQuestion(query), `${query.range.from} to ${query.range.to}`),
    // The id alone: what it means together with dates is not shown.
    header: (id) => headers({ settlementId: id }, `settlement ${id}`),
    rows: ({ id, transactions }, priority) => {
      const usual = new UsualRows(note);
      return readRows(
        (offset, limit) =>
          operations.rows(
            id,
            { offset, limit },
            priority,
            (answer) =>
              usual.read(answer) ??
              readEnvelope(answer, { mayBeEmpty: offset >= transactions, note }),
          ),
        transactions,
        ahead,
      );
    },
    oddAnswers: () => odd.all,
    charge: (id) => operations.charge(id, (answer) => readCharge(answer, id)),
    chargeDocument: (id) => operations.charge(id, readChargeDocument),
    tempo: () => ({ ...operations.tempo(), rowsPerPage }),
    close: operations.close,
  };
}
