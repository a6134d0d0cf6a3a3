import { expect, test } from 'vitest';
import { runRecon } from '../support/run-recon.ts';

interface Transcript {
  /** The file, in test/cli/transcripts. */
  readonly name: string;
  readonly args: string;
  /** The width of the terminal; absent for a pipe. */
  readonly columns?: number;
  readonly env?: Readonly<Record<string, string>>;
}

const settled = 'settlements --sandbox';
const charges = '--sandbox --scenario charges';

const missingRow = 'explain be678572-cc4e-5b84-ae52-bdd95f9ee0dd --sandbox';
const fees = 'fees --sandbox';
const doctor = 'doctor --sandbox';
const illness =
  '--fault page-max=30@rows --fault unknown-fields --fault clock-skew=-90 --fault charge-scheme=v1 --fault http-503=first:1';

const transcripts: readonly Transcript[] = [
  { name: 'month, 60 columns', args: settled, columns: 60 },
  { name: 'month, 80 columns', args: settled, columns: 80 },
  { name: 'month, 200 columns', args: settled, columns: 200 },
  { name: 'month in colour', args: settled, columns: 80, env: {} },
  { name: 'month by group', args: `${settled} --by group`, columns: 80 },
  { name: 'month as csv', args: settled },
  { name: 'month with bank statements', args: `${settled} --bank`, columns: 80 },
  { name: 'groups as csv', args: `${settled} --by group` },
  {
    name: 'refund for a european spreadsheet',
    args: `${settled} --scenario refund --dialect excel-eu`,
  },
  { name: 'malformed', args: `${settled} --scenario malformed`, columns: 80 },
  { name: 'malformed as json', args: `${settled} --scenario malformed --format json` },
  { name: 'pending as ndjson', args: `${settled} --scenario pending --format ndjson` },
  {
    name: 'pending counts as a failure',
    args: `${settled} --scenario pending --fail-on pending`,
    columns: 80,
  },
  {
    name: 'fee rates of two months',
    args: `${settled} --scenario fee-drift --month 2026-03 --compare previous`,
    columns: 80,
  },
  { name: 'fees above the agreed rate', args: `${fees} --scenario fee-drift`, columns: 120 },
  { name: 'fees as a claim', args: `${fees} --scenario fee-drift --format markdown` },
  { name: 'fees as csv', args: fees },
  { name: 'rates that transactions show', args: `${fees} --init`, columns: 80 },
  { name: 'nothing there', args: `${settled} --scenario empty`, columns: 80 },
  { name: 'offsetting differences', args: `${settled} --scenario offsetting`, columns: 80 },
  {
    name: 'one transaction in two settlements',
    args: `${settled} --scenario shared-transaction`,
    columns: 80,
  },
  { name: 'another identity holds', args: `${settled} --scenario other-identity`, columns: 80 },
  {
    name: 'the identity that holds',
    args: `${settled} --scenario other-identity --identity gross-fees+tax`,
    columns: 80,
  },
  {
    name: 'without an identity',
    args: `${settled} --scenario service-says-settled --identity off`,
    columns: 80,
  },
  {
    name: 'within tolerance',
    args: `${settled} --scenario fee-off-by-one --tolerance 1`,
    columns: 80,
  },
  {
    name: 'an ignored check',
    args: `${settled} --scenario service-says-out-of-balance --ignore reported_by_service`,
    columns: 80,
  },
  {
    name: 'unusual decimal places',
    args: `${settled} --scenario unusual-scale --fail-on +unusual-scale`,
    columns: 80,
  },
  { name: 'only some verdicts', args: `${settled} --only pending`, columns: 80 },
  { name: 'hostile text', args: `${settled} --scenario hostile-text`, columns: 80 },
  { name: 'hostile text as csv', args: `${settled} --scenario hostile-text` },
  { name: 'each request', args: `${settled} --scenario refund --concurrency 1 --verbose` },
  {
    name: 'a rate limit, request by request',
    args: `${settled} --scenario refund --concurrency 1 --verbose --fault wrapper-429=first:2`,
    columns: 80,
  },
  {
    name: 'a settlement that cannot be read',
    args: `${settled} --scenario refund --fault http-503@rows`,
    columns: 80,
  },
  { name: 'pay-outs on the bank, 60 columns', args: 'bank --sandbox', columns: 60 },
  { name: 'pay-outs on the bank, 120 columns', args: 'bank --sandbox', columns: 120 },
  { name: 'pay-outs on the bank, 200 columns', args: 'bank --sandbox', columns: 200 },
  { name: 'pay-outs on the bank as csv', args: 'bank --sandbox' },
  {
    name: 'pay-outs on the bank as json',
    args: 'bank --sandbox --on 2026-03-05 --format json',
  },
  {
    name: 'transactions',
    args: 'transactions --sandbox --scenario refund --note merchant_order_ref',
    columns: 80,
  },
  {
    name: 'transactions as csv',
    args: 'transactions --sandbox --scenario hostile-text --note merchant_order_ref',
  },
  {
    name: 'transactions as json',
    args: 'transactions --sandbox --scenario other-scale --format json --notes',
  },
  {
    name: 'transactions of one state',
    args: 'transactions --sandbox --scenario two-causes --state declined,denied',
    columns: 120,
  },
  {
    name: 'transactions that cannot all be read',
    args: 'transactions --sandbox --scenario malformed',
    columns: 80,
  },
  {
    name: 'a refunded charge and its transactions',
    args: `charge 03ae3d3b-5a16-58f7-a870-f1f92f673aad --settlements ${charges}`,
    columns: 80,
  },
  {
    name: 'a failed charge, for developers',
    args: `charge c7e3caa3-7d37-5cc9-9942-e207da5de848 --verbose ${charges}`,
    columns: 80,
  },
  {
    name: 'charges as csv',
    args: `charge 23d6e62a-7b74-51a8-b412-3b3163ee415d 51a83b25-80dc-5a44-a25c-4b0d3246f667 ${charges}`,
  },
  {
    name: 'a charge as it came',
    args: `charge 5bd3d86d-7e5b-5c14-8183-e33106ccfefc --raw ${charges}`,
  },
  {
    name: 'charges signed one a second',
    args: `charge 9dbf2140-21c5-5fe4-b57d-9ff420ac9fd0 00000000-0000-4000-8000-000000000000 --charge-auth v1 ${charges}`,
    columns: 80,
  },
  {
    name: 'charges as evidence',
    args: `explain b31d8bc4-9b67-52cb-8045-fd39db6afd9d --charges ${charges}`,
    columns: 80,
  },
  { name: 'an explanation, 60 columns', args: missingRow, columns: 60 },
  { name: 'an explanation, 80 columns', args: missingRow, columns: 80 },
  { name: 'an explanation, 200 columns', args: missingRow, columns: 200 },
  { name: 'an explanation with all causes', args: `${missingRow} --all`, columns: 80 },
  {
    name: 'a range explained',
    args: 'explain --sandbox --from 2026-03-18 --to 2026-03-31',
    columns: 80,
  },
  { name: 'nothing to explain', args: 'explain --sandbox --on 2026-03-05', columns: 80 },
  { name: 'a dry run', args: `${settled} --dry-run`, columns: 80 },
  { name: 'doctor, 60 columns', args: doctor, columns: 60 },
  { name: 'doctor, 80 columns', args: doctor, columns: 80 },
  { name: 'doctor, 200 columns', args: doctor, columns: 200 },
  { name: 'doctor in colour', args: `${doctor} ${illness}`, columns: 80, env: {} },
  { name: 'doctor about a service that is not well', args: `${doctor} ${illness}`, columns: 80 },
  {
    name: 'doctor about another identity',
    args: `${doctor} --scenario other-identity`,
    columns: 80,
  },
  {
    name: 'doctor about decimal places',
    args: `${doctor} --scenario unusual-scale`,
    columns: 80,
  },
  { name: 'doctor about nothing', args: `${doctor} --scenario empty`, columns: 80 },
  { name: 'doctor about a refused secret', args: `${doctor} --fault http-401@token` },
  { name: 'doctor without settings', args: 'doctor', columns: 80 },
  { name: 'doctor as csv', args: `${doctor} --scenario charges --format csv` },
  { name: 'doctor as json', args: `${doctor} --scenario charges --format json` },
  { name: 'doctor as ndjson', args: `${doctor} --scenario charges --format ndjson` },
  { name: 'no range', args: 'settlements' },
  { name: 'half a range', args: 'settlements --from yesterday' },
  { name: 'no such day', args: 'settlements --on 2026-02-31' },
  { name: 'a mistyped flag', args: 'settlements --frm 2026-03-01' },
  { name: 'a mistyped flag, for programs', args: 'settlements --frm 2026-03-01 --format json' },
  { name: 'no settings', args: 'settlements --on yesterday' },
  { name: 'access denied', args: `${settled} --fault wrapper-1001` },
  { name: 'refused credentials', args: `${settled} --fault http-401@token` },
];

test.each(transcripts)('$name', async ({ name, args, ...options }) => {
  const { exitCode, stdout, stderr } = await runRecon(args.split(' '), {
    env: { NO_COLOR: '1' },
    ...options,
  });
  const where = options.columns ? `a terminal of ${options.columns} columns` : 'a pipe';
  const text = [
    `$ recon ${args}`,
    `(${where}; exit code ${exitCode})`,
    '',
    '--- standard output',
    withoutPort(stdout.replaceAll('\r\n', '\\r\n')),
    '--- standard error',
    withoutPort(stderr),
  ].join('\n');
  await expect(text).toMatchFileSnapshot(`transcripts/${name.replaceAll(/\W+/g, '-')}.txt`);
});

/** The sandbox takes any free one. */
function withoutPort(text: string): string {
  return text.replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:PORT');
}
