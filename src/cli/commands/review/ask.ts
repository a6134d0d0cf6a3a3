import { decisionCell } from '../../../app/accept-decisions.ts';
import type { CloseReport } from '../../../app/close-report.ts';
import type { Decision } from '../../../app/decisions.ts';
import { type Choice, choicesFor, isSuggested, type ReviewedList } from '../../../app/review.ts';
import type { BankMatch } from '../../../match/match.ts';
import type { DecisionColumn, WrittenDecision } from '../../../register/decisions-file.ts';
import {
  choiceText,
  explainable,
  groupLines,
  likeness,
  pointLines,
  type ReviewPoint,
  requestFor,
  sureGroups,
} from '../../../report/accept/review.ts';
import { lineProblem } from '../../../report/accept/view.ts';
import { many } from '../../../report/common/phrase.ts';
import type { View } from '../../../report/common/view.ts';
import type { Context } from '../../context.ts';
import type { Prompts } from '../../prompts.ts';

/** What a review works with. */
export interface Desk extends Pick<Context, 'messages'> {
  readonly prompts: Prompts;
  readonly report: CloseReport;
  /** All that is on the statements. */
  readonly matches: readonly BankMatch[];
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

type Typed = Readonly<Partial<Record<DecisionColumn, string>>>;

/** Asks first for what is sure of many, then for one decision after another, until the person quits. */
export async function decideAll(points: readonly ReviewPoint[], desk: Desk): Promise<void> {
  const { list, messages, prompts } = desk;
  const open = () => points.filter(({ decision }) => !list.lines.has(decision));
  for (const group of sureGroups(open())) {
    for (const line of ['', group.title, ...groupLines(group.points)]) messages.warn(line);
    const key = await prompts.key(`Confirm all ${group.points.length}?`, groupKeys);
    if (key === 'q') return;
    if (key === 'n') continue;
    const decision = decisionCell('confirmed');
    await take(group.points, { decision, by: await desk.name() }, desk);
  }
  const asked = open();
  for (const [at, point] of asked.entries()) {
    if (list.lines.has(point.decision)) continue;
    const lines = ['', `${at + 1} of ${asked.length}`, ...pointLines(point, desk.report)];
    for (const line of lines) messages.warn(line);
    const later = asked.slice(at + 1).filter(({ decision }) => !list.lines.has(decision));
    if (!(await decideOne(point, later, desk))) return;
  }
}

const groupKeys = [
  { key: 'y', says: 'yes: each entry is the money of its pay-out' },
  { key: 'n', says: 'no, ask one by one' },
  { key: 'q', says: 'quit' },
] as const;

const decisionKeys = {
  accept: 'a',
  confirmed: 'c',
  settled_with: 's',
  written_off: 'w',
} as const;

const lastKeys = [
  { key: 'n', says: 'next: decide later' },
  { key: 'q', says: 'quit, and keep what is decided' },
] as const;

/** The key that writes a text to send to the provider, or that it is written. */
function askFor(path: string, isWritten: boolean) {
  const says = isWritten
    ? `${path} is written: send it; again writes it anew`
    : `write to the provider: ${path}`;
  return { key: 'p', says } as const;
}

/** Asks until a point is decided or left; false to quit. */
async function decideOne(
  point: ReviewPoint,
  later: readonly ReviewPoint[],
  desk: Desk,
): Promise<boolean> {
  const { prompts, report, matches, list, explainTo, writeTo } = desk;
  const { decision } = point;
  const id = explainable(point);
  const choices = choicesFor(decision, matches);
  const request = requestFor(point, report);
  const explain = { key: 'e', says: 'explain it in full' } as const;
  let isAsked = false;
  const keys = () => [
    ...choices.map((one) => ({ key: decisionKeys[one], says: choiceText(one, point) })),
    ...(id === undefined ? [] : [explain]),
    ...(request ? [askFor(request.path, isAsked)] : []),
  ];
  // Once the provider is asked, the answer is awaited: Enter goes on.
  const inOrder = () =>
    isAsked ? [...lastKeys.slice(0, 1), ...keys(), ...lastKeys.slice(1)] : [...keys(), ...lastKeys];
  for (;;) {
    const key = await prompts.key('What do you decide?', inOrder());
    const choice = choices.find((one) => decisionKeys[one] === key);
    if (key === 'q') return false;
    if (key === 'n') return true;
    if (id !== undefined && key === 'e') await explainTo(id);
    if (request && key === 'p') {
      if (request.text) await writeTo(request.path, request.text);
      else if (id !== undefined) await explainTo(id, request.path);
      isAsked = true;
    }
    const typed = choice && (await typedFor(choice, point, desk));
    if (!typed) continue;
    await take([point], typed, desk);
    if (!list.lines.has(decision)) continue;
    await takeLike(choice, point, later, typed, desk);
    return true;
  }
}

/** Offers the same answer for all that is like a point. */
async function takeLike(
  choice: Choice,
  point: ReviewPoint,
  later: readonly ReviewPoint[],
  typed: Typed,
  desk: Desk,
): Promise<void> {
  const { prompts, messages, matches } = desk;
  if (choice === 'settled_with' || (choice === 'confirmed' && !isSuggested(point.decision))) return;
  const own = likeness(point);
  const others = later.filter(
    (one) => likeness(one) === own && choicesFor(one.decision, matches).includes(choice),
  );
  if (others.length === 0) return;
  const points = many(others.length, 'point is', 'points are');
  for (const line of ['', `${points} like this one:`, ...groupLines(others)]) messages.warn(line);
  const key = await prompts.key('The same answer?', [
    { key: 'o', says: 'only this one, ask for the others' },
    { key: 'm', says: `the same answer for all ${others.length} like this` },
  ] as const);
  if (key === 'm') await take(others, typed, desk);
}

/** Takes one answer for points, and says what stands against it. */
async function take(points: readonly ReviewPoint[], typed: Typed, desk: Desk): Promise<void> {
  const { list, messages, save } = desk;
  const lines = points.map(({ decision, written }): readonly [Decision, WrittenDecision] => {
    const cells = { ...written.cells, ...typed };
    return [decision, { ...written, cells }];
  });
  const refused = list.decide(new Map(lines));
  for (const one of refused) messages.warn(lineProblem(one));
  if (refused.length < points.length) await save();
}

/** What is typed for a decision; undefined to go back. */
async function typedFor(
  choice: Choice,
  point: ReviewPoint,
  { prompts, report, name }: Desk,
): Promise<Typed | undefined> {
  const { decision, places } = point;
  const isNamed = choice === 'settled_with' || !isSuggested(decision) || places !== undefined;
  const question = isNamed ? detailQuestions[choice] : undefined;
  const initial = choice === 'settled_with' ? partnerOf(point, report) : places?.join(' | ');
  const detail = question && (await prompts.text(question, { initial }));
  if (detail === '') return undefined;
  const isFree = choice === 'confirmed' || choice === 'settled_with';
  const reason = await prompts.text(isFree ? 'A note, if any' : 'Why? Empty to go back');
  if (reason === '' && !isFree) return undefined;
  return { decision: decisionCell(choice, detail), reason, by: await name() };
}

const detailQuestions: Readonly<Partial<Record<Choice, string>>> = {
  confirmed: 'Where its entries stand, such as march.csv:12 | march.csv:14? Empty to go back',
  settled_with: 'The id of the other settlement? Empty to go back',
};

/** The settlement that the bank suggests as the other one. */
function partnerOf({ written }: ReviewPoint, { bank }: CloseReport): string | undefined {
  const id = written.cells.settlement_id;
  const ids = (bank?.matching.netted ?? []).map((one) => one.settlements.map((own) => own.id));
  return ids.find((own) => own.includes(id))?.find((one) => one !== id);
}
