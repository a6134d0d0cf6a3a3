import type { ExplainedSettlements, SettlementExplanation } from '../../app/explain-settlement.ts';
import type { RunReport } from '../../app/settlements-report.ts';
import type { Obstacle } from '../../explain/case.ts';
import type { Cause, CauseCode } from '../../explain/cause.ts';
import { isOpen } from '../../explain/explain.ts';
import {
  type Certainty,
  contenders,
  type Explained,
  type ExplainedCause,
  type ExplainedRow,
  type Explanation,
  explanationsOf,
} from '../../explain/explained.ts';
import { type Delta, type Figure, isNothing } from '../../explain/tally.ts';
import { valueText } from '../../model/value.ts';
import { runVerdict, type Verdict } from '../../reconcile/verdict.ts';
import { adviceForIncomplete } from '../common/partial-words.ts';
import {
  amountText,
  canBeCopied,
  capitalised,
  command,
  daysText,
  enumerate,
  grouped,
  many,
  moneyText,
  present,
  type Unit,
  withoutStop,
} from '../common/phrase.ts';
import { amountsThatDiffer, measureWords } from '../common/words.ts';
import { causeClause, causeNames, causeQuestions } from './cause-words.ts';

export interface ExplainReport extends RunReport, ExplainedSettlements {
  /** Whether a screen also lists causes that were ruled out, and all that explain a part. */
  readonly listsAll?: boolean | undefined;
}

/** The currency and scale of the amounts in an explanation. */
export function formOf({ reconciled, explained }: SettlementExplanation): Unit {
  return { scale: explained.scale, currency: reconciled.settlement.currency };
}

/** The verdict; `incomplete` if its header is uncertain. */
export function finalVerdict(one: Pick<SettlementExplanation, 'reconciled' | 'findings'>): Verdict {
  return runVerdict([one.reconciled.verdict], one.findings);
}

const figureWords: Readonly<Record<Figure, string>> = { count: 'transactions', ...measureWords };

const maxIdsInSentence = 3;

const certaintyWords: Readonly<Record<Certainty, string>> = {
  certain: 'Cause',
  likely: 'Likely cause',
  one_of_several: 'Possible cause',
};

/** The best explanation, its certainty, and whether others are as likely; empty without one. */
export function explanationSentence(explained: Explained, currency: string): string {
  const { best, hypotheses, scale, target } = explained;
  if (target === undefined || (best === undefined && isNothing(target))) return '';
  if (best === undefined) {
    const known = explanationsOf(explained, 'partly').find(({ codes }) => codes[0] === 'pattern');
    if (known) return explanationText(known, { scale, currency });
    const skipped = hypotheses.flatMap((one) => ('obstacle' in one ? [one.obstacle] : []));
    const [why] = skipped.length === hypotheses.length ? skipped : [];
    return why ? `Not searched for explanations: ${obstacleText(why)}.` : '';
  }
  return present(bestText(explained, { scale, currency }), rivalsText(explained)).join(' ');
}

/** Says that other causes are about as likely as the best; empty if none is. */
export function rivalsText(explained: Explained): string {
  const rivals = contenders(explained).length - 1;
  const fit = many(rivals, 'other cause fits', 'other causes fit');
  return rivals > 0 ? `${fit} about as well; the data do not show which is right.` : '';
}

/** `Likely cause: the header counts one row twice: transaction …`; empty if nothing explains all. */
export function bestText(explained: Explained, form: Unit): string {
  const clause = bestClause(explained, form);
  return isCause(explained.best) ? `${causeTitle(explained)}: ${clause}` : capitalised(clause);
}

/** The title of the best explanation: `Cause`, `Likely cause`, `Possible causes` or `Explanation`. */
export function causeTitle({ best, certainty = 'certain' }: Explained): string {
  if (best && !isCause(best)) return 'Explanation';
  return `${certaintyWords[certainty]}${best && best.causes.length > 1 ? 's' : ''}`;
}

/** An explanation without figures is not the cause of a difference. */
function isCause(best: Explanation | undefined): boolean {
  return best !== undefined && best.figures.length > 0;
}

/** The best explanation, to follow its title, and its doubts. */
export function bestClause({ best, mayBeChance }: Explained, form: Unit): string {
  if (best === undefined) return '';
  const chance = mayBeChance && 'This may be a coincidence.';
  return present(`${statement(best, form)}.`, ...doubtSentences(best), chance).join(' ');
}

/** The best explanation of one of many settlements; says so if none was found. */
export function briefExplanation(explained: Explained, currency: string): string {
  const found = explanationSentence(explained, currency);
  if (found !== '') return found;
  const { target } = explained;
  if (target === undefined || !isNothing(target))
    return 'No explanation found. recon explain searches further.';
  // Where not all is stated, only the pay-in was looked at.
  const agreed = target.gross === undefined ? 'The net pay-out agrees' : 'All sums agree';
  return `${agreed}; other findings put it out of balance.`;
}

