import type { Dispatcher } from 'undici';

/** An answer as it came. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
}

/**
 * Sends a request and collects the whole answer: undici's plainest interface, without a stream for
 * each body and a signal for each request. Rejects with the error, or with a TimeoutError after
 * `timeoutMs`.
 */
export function collectAnswer(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  timeoutMs: number,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let status = 0;
    let headers: RawAnswer['headers'] = {};
    const chunks: Buffer[] = [];
    let timedOut: Error | undefined;
    const timer = setTimeout(() => {
      timedOut = timeout(timeoutMs);
      controller?.abort(timedOut);
      reject(timedOut);
    }, timeoutMs);
    dispatcher.dispatch(request, {
      onRequestStart: (started) => {
        controller = started;
        // It may have waited for a connection.
        if (timedOut) started.abort(timedOut);
      },
      onResponseStart: (_, code, fields) => {
        status = code;
        headers = fields;
      },
      onResponseData: (_, chunk) => {
        chunks.push(chunk);
      },
      onResponseEnd: () => {
        clearTimeout(timer);
        resolve({ status, headers, bytes: joined(chunks) });
      },
      onResponseError: (_, error) => {
        clearTimeout(timer);
        reject(error);
      },
    });
  });
}

function timeout(ms: number): Error {
  return new DOMException(`No whole answer within ${ms} ms`, 'TimeoutError');
}

function joined(chunks: readonly Buffer[]): Buffer {
  const [first] = chunks;
  return first && chunks.length === 1 ? first : Buffer.concat(chunks);
}
