-- Charges that were refunded more than they were paid, in minor units at decimal_places: the sums of
-- their rows, whatever their states and signs. Currencies are never mixed. Only the charges of a part
-- are held in memory; the parts together are all.
WITH refunded_charges AS (
  SELECT DISTINCT profile, lower(charge_id) AS id
  FROM transactions
  WHERE transaction_type IN ({{refund_types}}) AND charge_id <> ''
    AND lower(charge_id) >= {{ids_from}} AND (lower(charge_id) < {{ids_below}} OR {{is_last}})
),
sums AS (
  SELECT
    t.profile, c.id, t.currency, t.decimal_places,
    max(t.day) AS day,
    max(t.charge_id) AS charge_id,
    max(t.accounting_token) AS accounting_token,
    sum(CASE WHEN t.transaction_type IN ({{purchase_types}}) THEN 1 ELSE 0 END) AS purchases,
    sum(CASE WHEN t.transaction_type IN ({{purchase_types}})
      THEN CAST(t.amount_minor AS DECIMAL(38, 0)) ELSE 0 END) AS paid,
    sum(CASE WHEN t.transaction_type IN ({{refund_types}})
      THEN CAST(t.amount_minor AS DECIMAL(38, 0)) ELSE 0 END) AS refunded
  FROM transactions t
  JOIN refunded_charges c ON c.profile = t.profile AND c.id = lower(t.charge_id)
  WHERE t.transaction_type IN ({{refund_types}}) OR t.transaction_type IN ({{purchase_types}})
  GROUP BY t.profile, c.id, t.currency, t.decimal_places
),
scales AS (
  SELECT profile, id, currency, max(decimal_places) AS decimal_places
  FROM sums
  GROUP BY profile, id, currency
),
charges AS (
  SELECT
    s.profile, s.id, s.currency, c.decimal_places,
    max(s.day) AS day,
    max(s.charge_id) AS charge_id,
    max(s.accounting_token) AS accounting_token,
    sum(s.purchases) AS purchases,
    abs(sum(s.paid *
      CAST(rpad('1', 1 + c.decimal_places - s.decimal_places, '0') AS DECIMAL(38, 0)))) AS paid,
    abs(sum(s.refunded *
      CAST(rpad('1', 1 + c.decimal_places - s.decimal_places, '0') AS DECIMAL(38, 0)))) AS refunded
  FROM sums s
  JOIN scales c ON c.profile = s.profile AND c.id = s.id AND c.currency = s.currency
  GROUP BY s.profile, s.id, s.currency, c.decimal_places
),
with_purchases AS (
  SELECT *, sum(purchases) OVER (PARTITION BY profile, id) AS purchases_of_charge FROM charges
)
SELECT
  count(*) OVER () AS found,
  profile, day, accounting_token, charge_id, currency, decimal_places,
  refunded AS amount_minor,
  paid AS expected_minor
FROM with_purchases
-- A refund without any purchase is another question.
WHERE purchases_of_charge > 0 AND refunded > paid
ORDER BY id, profile, currency
LIMIT {{most}}
