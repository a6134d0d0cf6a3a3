import type { ChargeFinding, ChargesSeen, WeighedCharge } from '../../explain/charge-evidence.ts';
import { plain, unsure } from '../common/blocks.ts';
import { enumerate, many, moneyText, signedDigitsOf } from '../common/phrase.ts';
import type { Remark } from '../common/view.ts';

/** So many charges that could not be read are named. */
const mostUnread = 3;

/** What the charges of the rows in the explanations say, a line each; and how many could not be read. */
export function chargeRemarks({ named, weighed, unread }: ChargesSeen): readonly Remark[] {
  const telling = weighed.filter(({ findings }) => findings.length > 0);
  const quiet = weighed.length - telling.length;
  const left = named - weighed.length - unread.length;
  return [
    ...telling.map((one): Remark => ({ ...marksOf(one), text: chargeSentence(one) })),
    ...(quiet > 0 ? [plain(`${many(quiet, 'charge')} without findings`)] : []),
    ...unread
      .slice(0, mostUnread)
      .map(({ id, notRead }) => unsure(`charge ${id} could not be read: ${notRead}`)),
    ...(unread.length > 0
      ? [
          unsure(
            `${unread.length} of ${many(named, 'charge')} could not be read; no verdict depends on them`,
          ),
        ]
      : []),
    ...(left > 0 ? [unsure(`${many(left, 'more charge')} not read`)] : []),
    ...(named === 0 ? [plain('no explanation involves a row with a charge')] : []),
  ];
}

/** `charge X (settled), transaction Y: 25.00 EUR disputed`. */
export function chargeSentence({
  chargeId,
  status,
  transactionIds,
  findings,
}: WeighedCharge): string {
  const rows = enumerate(transactionIds);
  const of = transactionIds.length === 1 ? 'transaction' : 'transactions';
  return `charge ${chargeId} (${status}), ${of} ${rows}: ${findings.map(findingText).join('; ')}`;
}

function findingText(one: ChargeFinding): string {
  switch (one.code) {
    case 'settled_differs':
      return (
        `settled ${moneyText(one.settled)}, its rows here ${moneyText(one.rows)} ` +
        `(difference ${signedDigitsOf(one.difference)})`
      );
    case 'disputed':
    case 'reversed':
    case 'canceled':
      return `${moneyText(one.amount)} ${one.code}`;
    case 'refunded':
      return `${moneyText(one.amount)} refunded (${one.whole ? 'in full' : 'in part'})`;
    case 'out_of_balance': {
      const amounts = [...one.amounts.map(moneyText), ...one.others];
      return amounts.length === 0
        ? 'the service reports it as out of balance'
        : `out of balance by ${enumerate(amounts)}`;
    }
    case 'status_contradicts':
      return 'its row is approved, but the charge was never completed';
  }
}

/** A refund alone is nothing to worry about: whoever made it knows of it. */
function marksOf({ findings }: WeighedCharge): Pick<Remark, 'mark' | 'tone'> {
  return findings.every(({ code }) => code === 'refunded')
    ? { mark: '-', tone: 'plain' }
    : { mark: '!', tone: 'bad' };
}
