import { expect, test } from 'vitest';
import { exitCodes } from '../../src/cli/exit-codes.ts';
import { runRecon } from '../support/run-recon.ts';

test.each([
  ['a setting', ['settlements', '--month', '2026-03'], { RECON_NAMES_FILE: '/dev/zero' }],
  ['a configuration', ['config', 'show', '--config', '/dev/zero'], {}],
  ['a list of decisions', ['accept', '--sandbox', '--from', '/dev/zero'], {}],
])('a device without an end is refused as %s', async (_, args, env) => {
  expect(await runRecon(args, { env })).toMatchObject({
    exitCode: exitCodes.usage,
    stderr: expect.stringContaining('The file is larger than 256 MiB.'),
  });
});
