import type { ColumnKind } from './columns.ts';

/** How a text is meant. A renderer may colour it, and shows it without colour too. */
export type Tone = 'good' | 'bad' | 'unsure' | 'quiet' | 'plain';

/** A report for a screen: blocks from top to bottom, the answer first. */
export type View = readonly Block[];

export type Block = Answer | FactList | Section | Remarks;

/** The answer in one sentence, and before it in two words. */
interface Answer {
  readonly kind: 'answer';
  readonly label: string;
  readonly tone: Tone;
  readonly text: string;
}

/** What the report is about: labels and values. */
interface FactList {
  readonly kind: 'facts';
  readonly facts: readonly (readonly [label: string, value: string])[];
}

/** A table with a title, and under each row what is to be said about it. */
export interface Section {
  readonly kind: 'section';
  readonly title: string;
  readonly columns: readonly SectionColumn[];
  readonly rows: readonly SectionRow[];
  /** What isn't shown, and where it is. */
  readonly note: string | undefined;
}

export interface SectionColumn {
  readonly title: string;
  readonly kind: SectionKind;
  /** 1 always stays. On a narrow screen the highest go first, those of one number together. */
  readonly priority: number;
  /** Words of a text up to this length are kept whole. Digits always are. */
  readonly unbroken: number;
}

/** A `difference` is an amount that should be zero. */
export type SectionKind = ColumnKind | 'difference';

interface SectionRow {
  readonly cells: readonly string[];
  readonly remarks: readonly Remark[];
  /** Of its first cell. */
  readonly tone?: Tone | undefined;
}

export interface Remarks {
  readonly kind: 'remarks';
  readonly title: string;
  readonly remarks: readonly Remark[];
}

/** A sentence with a mark before it that says what colour alone mustn't. */
export interface Remark {
  readonly mark: string;
  readonly tone: Tone;
  readonly text: string;
}