/** The same without amounts, numbers and ids, so it is equal for all settlements with the same cause. */
export function shortCauseText(explained: Explained, currency: string): string {
  const { best, scale } = explained;
  if (best === undefined) return briefExplanation(explained, currency);
  const clauses = best.causes.map(({ cause }) => {
    const isNamedOnly = nameOnlyCauses.has(cause.code);
    return isNamedOnly ? causeNames[cause.code] : causeClause(cause, { scale, currency });
  });
  return `${causeTitle(explained)}: ${clauses.join('; and ')}.`;
}

/** Causes whose text differs from settlement to settlement. */
const nameOnlyCauses: ReadonlySet<CauseCode> = new Set(['wrong_count', 'neighbour', 'rounding']);

/** An explanation in sentences, with its residual. */
export function explanationText(one: Explanation, form: Unit): string {
  const said = statement(one, form);
  const figures = enumerate(one.figures.map((figure) => figureWords[figure]));
  return present(
    one.outcome === 'partly' ? `Explains ${figures} only: ${said}.` : `${capitalised(said)}.`,
    ...doubtSentences(one),
    one.outcome === 'partly' && `Remaining: ${deltaText(one.residual, form)}.`,
  ).join(' ');
}

/** `transactions +1, gross +84.50, fees +1.43 EUR`: the figures that are not zero, or `0`. */
export function deltaText(delta: Delta, { scale, currency }: Unit): string {
  const { count = 0 } = delta;
  const amounts = amountsThatDiffer(delta, scale);
  const transactions = count !== 0 && `transactions ${count > 0 ? '+' : ''}${grouped(count)}`;
  const all = present(transactions, ...amounts).join(', ') || '0';
  return amounts.length === 0 ? all : `${all} ${currency}`;
}

function statement({ causes, outcome }: Explanation, form: Unit): string {
  const isAll = causes.length === 1 && outcome === 'explains';
  return causes
    .map((one) => {
      const { cause, rows, explained } = one;
      const context = {
        ...form,
        rows: rows.count,
        ...(explained.count !== undefined && { transactions: explained.count }),
      };
      const which = whichRows(one, form) || (!isAll && deltaText(explained, form));
      return present(causeClause(cause, context), which).join(': ');
    })
    .join('; and ');
}

function whichRows({ cause, rows, explained }: ExplainedCause, form: Unit): string {
  const { count, examples } = rows;
  const [row] = examples;
  if (cause.code === 'missing_rows') {
    return cause.facts.payIn === undefined ? amountsText(explained, form) : '';
  }
  if (count === 1 && row) return rowText(row);
  if (!listsRowIds(cause) || count === 0 || count > maxIdsInSentence) return '';
  return `transactions ${enumerate(examples.map(({ transactionId }) => transactionId))}`;
}

/** `gross 84.50, fees 1.43 EUR`: the amounts of missing rows. */
function amountsText(amounts: Delta, { scale, currency }: Unit): string {
  const all = (['gross', 'fees', 'tax'] as const)
    .filter((measure) => amounts[measure])
    .map((measure) => `${measureWords[measure]} ${grouped(amountText(amounts[measure], scale))}`);
  return `${all.join(', ')} ${currency}`;
}

function rowText({ transactionId, type, state, amount, fees, tax }: ExplainedRow): string {
  const kind = present(type, state).join(', ');
  const named = `transaction ${transactionId}${kind && ` (${kind})`}`;
  return `${named}, gross ${grouped(valueText(amount))}, fees ${grouped(valueText(fees))}, tax ${moneyText(tax)}`;
}

/** The evidence for or against an explanation, each a sentence. */
function doubtSentences({ causes, candidates, inLine }: Explanation): readonly string[] {
  const missing = causes.find(({ cause }) => cause.code === 'missing_rows')?.explained;
  const counts = causes.map(({ rows }) => rows.count);
  const ofRows =
    counts.length > 1 || counts.some((count) => count > 1)
      ? 'sets of transactions'
      : 'transactions';
  const what = counts.every((count) => count === 0) ? 'variants' : ofRows;
  return present(
    missing !== undefined &&
      inLine &&
      `${missing.count === 1 ? 'Its' : 'Their'} fees and tax are in line with the listed transactions.`,
    missing !== undefined && !inLine && 'This would fit any difference, so it is not proof.',
    candidates > 1 && `${grouped(candidates)} ${what} fit equally well; only one is shown.`,
  );
}

