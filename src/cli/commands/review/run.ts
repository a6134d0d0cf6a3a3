import { isDecided } from '../../../app/accept-decisions.ts';
import { type BlockerCode, isForceable } from '../../../app/close-report.ts';
import { linesToChange } from '../../../app/place-line.ts';
import { overdueToAsk, ReviewedList } from '../../../app/review.ts';
import { isThere } from '../../../base/files.ts';
import { shellWord } from '../../../base/texts.ts';
import { bankMatchesIn } from '../../../match/match.ts';
import { readDecisions, type WrittenDecision } from '../../../register/decisions-file.ts';
import { readKeptCsv } from '../../../register/kept-csv.ts';
import { renderMarkdown } from '../../../render/markdown.ts';
import { pointsOf, reviewedText } from '../../../report/accept/review.ts';
import { blockerNext, blockerText } from '../../../report/close/words.ts';
import { command, many } from '../../../report/common/phrase.ts';
import { readClosing } from '../../closing.ts';
import type { ContextOf } from '../../context.ts';
import { writeDecisionList } from '../../decision-list.ts';
import { exitCodes } from '../../exit-codes.ts';
import { type Inputs, queryOf, resolveInputs } from '../../inputs.ts';
import { filesAt } from '../../named-files.ts';
import { withOutput } from '../../output.ts';
import { promptsFor } from '../../prompts.ts';
import { booksOf, registerAt } from '../../registers.ts';
import { accept, howOf } from '../accept/run.ts';
import { explain } from '../explain/run.ts';
import { type Desk, decideAll } from './ask.ts';
import type { reviewCommand } from './command.ts';

type ReviewContext = ContextOf<typeof reviewCommand>;

const without =
  'Write the list with recon close --decisions decisions.csv, fill it in, and run recon accept --from decisions.csv.';

/** `recon review`: asks for a decision on each open point, keeps them in a list, and applies it if told. */
export async function review(context: ReviewContext, paths: readonly string[]): Promise<number> {
  const { from, to, on, month, by, decisions: path = 'decisions.csv', ...flags } = context.flags;
  const { messages } = context;
  const prompts = promptsFor(context, 'recon review', without);
  const inputs = await resolveInputs(context);
  const register = await registerAt('accepted', inputs, context);
  const earlier = (await isThere(path)) ? await listAt(path) : [];
  const asked = { query: queryOf(inputs, context), books: await booksOf(inputs), paths };
  const { report } = await readClosing(asked, inputs, context);
  const { decisions: due } = report;
  const csv = await readKeptCsv(register);
  const placing = { ...(await howOf(inputs, context)), csv, lines: linesToChange(csv, register) };
  const matches = report.bank ? bankMatchesIn(report.bank.matching) : [];
  const list = new ReviewedList(due, { ...placing, register }, matches);
  const points = pointsOf([...due, ...overdueToAsk(report.run)], report);
  for (const { decision, written } of points) {
    const line = earlier.find((one) => isDecided(one) && isOfSame(one, written));
    if (line) list.decide(new Map([[decision, line]]));
  }
  let name = by;
  const desk: Desk = {
    messages,
    prompts,
    report,
    matches,
    list,
    save: () => writeDecisionList(path, due, { ...report, decided: list.lines }),
    name: async () => {
      name ??= await prompts.text('Who decides?', {
        faultIn: (text) => (text ? '' : 'Type a name.'),
      });
      return name;
    },
    explainTo: (id, output) =>
      explain(
        { ...context, flags: output === undefined ? flags : { ...flags, output: [output] } },
        [id],
      ),
    writeTo: (path, text) => withOutput({ path }, context, (write) => write(renderMarkdown(text))),
  };
  const later = laterText(path, paths, inputs, context);
  const already = list.lines.size;
  if (already > 0)
    messages.warn(`${many(already, 'decision')} in ${path}, from an earlier review.`);
  const elsewhere = report.blockers.filter(({ code }) => isDecidedElsewhere(code));
  for (const one of elsewhere) {
    messages.warn(`Not decided here: ${blockerText(one)}. ${blockerNext(one, report)}`);
  }
  try {
    for (;;) {
      await decideAll(points, desk);
      if (list.lines.size === 0) {
        messages.warn(points.length === 0 ? 'Nothing is to be decided.' : 'Nothing was decided.');
        return exitCodes.ok;
      }
      messages.warn(`${path}: ${list.lines.size} of ${points.length} decided.`);
      for (const { decision } of points) {
        const written = list.lines.get(decision);
        if (written) messages.warn(`- ${reviewedText({ decision, written })}`);
      }
      const answer = await prompts.key(`Apply them to ${register}?`, applyKeys);
      if (answer === 'y') {
        const bank = paths.length > 0 && { bank: paths };
        return await accept({ ...context, flags: { ...flags, ...bank, from: path } }, []);
      }
      if (answer === 'n') break;
      list.clear();
      await desk.save();
    }
    messages.warn(later);
  } catch (error) {
    if (list.lines.size > 0) messages.warn(later);
    throw error;
  }
  return exitCodes.ok;
}

/** Whether no single difference is to be decided: fees to claim, days without a statement, what is to be put right. */
function isDecidedElsewhere(code: BlockerCode): boolean {
  return (
    !isForceable({ code }) ||
    ['overcharged', 'finding', 'not_covered', 'opening_not_set'].includes(code)
  );
}

/** How to go on with a list that is not applied yet. */
function laterText(
  path: string,
  paths: readonly string[],
  { whose }: Inputs,
  { flags: { accepted }, host }: ReviewContext,
): string {
  const bank = paths.map((one) => `--bank ${shellWord(one)}`);
  const register = accepted === undefined ? [] : [`--accepted ${shellWord(accepted)}`];
  const apply = command('recon accept --from', shellWord(path), ...bank, whose.flags, ...register);
  const again = ['recon', ...host.argv.slice(2).map(shellWord)].join(' ');
  return `${path} keeps what is decided. To go on: ${again}. To apply it: ${apply}`;
}

const applyKeys = [
  { key: 'y', says: 'yes, apply them now' },
  { key: 'n', says: 'no, only keep the list' },
  { key: 'r', says: 'reset the list and decide anew' },
] as const;

async function listAt(path: string): Promise<readonly WrittenDecision[]> {
  const [file] = await filesAt([path], 'List of decisions');
  return file ? readDecisions(file) : [];
}

function isOfSame({ cells: one }: WrittenDecision, { cells: other }: WrittenDecision): boolean {
  const isSame = (key: 'kind' | 'settlement_id') =>
    one[key].toLowerCase() === other[key].toLowerCase();
  return isSame('kind') && isSame('settlement_id');
}
