import { decisionCell, isDecided } from '../../../app/accept-decisions.ts';
import type { CloseReport } from '../../../app/close-report.ts';
import { linesToChange } from '../../../app/place-line.ts';
import { choicesFor, ReviewedList } from '../../../app/review.ts';
import { isThere } from '../../../base/files.ts';
import { shellWord } from '../../../base/texts.ts';
import { bankMatchesIn } from '../../../match/match.ts';
import type { PayoutDecision } from '../../../model/accepted-difference.ts';
import { readDecisions, type WrittenDecision } from '../../../register/decisions-file.ts';
import { readKeptCsv } from '../../../register/kept-csv.ts';
import { renderMarkdown } from '../../../render/markdown.ts';
import {
  explainable,
  pointLines,
  pointsOf,
  type ReviewPoint,
  reviewedText,
} from '../../../report/accept/review.ts';
import { lineProblem } from '../../../report/accept/view.ts';
import { payoutRequest } from '../../../report/bank/request.ts';
import { command, many } from '../../../report/common/phrase.ts';
import type { View } from '../../../report/common/view.ts';
import { readClosing } from '../../closing.ts';
import type { ContextOf } from '../../context.ts';
import { writeDecisionList } from '../../decision-list.ts';
import { exitCodes } from '../../exit-codes.ts';
import { type Inputs, queryOf, resolveInputs } from '../../inputs.ts';
import { filesAt } from '../../named-files.ts';
import { withOutput } from '../../output.ts';
import { type Prompts, promptsFor } from '../../prompts.ts';
import { booksOf, registerAt } from '../../registers.ts';
import { accept, howOf } from '../accept/run.ts';
import { explain } from '../explain/run.ts';
import type { reviewCommand } from './command.ts';

type Choice = 'accept' | PayoutDecision;

type ReviewContext = ContextOf<typeof reviewCommand>;

const without =
  'Write the list with recon close --decisions decisions.csv, fill it in, and run recon accept --from decisions.csv.';