function listsRowIds({ code, facts }: Cause): boolean {
  if (code === 'scale_slip') return facts.of === 'row';
  return ['row_not_counted', 'row_counted_twice', 'row_sign', 'neighbour'].includes(code);
}

type Obstacles = { readonly [One in Obstacle as One['reason']]: (obstacle: One) => string };

/** Why a cause was not searched for, to follow its name. */
export function obstacleText(obstacle: Obstacle): string {
  const textOf: (obstacle: never) => string = obstacles[obstacle.reason];
  return textOf(obstacle as never);
}

const rowsOf = (rows: number, neighbours: number) =>
  `the transactions of ${rows} of ${many(neighbours, 'settlement')}`;

const obstacles: Obstacles = {
  incomplete: () => 'the transactions were not fully read',
  not_stated: () => 'gross, fees and tax are not all stated',
  no_neighbours: () => 'none were read',
  no_neighbour_rows: () => 'their transactions were not read',
  missing_days: ({ days }) => `not in the export: ${daysText(days)}`,
  neighbours_not_read: ({ failure }) => `they could not be listed: ${withoutStop(failure)}`,
  neighbours_uncertain: () => 'the list of them may be incomplete',
  neighbour_rows_not_read: (one) => `${rowsOf(one.unread, one.neighbours)} could not be read`,
  neighbour_rows_left: ({ left, neighbours }) =>
    `${rowsOf(left, neighbours)} were not read; --neighbour-rows reads all`,
  requests_limited: ({ days, left, neighbours }) => {
    const rows = left > 0 ? `, without ${rowsOf(left, neighbours)}` : '';
    return `read within ${many(days, 'day')}${rows}, to limit the requests; --deep reads more`;
  },
  too_many_rows: ({ rows, limit, atOnce }) =>
    atOnce === 1
      ? `the settlement has ${grouped(rows)} transactions; the limit is ${grouped(limit)}`
      : `sets of ${atOnce} transactions are tried in settlements of up to ${grouped(limit)} transactions, because in larger ones some fit by chance; this one has ${grouped(rows)}`,
  too_many_candidates: ({ candidates }) => `too many candidates (${grouped(candidates)})`,
};

/** What to do after this answer, most useful first. `isAlone`: the others of its range were not compared. */
export function explainNext(
  one: SettlementExplanation,
  flags = '',
  isAlone = false,
): readonly string[] {
  const { reconciled, explained, charges } = one;
  const { id, date, payIn, scale, currency, paymentReferences } = reconciled.settlement;
  const verdict = finalVerdict(one);
  const explain = (flag: string, why: string) =>
    canBeCopied(id) && command('recon explain', id, flag, flags, `# ${why}`);
  if (verdict === 'incomplete') {
    const again = explain('', 'try again to read the rest');
    const found = [...one.findings, ...reconciled.discrepancies];
    return adviceForIncomplete(found, present(again));
  }
  if (verdict !== 'out_of_balance') return [];
  const { best, hypotheses } = explained;
  const codes = best?.codes ?? [];
  // If only the service says out of balance, its data does not say why.
  const onlyTheService = codes.includes('only_the_service');
  const isObstacle = (reason: Obstacle['reason']) =>
    isOpen(explained) &&
    hypotheses.some((one) => 'obstacle' in one && one.obstacle.reason === reason);
  const references = enumerate(paymentReferences);
  const amount = moneyText({ minor: payIn, scale, currency });
  const payInDifference = reconciled.difference?.payIn;
  const seen = `--difference ${amountText(payInDifference, reconciled.scale)}`;
  const entry = `${amount}${references && ` (reference ${references})`}`;
  return present(
    ...codes.map((code) => !onlyTheService && `Ask the provider: "${causeQuestions[code]}"`),
    onlyTheService && `Check the bank statement for an entry of ${entry}.`,
    onlyTheService &&
      'Compare the transactions with your own charges: is one missing, or one too many?',
    onlyTheService && charges === undefined && explain('--charges', 'also read its charges'),
    isObstacle('no_neighbours') &&
      explain('', 'also compare neighbours up to 14 days before and after'),
    isObstacle('requests_limited') && explain('--deep', 'also search more of the neighbours'),
    (isObstacle('no_neighbour_rows') || isObstacle('neighbour_rows_left')) &&
      explain('--neighbour-rows', 'also search the transactions of all neighbours'),
    isAlone &&
      isOpen(explained) &&
      command(
        'recon explain --month',
        date.slice(0, 7),
        flags,
        '# also compare all settlements of the month',
      ),
    best === undefined &&
      payInDifference !== undefined &&
      canBeCopied(id) &&
      command('recon accept', id, flags, seen, '--reason "WHY"', '# if you know the reason'),
    explain('--format markdown', 'a case to send to the provider'),
  );
}
