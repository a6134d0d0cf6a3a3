-- The totals of each account and currency, in minor units at decimal_places. Amounts are those of the
-- balanced and the out-of-balance settlements; difference is reported - computed; net and absolute
-- pay-in differences are those of the out-of-balance settlements. If no identity gave a pay-in for some,
-- the computed pay-in is null. Currencies are never mixed.
WITH scales AS (
  SELECT profile, accounting_token, currency, max(decimal_places) AS decimal_places
  FROM settlements
  GROUP BY profile, accounting_token, currency
),
amounts AS (
  SELECT
    s.profile, s.accounting_token, s.accounting_name, s.currency, s.verdict,
    c.decimal_places,
    CAST(rpad('1', 1 + c.decimal_places - s.decimal_places, '0') AS DECIMAL(38, 0)) AS factor,
    CASE WHEN s.verdict IN ('balanced', 'out_of_balance') THEN 1 ELSE 0 END AS is_in_sums,
    CASE WHEN s.verdict IN ('balanced', 'out_of_balance') AND s.pay_in_computed_minor IS NULL
      THEN 1 ELSE 0 END AS is_without_pay_in,
    s.transactions_computed,
    s.gross_reported_minor, s.gross_computed_minor,
    s.fees_reported_minor, s.fees_computed_minor,
    s.tax_reported_minor, s.tax_computed_minor,
    s.pay_in_reported_minor, s.pay_in_computed_minor
  FROM settlements s
  JOIN scales c
    ON c.profile = s.profile AND c.accounting_token = s.accounting_token AND c.currency = s.currency
)
SELECT
  profile, accounting_token, max(accounting_name) AS accounting_name, currency, decimal_places,
  sum(CASE WHEN verdict = 'balanced' THEN 1 ELSE 0 END) AS balanced,
  sum(CASE WHEN verdict = 'out_of_balance' THEN 1 ELSE 0 END) AS out_of_balance,
  sum(CASE WHEN verdict = 'pending' THEN 1 ELSE 0 END) AS pending,
  sum(CASE WHEN verdict = 'incomplete' THEN 1 ELSE 0 END) AS incomplete,
  coalesce(sum(is_in_sums * transactions_computed), 0) AS transactions,
  sum(is_in_sums * CAST(gross_reported_minor AS DECIMAL(38, 0)) * factor) AS gross_reported_minor,
  sum(is_in_sums * CAST(gross_computed_minor AS DECIMAL(38, 0)) * factor) AS gross_computed_minor,
  sum(is_in_sums * CAST(fees_reported_minor AS DECIMAL(38, 0)) * factor) AS fees_reported_minor,
  sum(is_in_sums * CAST(fees_computed_minor AS DECIMAL(38, 0)) * factor) AS fees_computed_minor,
  sum(is_in_sums * CAST(tax_reported_minor AS DECIMAL(38, 0)) * factor) AS tax_reported_minor,
  sum(is_in_sums * CAST(tax_computed_minor AS DECIMAL(38, 0)) * factor) AS tax_computed_minor,
  sum(is_in_sums * CAST(pay_in_reported_minor AS DECIMAL(38, 0)) * factor) AS pay_in_reported_minor,
  CASE WHEN max(is_without_pay_in) = 0
    THEN sum(is_in_sums * CAST(pay_in_computed_minor AS DECIMAL(38, 0)) * factor) END
    AS pay_in_computed_minor,
  sum(CASE WHEN verdict = 'out_of_balance' THEN
    (CAST(pay_in_reported_minor AS DECIMAL(38, 0)) - pay_in_computed_minor) * factor END)
    AS pay_in_difference_minor,
  sum(CASE WHEN verdict = 'out_of_balance' THEN
    abs(CAST(pay_in_reported_minor AS DECIMAL(38, 0)) - pay_in_computed_minor) * factor END)
    AS pay_in_absolute_minor,
  sum(CASE WHEN verdict = 'pending' THEN
    CAST(pay_in_reported_minor AS DECIMAL(38, 0)) * factor END)
    AS pay_in_pending_minor
FROM amounts
GROUP BY profile, accounting_token, currency, decimal_places
ORDER BY profile, accounting_token, currency
