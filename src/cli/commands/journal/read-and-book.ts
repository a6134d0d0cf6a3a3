import { reconcileRange } from '../../../app/reconcile-range.ts';
import { ReconError } from '../../../base/errors.ts';
import { drained } from '../../../base/ordered.ts';
import { accountsIn } from '../../../books/accounts.ts';
import { bookRun } from '../../../books/book.ts';
import type { BookedFigures } from '../../../books/book-settlement.ts';
import { controlTotals } from '../../../books/control.ts';
import type { JournalFormat } from '../../../books/formats.ts';
import type { SeenOnBank } from '../../../books/plan-batch.ts';
import { transactionFigures } from '../../../books/transaction-figures.ts';
import { bankAcceptanceOf } from '../../../match/bank-acceptance.ts';
import type { BankMatch } from '../../../match/match.ts';
import type { AccountMapping } from '../../../model/account-mapping.ts';
import type { SettlementQuery, Source } from '../../../model/source.ts';
import type { IdentityName } from '../../../reconcile/identity.ts';
import type { ReconciledRun } from '../../../reconcile/reconciled.ts';
import type { WhenReported } from '../../../reconcile/when-reported.ts';
import { accountFormOf } from '../../../render/journal.ts';
import { whyIncomplete } from '../../../report/journal/words.ts';
import { whenReported } from '../../accepted.ts';
import type { Asked } from '../../asked.ts';
import { readBank } from '../../bank.ts';
import type { Context } from '../../context.ts';
import { matchedPayouts } from '../../matched-payouts.ts';

/** How a journal is asked for. */
export interface JournalRequest {
  readonly format: JournalFormat;
  readonly mapping: AccountMapping;
  readonly identity: IdentityName;
  readonly query: SettlementQuery;
}

/** A run with its entries, and what both come to. */
export type BookedJournal = Awaited<ReturnType<typeof readAndBook>>;

/**
 * Reads and reconciles the settlements, matches them with statements if those are asked for, and books
 * them. Throws ReconError where not all could be read.
 */
export async function readAndBook(
  source: Source,
  request: JournalRequest,
  asked: Asked,
  context: Context,
) {
  const { per = 'settlement', includePending: includesPending = false, bank } = context.flags;
  const { format, mapping, identity, query } = request;
  const reportedBy = await whenReported(asked, context);
  const statements = bank && (await readBank(bank, asked, context));
  const onBank = statements && (await matchedPayouts(source, statements, query, asked, reportedBy));
  const { run, transactions } = await readRun(source, query, reportedBy, asked, context);
  context.messages.stop();
  refuseIncomplete(run, asked);
  const acceptedOnBank = (match: BankMatch) => {
    const acceptance = bankAcceptanceOf(match, reportedBy.accepted);
    return acceptance?.state === 'accepted' ? acceptance.line : undefined;
  };
  const accountFor = accountsIn(mapping, accountFormOf(format));
  const booked = bookRun({
    ...{ run, identity, accountFor, names: asked.names, per, includesPending, transactions },
    ...{ matching: onBank?.matching, range: query.range, acceptedOnBank },
  });
  const control = controlTotals(booked.entries, run, identity);
  const matches = onBank ? [...onBank.matching.matches, ...onBank.matching.outside] : [];
  const seenOnBank: SeenOnBank = {
    entries: new Set(matches.flatMap(({ entries }) => entries.map(({ entry }) => entry.id))),
    settlements: onBank?.matching.compared ?? new Set<string>(),
  };
  return { run, booked, control, onBank, seenOnBank };
}

/** Reads the settlements of the query, with the figures of their transactions if each is to be booked. */
async function readRun(
  source: Source,
  query: SettlementQuery,
  reportedBy: WhenReported,
  { judgement, settings }: Asked,
  { flags, messages }: Context,
) {
  const transactions = flags.detail ? new Map<string, readonly BookedFigures[]>() : undefined;
  const decided = reconcileRange({
    source,
    query,
    settings: judgement,
    whenReported: reportedBy,
    explains: false,
    ahead: settings.preferences.concurrency,
    onProgress: messages.onProgress,
  });
  const run = await drained(decided, ({ reconciled, rows }) => {
    const { id } = reconciled.settlement;
    transactions?.set(id, transactionFigures(reconciled, rows, judgement.rules));
  });
  return { run, transactions };
}

/** What isn't whole can't be booked, and a journal without it would look whole. */
function refuseIncomplete(run: ReconciledRun, { exported }: Pick<Asked, 'exported'>): void {
  const reasons = whyIncomplete(run);
  if (reasons.length === 0) return;
  throw new ReconError('service', `No journal was written. ${reasons.join(' ')}`, {
    hint: exported
      ? 'Export the incomplete days again, or choose a range without them.'
      : 'Run it again. If it still fails, contact the provider, or choose a range without these days.',
  });
}
