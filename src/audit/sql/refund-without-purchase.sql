-- Refunds whose charge has no purchase in the lake. Rows without a charge id can't be told. Only the
-- charges of a part are held in memory, by a hash; the parts together are all.
WITH refund_hashes AS (
  SELECT {{hash_of lower(charge_id)}} AS hash
  FROM transactions
  WHERE transaction_type IN ({{refund_types}}) AND charge_id <> ''
),
refunded AS (
  SELECT DISTINCT hash FROM refund_hashes WHERE {{is_in_part hash}}
),
candidates AS (
  SELECT
    profile, day, accounting_token, settlement_id, transaction_id, charge_id,
    currency, decimal_places, amount_minor, transaction_type,
    sum(CASE WHEN transaction_type IN ({{purchase_types}}) THEN 1 ELSE 0 END)
      OVER (PARTITION BY profile, lower(charge_id)) AS purchases
  FROM transactions
  WHERE (transaction_type IN ({{refund_types}}) OR transaction_type IN ({{purchase_types}}))
    AND charge_id <> '' AND {{hash_of lower(charge_id)}} IN (SELECT hash FROM refunded)
)
SELECT
  count(*) OVER () AS found,
  profile, day, accounting_token, settlement_id, transaction_id, charge_id,
  currency, decimal_places, amount_minor
FROM candidates
WHERE purchases = 0 AND transaction_type IN ({{refund_types}})
ORDER BY lower(charge_id), day, transaction_id, settlement_id, profile
LIMIT {{most}}
