import { explainRange, explainSettlement } from '../../src/app/explain-settlement.ts';
import { reconcileRange } from '../../src/app/reconcile-range.ts';
import { drained } from '../../src/base/ordered.ts';
import { batchOf } from '../../src/model/row-batch.ts';
import type { Settlement } from '../../src/model/settlement.ts';
import type { HeaderList, SettlementQuery, Source } from '../../src/model/source.ts';
import { explainViews } from '../../src/report/explain/view.ts';
import { settlementsViews } from '../../src/report/settlements/view.ts';
import type { Account, Draft } from './account.ts';
import { currencyCode } from './prices.ts';

const settings = {
  identity: 'gross-fees-tax',
  tolerance: 0n,
  ignored: [],
  expectedScales: new Map(),
  rules: {},
} as const;

const range = { from: '2026-03-01', to: '2026-04-30' };

/** The document that `recon explain ID --format json` writes, with the neighbours at hand as in an export. */
export async function explainTarget(account: Account): Promise<unknown> {
  const one = await explainSettlement(account.target.id, { ...request, source: sourceOf(account) });
  const report = { ...about, settlements: [one], failures: [], verdict: 'out_of_balance' } as const;
  return plain(explainViews({ ...report, listsAll: true }).document());
}

/** The document that `recon explain --from … --to … --format json` writes, with the rows of neighbours at hand. */
export async function explainAll(account: Account): Promise<unknown> {
  const explained = await explainRange(reading.query, { ...request, source: sourceOf(account) });
  return plain(explainViews({ ...about, ...explained, listsAll: true }).document());
}

/** The document that `recon settlements --format json` writes about all settlements of these accounts. */
export async function reportAll(...accounts: readonly Account[]): Promise<unknown> {
  const source = sourceOf(...accounts);
  const run = await drained(reconcileRange({ ...reading, source }));
  const views = settlementsViews({
    ...about,
    range,
    run,
    patterns: run.patterns,

    explanations: new Map(),
    causes: new Map(),
  });
  return plain(views.document());
}

const reading = {
  query: { range, filters: {} },
  settings,
  explains: true,
  ahead: 1,
  onProgress: () => {},
} as const;

const request = { settings, isDeep: true, neighbourRows: false, ahead: 1 };
const about = {
  settings: { ...settings, profile: undefined, filters: {} },
  names: new Map(),
  flags: '',
};

function plain(document: object): unknown {
  return JSON.parse(JSON.stringify(document));
}

function sourceOf(...accounts: readonly Account[]): Source {
  const byId = new Map(accounts.flatMap(({ drafts }) => drafts.map((one) => [one.id, one])));
  const settlements = accounts.flatMap(({ drafts, ...account }) =>
    drafts.map((draft) => settlementOf(draft, account)),
  );
  const list = (some: readonly Settlement[]): HeaderList => ({
    settlements: some,
    conflicts: [],
    unreadable: [],
  });
  return {
    headers: async ({ range: { from, to } }: SettlementQuery) =>
      list(settlements.filter(({ date }) => date >= from && date <= to)),
    header: async (id) => list(settlements.filter((one) => one.id === id)),
    async *rows({ id }) {
      const { rows = [], repeated = [] } = byId.get(id) ?? {};
      yield batchOf(rows);
      const twice = repeated.map((row) => ({ row, copies: 1 }));
      return { unreadable: [], repeated: twice, conflicts: [], corrections: [] };
    },
  };
}

function settlementOf(
  { id, date, header }: Draft,
  { token, scale }: Omit<Account, 'drafts'>,
): Settlement {
  const { gross, fees, tax, extra, transactions, status } = header;
  return {
    id,
    timestamp: `${date}T06:00:00Z`,
    date,
    accountingToken: token,
    merchantId: 'M-1',
    paymentService: 'payments',
    status,
    currency: currencyCode[scale],
    scale,
    gross,
    fees,
    tax,
    payIn: gross - fees - tax + extra,
    transactions,
    paymentReferences: [],
    paymentEndToEndIds: [],
  };
}
