import type { HttpAnswer } from '../base/http/transport.ts';
import type { ChargeSource } from '../model/charge.ts';
import type { Allowance, HeaderList, PagedSource } from '../model/source.ts';
import { readCharge, readChargeDocument } from './charge-answer.ts';
import { quoted } from './decode.ts';
import { readEnvelope } from './envelope.ts';
import { type ApiOptions, createOperations, rangeQuestion } from './operations.ts';
import { readHeaders, readRows, rowsPerPage } from './read-headers.ts';
import { RowScanner } from './scan/row-scanner.ts';
import { collectOddAnswers } from './undocumented.ts';

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
  const { secrets } = operations;
  const odd = collectOddAnswers(secrets);
  const { note } = odd;
  const scanner = new RowScanner(note);
  // They announce no total: any page may be the empty one, and another walk has to confirm it.
  const readHeaderPage = (answer: HttpAnswer) => readEnvelope(answer, { mayBeEmpty: true, note });
  const headers = async (question: object, subject: string, allowance?: Allowance) => {
    const list: HeaderList = await readHeaders(
      (offset, limit) => operations.headers(question, { offset, limit }, subject, readHeaderPage),
      ahead,
      allowance,
    );
    return { ...list, unreadable: list.unreadable.map((one) => quoted(one, secrets)) };
  };
  return {
    headers: (query, allowance) =>
      headers(rangeQuestion(query), `${query.range.from} to ${query.range.to}`, allowance),
    // The id alone: what it means together with dates is not shown.
    header: (id) => headers({ settlementId: id }, `settlement ${id}`),
    rows: async function* ({ id, transactions }, priority, allowance) {
      const outcome = yield* readRows(
        (offset, limit) =>
          operations.rows(
            id,
            { offset, limit },
            priority,
            (answer) =>
              scanner.read(answer) ??
              readEnvelope(answer, { mayBeEmpty: offset >= transactions, note }),
          ),
        transactions,
        ahead,
        allowance,
      );
      return { ...outcome, unreadable: outcome.unreadable.map((one) => quoted(one, secrets)) };
    },
    charge: async (id) => {
      const charge = await operations.charge(id, (answer) => readCharge(answer, id));
      return {
        ...charge,
        errorMessage: secrets.redact(charge.errorMessage),
        responses: charge.responses.map((one) => ({
          ...one,
          psp_error: secrets.redact(one.psp_error),
        })),
      };
    },
    oddAnswers: odd.all,
    chargeDocument: (id) => operations.charge(id, readChargeDocument),
    tempo: () => ({ ...operations.tempo(), rowsPerPage }),
    close: operations.close,
  };
}
