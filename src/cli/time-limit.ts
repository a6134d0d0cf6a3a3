/** The time that a run may take: when it is over, `end` is aborted. */
export function timeLimit(end: AbortController) {
  let timer: NodeJS.Timeout | undefined;
  return {
    /** Starts the time, milliseconds; `reason` is what the run then ends with. */
    limit: (ms: number, reason: () => Error) => {
      clearTimeout(timer);
      timer = setTimeout(() => end.abort(reason()), ms);
      timer.unref();
    },
    clear: () => clearTimeout(timer),
  };
}
