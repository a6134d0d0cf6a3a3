/**
 * Runs work, at most `most` pieces at a time. Requests for a subject that waits share one run; a request
 * while it is running starts another run, because the first may have begun before what the second asks about.
 */
export function shareWork<Result>(
  most: number,
): (subject: string, work: () => Promise<Result>) => Promise<Result> {
  const waiting = new Map<string, { begin: () => void; result: Promise<Result> }>();
  const running = new Set<string>();
  const beginNext = () => {
    for (const [subject, { begin }] of waiting) {
      if (running.size >= most) return;
      if (running.has(subject)) continue;
      waiting.delete(subject);
      running.add(subject);
      begin();
    }
  };
  return (subject, work) => {
    const same = waiting.get(subject);
    if (same) return same.result;
    let begin = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const result = begun.then(work).finally(() => {
      running.delete(subject);
      beginNext();
    });
    waiting.set(subject, { begin, result });
    beginNext();
    return result;
  };
}
