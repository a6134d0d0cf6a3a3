-- What restatements changed in settlements that were settled before. If the status itself changed, the
-- earlier one counts. A restatement is known from the last time that a day was replaced.
WITH statuses AS (
  SELECT profile, day, settlement_id, max(before) AS status
  FROM changes
  WHERE field = 'settlement_status' AND change <> 'day_changed'
  GROUP BY profile, day, settlement_id
)
SELECT
  count(*) OVER () AS found,
  c.profile, c.day, s.accounting_token, c.settlement_id, c.transaction_id,
  c.change, c.field, c.before, c.after
FROM changes c
LEFT JOIN statuses b
  ON b.profile = c.profile AND b.day = c.day AND b.settlement_id = c.settlement_id
LEFT JOIN settlements s
  ON s.profile = c.profile AND s.day = c.day AND s.settlement_id = c.settlement_id
WHERE c.settlement_id <> ''
  AND coalesce(b.status, s.settlement_status) IN ('settled', 'settled_out_of_balance')
ORDER BY c.profile, c.day, c.settlement_id, c.transaction_id, c.field
LIMIT {{most}}
