import type { Renderer } from '../renderer.ts';

/** A page for a browser, in one file. */
export const html: Renderer = {
  report: async function* () {
    yield '';
  },
};
