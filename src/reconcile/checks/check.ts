import type { Entry } from '../entry.ts';
import type { Subject } from '../subject.ts';

/** Looks at one settlement. Each code occurs at most once among the entries of all checks. */
export type Check = (subject: Subject) => readonly Entry[];
