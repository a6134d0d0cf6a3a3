/**
 * Does so much at a time (`most`), and each thing once for all who ask for it before it is begun. What is
 * asked for while it is being done is done once more: it may not see what a later asker knows of. The
 * result gives what `work` gives, which does what `subject` stands for.
 */
export function shareWork<Result>(
  most: number,
): (subject: string, work: () => Promise<Result>) => Promise<Result> {
  /** What waits for its turn, in the order in which it was asked for. */
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
