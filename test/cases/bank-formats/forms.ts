import { bai2 } from './forms/bai2.ts';
import { cfonb120 } from './forms/cfonb120.ts';
import { coda } from './forms/coda.ts';
import { csv } from './forms/csv.ts';
import { mt940 } from './forms/mt940.ts';
import { norma43 } from './forms/norma43.ts';
import { ofx } from './forms/ofx.ts';
import type { Form } from './written.ts';

/** All forms that are written here. */
export const forms: readonly Form[] = [csv, norma43, cfonb120, coda, bai2, ofx, mt940];
