import { transactionColumns } from '../../src/report/transactions/view.ts';
import { fieldsOf } from './columns.ts';
import {
  closed,
  count,
  either,
  type Fields,
  flag,
  listOf,
  object,
  oneOf,
  only,
  open,
  orNull,
  text,
  texts,
} from './form.ts';
import {
  code,
  completeness,
  finding,
  findings,
  notes,
  range,
  report,
  settlementId,
  settlementRef,
} from './parts.ts';

const columns = transactionColumns(new Map(), []).filter(
  ({ part, key }) => part !== 'settlement' && !key.endsWith('_minor'),
);
const transaction = open({
  settlement: settlementRef,
  ...fieldsOf(columns),
  'notes?': notes,
});

const asked: Fields = {
  range: orNull(range),
  settlement: orNull(settlementId),
  profile: orNull(text),
  filters: object({
    'mid?': text,
    'cid?': count,
    'chid?': count,
    'state?': texts,
    'type?': texts,
    'paymentType?': texts,
  }),
};
const reason = object({ code: either(code, only('changed_row')), message: text });
const ending: Fields = {
  completeness,
  listed: count,
  partial: listOf(
    object({
      settlement: settlementRef,
      pending: flag,
      transactions: count,
      reasons: listOf(reason),
    }),
  ),
  conflicting: listOf(closed(finding, { settlement: settlementRef })),
  findings: findings,
  unmatched: listOf(
    object({ field: oneOf('state', 'type', 'paymentType'), value: text, seen: texts }),
  ),
};

/** `recon transactions`. */
export const transactions = report(
  { ...asked, ...ending },
  { transactions: ['transaction', transaction] },
);
