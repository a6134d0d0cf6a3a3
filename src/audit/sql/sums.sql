-- Settlements whose rows do not come to what was judged: the number of transactions, gross, fees, tax,
-- and the pay-in by the identity of the day; or that have other decimal places, or name another
-- settlement, without a notice or a discrepancy, or another account. What rules add is taken from the
-- settlement. Amounts in minor units at decimal_places. Settlements that were not fully read have no
-- computed amounts; tables of different versions are another question.
WITH rows_by_scale AS (
  SELECT
    profile, day, settlement_id, accounting_token, currency, decimal_places,
    max(day_version) AS day_version,
    count(*) AS transactions,
    sum(CASE WHEN own_settlement_id <> '' AND lower(own_settlement_id) <> lower(settlement_id)
      THEN 1 ELSE 0 END) AS of_others,
    sum(CAST(amount_minor AS DECIMAL(38, 0))) AS gross,
    sum(CAST(fees_minor AS DECIMAL(38, 0))) AS fees,
    sum(CAST(tax_minor AS DECIMAL(38, 0))) AS tax
  FROM transactions
  GROUP BY profile, day, settlement_id, accounting_token, currency, decimal_places
),
rescaled AS (
  SELECT
    s.profile, s.day, s.settlement_id,
    r.day_version, r.transactions, r.of_others,
    CASE WHEN r.accounting_token <> s.accounting_token THEN r.transactions ELSE 0 END AS of_accounts,
    CASE WHEN r.currency = s.currency THEN r.decimal_places END AS decimal_places,
    -- Rows in another currency are in no sum.
    CASE WHEN r.currency = s.currency AND r.decimal_places <= s.decimal_places
      THEN CAST(rpad('1', 1 + s.decimal_places - r.decimal_places, '0') AS DECIMAL(38, 0))
      ELSE 0 END AS factor,
    r.gross, r.fees, r.tax
  FROM settlements s
  JOIN rows_by_scale r
    ON r.profile = s.profile AND r.day = s.day AND r.settlement_id = s.settlement_id
),
rows_by_settlement AS (
  SELECT
    profile, day, settlement_id,
    max(day_version) AS day_version,
    min(decimal_places) AS fewest_places,
    max(decimal_places) AS most_places,
    sum(transactions) AS transactions,
    sum(of_others) AS of_others,
    sum(of_accounts) AS of_accounts,
    sum(gross * factor) AS gross, sum(fees * factor) AS fees, sum(tax * factor) AS tax
  FROM rescaled
  GROUP BY profile, day, settlement_id
),
recomputed AS (
  SELECT
    s.profile, s.day, s.accounting_token, s.settlement_id, s.currency, s.decimal_places,
    s.transactions_computed, s.gross_computed_minor, s.fees_computed_minor, s.tax_computed_minor,
    s.pay_in_computed_minor,
    CASE
      WHEN r.most_places > s.decimal_places THEN r.most_places
      WHEN r.fewest_places < s.decimal_places AND s.notices NOT LIKE '%"scale"%' THEN r.fewest_places
      ELSE s.decimal_places
    END AS places_of_rows,
    CASE WHEN concat(s.discrepancies, s.notices) LIKE '%"foreign_settlement"%' THEN 0
      ELSE coalesce(r.of_others, 0) END AS of_others,
    coalesce(r.of_accounts, 0) AS of_accounts,
    coalesce(r.transactions, 0) + s.by_rule_transactions AS transactions,
    coalesce(r.gross, 0) + s.by_rule_gross_minor AS gross,
    coalesce(r.fees, 0) + s.by_rule_fees_minor AS fees,
    coalesce(r.tax, 0) + s.by_rule_tax_minor AS tax
  FROM settlements s
  LEFT JOIN rows_by_settlement r
    ON r.profile = s.profile AND r.day = s.day AND r.settlement_id = s.settlement_id
  WHERE s.gross_computed_minor IS NOT NULL AND coalesce(r.day_version, s.day_version) = s.day_version
),
compared AS (
  SELECT r.*, r.gross + d.fees_sign * r.fees + d.tax_sign * r.tax AS pay_in
  FROM recomputed r
  LEFT JOIN days d ON d.profile = r.profile AND d.day = r.day
),
figures AS (
  SELECT
    c.profile, c.day, c.accounting_token, c.settlement_id, c.currency, f.field,
    CASE WHEN f.field IN ('gross', 'fees', 'tax', 'pay_in') THEN c.decimal_places ELSE 0 END
      AS decimal_places,
    CASE f.field
      WHEN 'transactions' THEN CAST(c.transactions AS DECIMAL(38, 0))
      WHEN 'gross' THEN CAST(c.gross AS DECIMAL(38, 0))
      WHEN 'fees' THEN CAST(c.fees AS DECIMAL(38, 0))
      WHEN 'tax' THEN CAST(c.tax AS DECIMAL(38, 0))
      WHEN 'pay_in' THEN CAST(c.pay_in AS DECIMAL(38, 0))
      WHEN 'decimal_places' THEN c.places_of_rows
      WHEN 'rows_of_another_settlement' THEN c.of_others
      WHEN 'rows_of_another_account' THEN c.of_accounts
    END AS amount_minor,
    CASE f.field
      WHEN 'transactions' THEN c.transactions_computed
      WHEN 'gross' THEN c.gross_computed_minor
      WHEN 'fees' THEN c.fees_computed_minor
      WHEN 'tax' THEN c.tax_computed_minor
      WHEN 'pay_in' THEN c.pay_in_computed_minor
      WHEN 'decimal_places' THEN c.decimal_places
      ELSE 0
    END AS expected_minor
  FROM compared c
  CROSS JOIN (VALUES
    ('transactions'), ('gross'), ('fees'), ('tax'), ('pay_in'), ('decimal_places'),
    ('rows_of_another_settlement'), ('rows_of_another_account')
  ) AS f (field)
)
SELECT count(*) OVER () AS found, figures.*
FROM figures
WHERE amount_minor <> expected_minor
ORDER BY profile, day, settlement_id, field
LIMIT {{most}}
