import { expect, test } from 'vitest';
import { FlagOption } from '../../src/cli/flag.ts';
import { flags } from '../../src/cli/flags.ts';

test.each(Object.entries(flags))('%s is the name that commander gives the flag', (name, flag) => {
  expect(new FlagOption(flag).attributeName()).toBe(name);
});
