-- What the rows of balanced and out-of-balance settlements come to by payment type and month, in minor
-- units at decimal_places, and the fee rate: fees by gross, for display only. Rows in another currency
-- than their settlement's are counted, and in no sum. Rules are not applied.
WITH rows_by_settlement AS (
  SELECT
    profile, day, settlement_id, payment_type, currency, decimal_places,
    count(*) AS transactions,
    sum(CAST(amount_minor AS DECIMAL(38, 0))) AS gross,
    sum(CAST(fees_minor AS DECIMAL(38, 0))) AS fees
  FROM transactions
  GROUP BY profile, day, settlement_id, payment_type, currency, decimal_places
),
rows_in_sums AS (
  SELECT
    r.profile, CAST(date_trunc('month', r.day) AS DATE) AS month, r.payment_type, s.currency,
    CASE WHEN r.currency = s.currency THEN r.decimal_places ELSE 0 END AS decimal_places,
    r.transactions,
    CASE WHEN r.currency = s.currency THEN r.gross ELSE 0 END AS gross,
    CASE WHEN r.currency = s.currency THEN r.fees ELSE 0 END AS fees
  FROM rows_by_settlement r
  JOIN settlements s
    ON s.profile = r.profile AND s.day = r.day AND s.settlement_id = r.settlement_id
  WHERE s.verdict IN ('balanced', 'out_of_balance')
),
rows_by_month AS (
  SELECT
    profile, month, payment_type, currency, decimal_places,
    sum(transactions) AS transactions, sum(gross) AS gross, sum(fees) AS fees,
    max(decimal_places) OVER (PARTITION BY profile, payment_type, currency) AS most_places
  FROM rows_in_sums
  GROUP BY profile, month, payment_type, currency, decimal_places
),
rescaled AS (
  SELECT
    profile, month, payment_type, currency, most_places AS decimal_places, transactions,
    gross * CAST(rpad('1', 1 + most_places - decimal_places, '0') AS DECIMAL(38, 0)) AS gross,
    fees * CAST(rpad('1', 1 + most_places - decimal_places, '0') AS DECIMAL(38, 0)) AS fees
  FROM rows_by_month
)
SELECT
  profile, month, payment_type, currency, decimal_places,
  sum(transactions) AS transactions,
  sum(gross) AS gross_minor,
  sum(fees) AS fees_minor,
  CAST(sum(fees) AS DOUBLE) / nullif(CAST(sum(gross) AS DOUBLE), 0) AS fee_rate
FROM rescaled
GROUP BY profile, month, payment_type, currency, decimal_places
ORDER BY profile, currency, payment_type, month
