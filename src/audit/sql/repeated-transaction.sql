-- Transactions that are in two settlements, on two days, or in two profiles, ever. Ids differ by more than upper and
-- lower case. Only the ids of a part are held in memory; the parts together are all.
WITH repeated AS (
  SELECT lower(transaction_id) AS id
  FROM transactions
  WHERE lower(transaction_id) >= {{ids_from}} AND (lower(transaction_id) < {{ids_below}} OR {{is_last}})
  GROUP BY lower(transaction_id)
  HAVING count(*) > 1
),
shown AS (
  SELECT id, count(*) OVER () AS found FROM repeated ORDER BY id LIMIT {{most}}
)
SELECT
  shown.found,
  t.profile, t.day, t.accounting_token, t.settlement_id, t.transaction_id, t.charge_id,
  t.currency, t.decimal_places, t.amount_minor
FROM shown
JOIN transactions t ON lower(t.transaction_id) = shown.id
ORDER BY shown.id, t.day, t.profile, t.settlement_id
LIMIT {{most}}
