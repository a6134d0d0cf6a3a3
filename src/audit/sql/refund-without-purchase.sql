-- Refunds whose charge has no purchase in the lake. Rows without a charge id can't be told. Only the
-- charges of a part are held in memory; the parts together are all.
WITH refunds AS (
  SELECT *
  FROM transactions
  WHERE transaction_type IN ({{refund_types}}) AND charge_id <> ''
    AND lower(charge_id) >= {{ids_from}} AND (lower(charge_id) < {{ids_below}} OR {{is_last}})
)
SELECT
  count(*) OVER () AS found,
  r.profile, r.day, r.accounting_token, r.settlement_id, r.transaction_id, r.charge_id,
  r.currency, r.decimal_places, r.amount_minor
FROM refunds r
WHERE NOT EXISTS (
  SELECT 1
  FROM transactions p
  WHERE p.transaction_type IN ({{purchase_types}})
    AND p.profile = r.profile AND lower(p.charge_id) = lower(r.charge_id)
)
ORDER BY lower(r.charge_id), r.day, r.transaction_id, r.settlement_id, r.profile
LIMIT {{most}}
