import { expect, test } from 'vitest';
import { commands } from '../../src/cli/commands/index.ts';
import { FlagOption } from '../../src/cli/flag.ts';
import { flags } from '../../src/cli/flags.ts';

const tables = [flags, ...commands.map(({ own = {} }) => own)];

test.each(tables.flatMap((table) => Object.entries(table)))(
  '%s is the name that commander gives the flag',
  (name, flag) => {
    expect(new FlagOption(flag).attributeName()).toBe(name);
  },
);
