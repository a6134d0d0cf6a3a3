import { expect, test } from 'vitest';
import { causeText } from '../../src/explain/cause.ts';
import type { Explained, Explanation } from '../../src/explain/explained.ts';
import { quick, thorough } from '../../src/explain/limits.ts';
import type { Delta } from '../../src/explain/tally.ts';
import { inject, injections, type Scenario, twoCauses } from './generator.ts';
import { explainWorld } from './measure.ts';
import { anyShop } from './shop.ts';

const worlds = { tradeOf: anyShop, mostRows: 100 };

/** As many explanations are written out; of the others only how many there are. */
const shown = 4;

// Whole answers, as they stand: whoever changes the search sees what else changes with it.
test('the same settlements have the same answers', { timeout: 60_000 }, async () => {
  const singles = injections.map((one) => answerTo(one.code, inject(1, [one], worlds)));
  const pairs = Array.from({ length: 12 }, (_, n) => {
    const chosen = twoCauses(n + 1);
    const title = `${chosen.map(({ code }) => code).join(' and ')}, seed ${n + 1}`;
    return answerTo(title, inject(n + 1, chosen, worlds));
  });
  await expect([...singles, ...pairs].join('\n')).toMatchFileSnapshot('answers.txt');
});

/** What is said, once with all patience and once in haste. */
function answerTo(title: string, scenario: Scenario | undefined): string {
  if (scenario === undefined) return `${title}: no world\n`;
  const { world } = scenario;
  const explained = explainWorld(world, thorough);
  const inHaste = explainWorld(world, quick);
  const quickly = inHaste.best ? sentence(inHaste.best) : 'nothing';
  return [
    `${title}: ${world.rows.length} rows, difference ${amounts(explained.target)}`,
    ...lines(explained),
    `  in haste: ${quickly}`,
    '',
  ].join('\n');
}

function lines({
  hypotheses,
  certainty,
  mayBeChance,
  rivals,
  pairObstacles,
}: Explained): readonly string[] {
  const told = hypotheses.filter((one) => 'causes' in one);
  const ruledOut = hypotheses.flatMap((one) =>
    one.outcome === 'ruled_out' ? [`${one.codes} ${one.tried}`] : [],
  );
  const notSearched = hypotheses.flatMap((one) =>
    one.outcome === 'not_searched' ? [`${one.codes} ${JSON.stringify(one.obstacle)}`] : [],
  );
  const obstacles = pairObstacles.map((one) => JSON.stringify(one));
  const listed = (label: string, list: readonly string[]) =>
    list.length === 0 ? [] : [`  ${label}: ${list.join(', ')}`];
  return [
    ...told.slice(0, shown).map((one) => `  ${sentence(one)}`),
    ...(told.length > shown ? [`  and ${told.length - shown} more`] : []),
    `  ${certainty}, rivals: ${rivals.length}${mayBeChance ? ', may be chance' : ''}`,
    ...listed('ruled out', ruledOut),
    ...listed('not searched', notSearched),
    ...listed('pairs not searched', obstacles),
  ];
}

function sentence({ outcome, causes, figures, candidates, tried, bits, residual }: Explanation) {
  const parts = causes.map(({ cause, explained, rows }) => {
    const ids = rows.examples.map(({ transactionId }) => transactionId.slice(-6)).join(' ');
    return `${causeText(cause)} ${amounts(explained)}${rows.count > 0 ? ` (${rows.count}: ${ids})` : ''}`;
  });
  const rest = outcome === 'partly' ? `, leaves ${amounts(residual)}` : '';
  const search = `${candidates} of ${tried}, ${bits} bits`;
  return `${outcome} ${figures.join(' ')}: ${parts.join(' + ')}; ${search}${rest}`;
}

function amounts(delta: Delta | undefined): string {
  if (delta === undefined) return 'unknown';
  const { count, gross, fees, tax, payIn } = delta;
  return [count, gross, fees, tax, payIn].join('/');
}
