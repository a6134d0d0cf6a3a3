import { scaleLinear } from 'd3-scale';
import type { Markup } from './markup.ts';

/** The marks of a picture, and its size in units of its own: it is scaled to its place. */
export interface Drawing {
  /** Whether it needs the width of the page. */
  readonly isWide: boolean;
  readonly width: number;
  readonly height: number;
  readonly marks: Markup;
}

/** A row of a chart's table. What is drawn is in doubles: a picture shows three digits of them. */
export interface Point {
  readonly label: string;
  /** The figures as people read them, without the label. */
  readonly texts: readonly string[];
  /** The same as numbers; NaN where a cell is empty. */
  readonly values: readonly number[];
  /** Whether something that should be zero isn't. */
  readonly isMarked: boolean;
  readonly isTotal: boolean;
}

/** What a form draws: the points, the names of their figures, and their unit. */
export interface Drawn {
  readonly points: readonly Point[];
  readonly names: readonly string[];
  readonly unit: string;
  /** The width of a picture that takes that of the page. */
  readonly width: number;
}

/** A scale from the least to the largest value, with zero in it. */
export function linear(values: readonly number[], range: readonly [number, number]) {
  const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)];
  return scaleLinear([least, least === most ? least + 1 : most], range);
}

/** Pixels with one decimal. */
export function px(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}
