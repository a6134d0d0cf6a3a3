import { isSound, type VerifyReport } from '../../app/export-result.ts';
import { rangesOf } from '../../base/calendar.ts';
import { answerBlock, facts, listed } from '../common/blocks.ts';
import { type Column, field, records } from '../common/columns.ts';
import { enumerate, many, present, rangeText, wholeRangeText } from '../common/phrase.ts';
import { schema, type View, type Views } from '../common/view.ts';
import { publishedIncompleteSentence, unreadDaysSentence } from '../export/view.ts';
import { exportProblemSentence, exportProblemText } from './words.ts';

const findingColumns: readonly Column<Finding>[] = [
  field.text('finding', ({ finding }) => finding),
  field.text('path', ({ path }) => path),
  field.text('message', ({ message }) => message),
];

/** The report of `recon export --verify`: a record is a finding. */
export function verifyViews(report: VerifyReport): Views {
  const { unfinished, problems: found, ...rest } = report;
  const problems = found.map((one) => ({ path: one.path, message: exportProblemSentence(one) }));
  const document = { ...rest, range: rest.range ?? null, isSound: isSound(report) };
  return {
    view: () => verifyView(report),
    records: () => records(findingColumns, findings(report)),
    document: () => ({ schema, ...document, problems, unfinished }),
    lines: () => [
      ...findings(report).map((finding) => ({ type: 'finding', schema, ...finding })),
      { type: 'summary', schema, ...document },
    ],
  };
}

interface Finding {
  readonly finding:
    | 'missing'
    | 'problem'
    | 'unfinished'
    | 'catalogue'
    | 'published_incomplete'
    | 'unread';
  readonly path: string;
  readonly message: string;
}

const incomplete = 'published incomplete: not all of the day could be read';
const ofCatalogue = 'a folder of a catalogue, not of the export';

function findings(report: VerifyReport): readonly Finding[] {
  const { missing, problems, unfinished, publishedIncomplete, unread } = report;
  const found = (finding: Finding['finding'], path: string, message: string) => ({
    finding,
    path,
    message,
  });
  return [
    ...missing.map((day) => found('missing', day, 'not in the export')),
    ...problems.map((one) => found('problem', one.path, exportProblemSentence(one))),
    ...report.catalogues.map((path) => found('catalogue', path, ofCatalogue)),
    ...publishedIncomplete.map((day) => found('published_incomplete', day, incomplete)),
    ...unread.map((one) => found('unread', one.day, unreadDaysSentence([one]))),
    ...unfinished.map((message) => found('unfinished', '', message)),
  ];
}

export function verifySentence(report: VerifyReport): string {
  const { sound, missing, problems, unfinished, publishedIncomplete, unread } = report;
  return present(
    `${many(sound, 'day')} intact, ${missing.length} missing, ${many(problems.length, 'problem')}.`,
    publishedIncomplete.length > 0 && publishedIncompleteSentence(publishedIncomplete),
    unreadDaysSentence(unread),
    unfinished.length > 0 &&
      'A run is in progress or was interrupted; the next export cleans up after it.',
  ).join(' ');
}

function verifyView(report: VerifyReport): View {
  const { folder, profile, host, range, missing, problems, unfinished, isLocked } = report;
  const isGood = isSound(report);
  const notes = present(
    isLocked && 'The folder is locked: an export is running or was killed.',
    report.catalogues.length > 0 &&
      `Folders of a catalogue beside the tables: ${enumerate(report.catalogues)}.`,
  );
  return [
    answerBlock(isGood ? 'INTACT' : 'NOT INTACT', isGood ? 'good' : 'bad', verifySentence(report)),
    facts([
      ['Folder', folder],
      ['Range', range ? wholeRangeText(range) : 'no days'],
      ['Host', host],
      ['Profile', profile ?? undefined],
    ]),
    ...listed('Missing', rangesOf(missing).map(rangeText)),
    ...listed('Problems', problems.map(exportProblemText)),
    ...listed('Interrupted; the next export will', unfinished),
    ...listed('Notes', notes),
  ];
}
