import { records, text } from './columns.ts';
import { many } from './phrase.ts';
import { isSound, type VerifyReport } from './verify-report.ts';
import type { Block, Remark, View } from './view.ts';
import type { Views } from './views.ts';

const schema = 1;

interface Finding {
  readonly finding: 'missing' | 'problem' | 'unfinished';
  readonly path: string;
  readonly message: string;
}

/** The report of `recon export --verify`: a record is something found. */
export function verifyViews(report: VerifyReport): Views {
  const { unfinished, problems, ...rest } = report;
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

const findingColumns = [
  text<Finding>('finding', ({ finding }) => finding),
  text<Finding>('path', ({ path }) => path),
  text<Finding>('message', ({ message }) => message),
];

function findings({ missing, problems, unfinished }: VerifyReport): readonly Finding[] {
  return [
    ...missing.map((day) => ({ finding: 'missing' as const, path: day, message: 'not there' })),
    ...problems.map((problem) => ({ finding: 'problem' as const, ...problem })),
    ...unfinished.map((step) => ({ finding: 'unfinished' as const, path: '', message: step })),
  ];
}

/** The answer in a sentence. */
export function verifySentence({ sound, missing, problems }: VerifyReport): string {
  return `${many(sound, 'day')} as written, ${missing.length} missing, ${many(problems.length, 'problem')}.`;
}

function verifyView(report: VerifyReport): View {
  const { folder, profile, host, range, missing, problems, unfinished, isLocked } = report;
  const isGood = isSound(report);
  return [
    {
      kind: 'answer',
      label: isGood ? 'SOUND' : 'NOT SOUND',
      tone: isGood ? 'good' : 'bad',
      text: verifySentence(report),
    },
    {
      kind: 'facts',
      facts: [
        ['Folder', folder],
        ['Range', range ? `${range.from} to ${range.to}, both included` : 'no days'],
        ['Host', host],
        ...(profile === null ? [] : [['Profile', profile] as const]),
      ],
    },
    ...remarks('Missing', missing),
    ...remarks(
      'Problems',
      problems.map(({ path, message }) => `${path}: ${message}`),
    ),
    ...remarks('Cut short: the next export will', unfinished),
    ...remarks(
      'Notes',
      isLocked ? ['The folder is locked: an export is under way, or was killed.'] : [],
    ),
  ];
}

function remarks(title: string, texts: readonly string[]): readonly Block[] {
  const list: readonly Remark[] = texts.map((one) => ({ mark: '-', tone: 'plain', text: one }));
  return list.length === 0 ? [] : [{ kind: 'remarks', title, remarks: list }];
}