/** What a review works with. */
interface Desk extends Pick<ReviewContext, 'messages'> {
  readonly prompts: Prompts;
  readonly report: CloseReport;
  readonly list: ReviewedList;
  /** Writes the list with all that is decided so far. */
  readonly save: () => Promise<void>;
  /** Who decides. */
  readonly name: () => Promise<string>;
  /** Explains a settlement on the screen or in a file. */
  readonly explainTo: (id: string, output?: string) => Promise<number>;
  /** Writes a text to send to the provider. */
  readonly writeTo: (path: string, text: View) => Promise<void>;
}

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
  const points = pointsOf(due, report);
  for (const { decision, written } of points) {
    const line = earlier.find((one) => isDecided(one) && isOfSame(one, written));
    if (line) list.decide(decision, line);
  }
  let name = by;
  const desk: Desk = {
    messages,
    prompts,
    report,
    list,
    save: () => writeDecisionList(path, due, { ...report, decided: list.lines }),
    name: async () => {
      name ??= await prompts.text('Who decides?', {
        faultIn: (text) => (text ? '' : 'Type a name.'),
      });
      return name;
    },
    explainTo: (id, output) =>
      explain({ ...context, flags: output === undefined ? flags : { ...flags, output } }, [id]),
    writeTo: (path, text) => withOutput({ path }, context, (write) => write(renderMarkdown(text))),
  };
  const later = laterText(path, paths, inputs, context);
  const already = list.lines.size;
  if (already > 0)
    messages.warn(`${many(already, 'decision')} in ${path}, from an earlier review.`);
  try {
    for (;;) {
      await decideAll(points, desk);
      if (list.lines.size === 0) {
        messages.warn(due.length === 0 ? 'Nothing is to be decided.' : 'Nothing was decided.');
        return exitCodes.ok;
      }
      messages.warn(`${path}: ${list.lines.size} of ${due.length} decided.`);
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

/** Asks for one decision after another, until the person quits. */
async function decideAll(points: readonly ReviewPoint[], desk: Desk): Promise<void> {
  const { list, messages } = desk;
  const open = points.filter(({ decision }) => !list.lines.has(decision));
  for (const [at, point] of open.entries()) {
    const lines = ['', `${at + 1} of ${open.length}`, ...pointLines(point)];
    for (const line of lines) messages.warn(line);
    if (!(await decideOne(point, desk))) return;
  }
}

const decisionKeys = {
  accept: { key: 'a', says: 'accept the difference' },
  confirmed: { key: 'c', says: 'confirm the bank entry that is its money' },
  settled_with: { key: 's', says: 'settled with another settlement' },
  written_off: { key: 'w', says: 'written off: it never comes' },
} as const;

const explainKeys = [
  { key: 'e', says: 'explain it in full' },
  { key: 'p', says: 'write the case for the provider' },
] as const;

const lastKeys = [
  { key: 'n', says: 'next: decide later' },
  { key: 'q', says: 'quit' },
] as const;

/** Asks until a point is decided or left; false to quit. */
async function decideOne(point: ReviewPoint, desk: Desk): Promise<boolean> {
  const { prompts, report, list, messages, save, explainTo, writeTo } = desk;
  const { decision, written } = point;
  const id = explainable(point);
  const choices = choicesFor(decision);
  const keys = [
    ...choices.map((one) => decisionKeys[one]),
    ...(id === undefined ? [] : explainKeys),
    ...lastKeys,
  ];
  for (;;) {
    const key = await prompts.key('What do you decide?', keys);
    const choice = choices.find((one) => decisionKeys[one].key === key);
    if (key === 'q') return false;
    if (key === 'n') return true;
    if (id !== undefined && key === 'e') await explainTo(id);
    if (id !== undefined && key === 'p') {
      const request = payoutRequest(decision, report.bank);
      const short = id.slice(0, 8);
      if (request) await writeTo(`payout-${short}.md`, request);
      else await explainTo(id, `case-${short}.md`);
    }
    const typed = choice && (await typedFor(choice, point, desk));
    if (!typed) continue;
    const judged = list.decide(decision, { ...written, cells: { ...written.cells, ...typed } });
    if (list.lines.has(decision)) {
      await save();
      return true;
    }
    messages.warn(judged ? lineProblem(judged) : '');
  }
}

/** What is typed for a decision; undefined to go back. */
async function typedFor(choice: Choice, point: ReviewPoint, { prompts, report, name }: Desk) {
  const isNamed = choice === 'settled_with' || !isSuggested(point);
  const question = isNamed ? detailQuestions[choice] : undefined;
  const initial = choice === 'settled_with' ? partnerOf(point, report) : undefined;
  const detail = question && (await prompts.text(question, { initial }));
  if (detail === '') return undefined;
  const isFree = choice === 'confirmed' || choice === 'settled_with';
  const reason = await prompts.text(isFree ? 'A note, if any' : 'Why? Empty to go back');
  if (reason === '' && !isFree) return undefined;
  return { decision: decisionCell(choice, detail), reason, by: await name() };
}

const detailQuestions: Readonly<Partial<Record<Choice, string>>> = {
  confirmed: 'Its bank entries, such as march.csv:12 | march.csv:14? Empty to go back',
  settled_with: 'The id of the other settlement? Empty to go back',
};

const isSuggested = ({ decision }: ReviewPoint) => decision.match?.state === 'suggested';

/** The settlement that the bank suggests as the other one. */
function partnerOf({ written }: ReviewPoint, { bank }: CloseReport): string | undefined {
  const id = written.cells.settlement_id;
  const ids = (bank?.matching.netted ?? []).map((one) => one.settlements.map((own) => own.id));
  return ids.find((own) => own.includes(id))?.find((one) => one !== id);
}
