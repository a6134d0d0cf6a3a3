import { expect, test } from 'vitest';
import { acceptFlags } from '../../src/cli/commands/accept/command.ts';
import { auditFlags } from '../../src/cli/commands/audit/command.ts';
import { explainFlags } from '../../src/cli/commands/explain/command.ts';
import { exportFlags } from '../../src/cli/commands/export/command.ts';
import { listenFlags } from '../../src/cli/commands/listen/command.ts';
import { servingFlags } from '../../src/cli/commands/sandbox/command.ts';
import { settlementsFlags } from '../../src/cli/commands/settlements/command.ts';
import { transactionsFlags } from '../../src/cli/commands/transactions/command.ts';
import { FlagOption } from '../../src/cli/flag.ts';
import { flags } from '../../src/cli/flags.ts';

const tables = [
  flags,
  acceptFlags,
  auditFlags,
  explainFlags,
  exportFlags,
  listenFlags,
  servingFlags,
  settlementsFlags,
  transactionsFlags,
];

test.each(tables.flatMap((table) => Object.entries(table)))(
  '%s is the name that commander gives the flag',
  (name, flag) => {
    expect(new FlagOption(flag).attributeName()).toBe(name);
  },
);
