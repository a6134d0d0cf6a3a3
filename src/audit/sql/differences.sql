-- Settlements with a difference that is not reported - computed, in minor units at decimal_places. Without
-- a computed figure there is no difference.
WITH figures AS (
  SELECT
    s.profile, s.day, s.accounting_token, s.settlement_id, s.currency, f.field,
    CASE WHEN f.field = 'transactions' THEN 0 ELSE s.decimal_places END AS decimal_places,
    CASE f.field
      WHEN 'transactions' THEN s.transactions_difference
      WHEN 'gross' THEN s.gross_difference_minor
      WHEN 'fees' THEN s.fees_difference_minor
      WHEN 'tax' THEN s.tax_difference_minor
      WHEN 'pay_in' THEN s.pay_in_difference_minor
    END AS amount_minor,
    CASE f.field
      WHEN 'transactions' THEN CAST(s.transactions_reported AS DECIMAL(38, 0))
      WHEN 'gross' THEN CAST(s.gross_reported_minor AS DECIMAL(38, 0))
      WHEN 'fees' THEN CAST(s.fees_reported_minor AS DECIMAL(38, 0))
      WHEN 'tax' THEN CAST(s.tax_reported_minor AS DECIMAL(38, 0))
      WHEN 'pay_in' THEN CAST(s.pay_in_reported_minor AS DECIMAL(38, 0))
    END AS reported,
    CASE f.field
      WHEN 'transactions' THEN s.transactions_computed
      WHEN 'gross' THEN s.gross_computed_minor
      WHEN 'fees' THEN s.fees_computed_minor
      WHEN 'tax' THEN s.tax_computed_minor
      WHEN 'pay_in' THEN s.pay_in_computed_minor
    END AS computed
  FROM settlements s
  CROSS JOIN (VALUES ('transactions'), ('gross'), ('fees'), ('tax'), ('pay_in')) AS f (field)
)
SELECT
  count(*) OVER () AS found,
  profile, day, accounting_token, settlement_id, currency, field, decimal_places, amount_minor,
  reported - computed AS expected_minor
FROM figures
WHERE amount_minor IS DISTINCT FROM reported - computed
ORDER BY profile, day, settlement_id, field
LIMIT {{most}}
