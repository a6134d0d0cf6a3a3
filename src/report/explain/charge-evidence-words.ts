import type { ChargeFinding, ChargesSeen, WeighedCharge } from '../../explain/charge-evidence.ts';
import { alarm, plain, unsure } from '../common/blocks.ts';
import { enumerate, grouped, many, moneyText, present, signedDigitsOf } from '../common/phrase.ts';
import type { Remark } from '../common/view.ts';

/** So many charges that could not be read are named. */
const mostUnread = 3;

/** What the charges of the rows in the explanations say, a line each; and how many could not be read. */
export function chargeRemarks({ named, weighed, unread }: ChargesSeen): readonly Remark[] {
  const telling = weighed.filter(({ findings }) => findings.length > 0);
  const quiet = weighed.length - telling.length;
  const left = named - weighed.length - unread.length;
  const few = unread.slice(0, mostUnread);
  return [
    ...telling.map(remarkOf),
    ...present(quiet > 0 && `${many(quiet, 'charge')} without findings`).map((one) => plain(one)),
    ...present(
      ...few.map(({ id, notRead }) => `charge ${id} could not be read: ${notRead}`),
      unread.length > 0 &&
        `${unread.length} of ${many(named, 'charge')} could not be read; no verdict depends on them`,
      left > 0 && `${many(left, 'more charge')} not read`,
    ).map(unsure),
    ...(named === 0 ? [plain('no explanation involves a row with a charge')] : []),
  ];
}

/** A refund alone is nothing to worry about: whoever made it knows of it. */
function remarkOf(one: WeighedCharge): Remark {
  const text = chargeSentence(one);
  return one.findings.every(({ code }) => code === 'refunded') ? plain(text) : alarm(text);
}

/** `charge X (settled), transaction Y: 25.00 EUR disputed`. */
export function chargeSentence(one: WeighedCharge): string {
  const { chargeId, status, transactionIds, findings } = one;
  const of = transactionIds.length === 1 ? 'transaction' : 'transactions';
  const found = findings.map(findingText).join('; ');
  return `charge ${chargeId} (${status}), ${of} ${enumerate(transactionIds)}: ${found}`;
}

function findingText(one: ChargeFinding): string {
  switch (one.code) {
    case 'settled_differs':
      return (
        `settled ${moneyText(one.settled)}, its rows here ${moneyText(one.rows)} ` +
        `(difference ${grouped(signedDigitsOf(one.difference))})`
      );
    case 'disputed':
    case 'reversed':
    case 'canceled':
      return `${moneyText(one.amount)} ${one.code}`;
    case 'refunded':
      return `${moneyText(one.amount)} refunded (${one.whole ? 'in full' : 'in part'})`;
    case 'out_of_balance': {
      const amounts = enumerate([...one.amounts.map(moneyText), ...one.others]);
      return amounts ? `out of balance by ${amounts}` : 'the service reports it as out of balance';
    }
    case 'status_contradicts':
      return 'its row is approved, but the charge was never completed';
  }
}
