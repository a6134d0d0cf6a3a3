-- Charges that were refunded more than they were paid, in minor units at decimal_places: the sums of
-- their rows, whatever their states and signs. Currencies are never mixed. Only the charges of a part
-- are held in memory, by a hash; the parts together are all.
WITH refund_hashes AS (
  SELECT {{hash_of lower(charge_id)}} AS hash
  FROM transactions
  WHERE transaction_type IN ({{refund_types}}) AND charge_id <> ''
),
refunded AS (
  SELECT DISTINCT hash FROM refund_hashes WHERE {{is_in_part hash}}
),
sums AS (
  SELECT
    profile, lower(charge_id) AS id, currency, decimal_places,
    max(day) AS day,
    max(charge_id) AS charge_id,
    max(accounting_token) AS accounting_token,
    sum(CASE WHEN transaction_type IN ({{purchase_types}}) THEN 1 ELSE 0 END) AS purchases,
    sum(CASE WHEN transaction_type IN ({{purchase_types}})
      THEN CAST(amount_minor AS DECIMAL(38, 0)) ELSE 0 END) AS paid,
    sum(CASE WHEN transaction_type IN ({{refund_types}})
      THEN CAST(amount_minor AS DECIMAL(38, 0)) ELSE 0 END) AS refunded
  FROM transactions
  WHERE (transaction_type IN ({{refund_types}}) OR transaction_type IN ({{purchase_types}}))
    AND charge_id <> '' AND {{hash_of lower(charge_id)}} IN (SELECT hash FROM refunded)
  GROUP BY profile, lower(charge_id), currency, decimal_places
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
