-- Refund types, or purchase types, none of which any transaction has: then their questions find nothing.
WITH counted AS (
  SELECT
    sum(CASE WHEN transaction_type IN ({{refund_types}}) THEN 1 ELSE 0 END) AS refunds,
    sum(CASE WHEN transaction_type IN ({{purchase_types}}) THEN 1 ELSE 0 END) AS purchases
  FROM transactions
),
missing AS (
  SELECT 'refund_types' AS field FROM counted WHERE refunds = 0
  UNION ALL
  SELECT 'purchase_types' FROM counted WHERE purchases = 0
)
SELECT count(*) OVER () AS found, field
FROM missing
ORDER BY field
