import { expect, test } from 'vitest';
import { runRecon } from '../support/run-recon.ts';

type Json = { readonly settlements: readonly { id: string; explanation: string | null }[] };

async function explanations(command: string, scenario: string) {
  const range = ['--from', '2026-03-01', '--to', '2026-03-31'];
  const flags = ['--sandbox', '--scenario', scenario, ...range, '--format', 'json'];
  const { stdout } = await runRecon([command, ...flags]);
  const { settlements } = JSON.parse(stdout) as Json;
  return new Map(settlements.map(({ id, explanation }) => [id, explanation]));
}

test.each(['month', 'two-causes', 'offsetting', 'foreign-settlement-row'])(
  'settlements and explain have one answer: %s',
  async (scenario) => {
    const brief = await explanations('settlements', scenario);
    const found = [...(await explanations('explain', scenario))].filter(([, text]) => text);
    expect(found).toEqual(found.map(([id]) => [id, brief.get(id)]));
  },
);
