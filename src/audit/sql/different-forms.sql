-- Values of which two forms disagree: a decimal and its minor units, a time and its timestamp; and rows that
-- are listed less than once. Decimals are shown with four places. A decimal without minor units, or
-- beyond four places, is null.
WITH forms AS (
  SELECT
    'transactions' AS source,
    profile, day, accounting_token, settlement_id, transaction_id, currency, decimal_places,
    listed, timestamp, time,
    amount_minor AS minor_1, fees_minor AS minor_2, tax_minor AS minor_3, CAST(NULL AS BIGINT) AS minor_4,
    amount AS decimal_1, fees AS decimal_2, tax AS decimal_3, CAST(NULL AS DECIMAL(38, 4)) AS decimal_4
  FROM transactions
  UNION ALL
  SELECT
    'settlements', profile, day, accounting_token, settlement_id, '', currency, decimal_places,
    1, settlement_timestamp, settlement_time,
    gross_reported_minor, fees_reported_minor, tax_reported_minor, pay_in_reported_minor,
    gross_reported, fees_reported, tax_reported, pay_in_reported
  FROM settlements
  UNION ALL
  SELECT
    'discrepancies', profile, day, accounting_token, settlement_id, '', currency, decimal_places,
    1, '', NULL,
    difference_minor, NULL, NULL, NULL,
    difference, NULL, NULL, NULL
  FROM discrepancies
),
with_units AS (
  SELECT
    forms.*,
    CASE decimal_places
      WHEN 0 THEN CAST(1 AS DECIMAL(5, 4))
      WHEN 1 THEN CAST('0.1' AS DECIMAL(5, 4))
      WHEN 2 THEN CAST('0.01' AS DECIMAL(5, 4))
      WHEN 3 THEN CAST('0.001' AS DECIMAL(5, 4))
      WHEN 4 THEN CAST('0.0001' AS DECIMAL(5, 4))
    END AS unit,
    {{time_of timestamp}} AS moment
  FROM forms
),
compared AS (
  SELECT
    with_units.*,
    decimal_1 IS DISTINCT FROM minor_1 * unit AS differs_1,
    decimal_2 IS DISTINCT FROM minor_2 * unit AS differs_2,
    decimal_3 IS DISTINCT FROM minor_3 * unit AS differs_3,
    decimal_4 IS DISTINCT FROM minor_4 * unit AS differs_4,
    -- Engines read fewer forms of timestamps than an export does, and some without a zone.
    CASE
      WHEN timestamp = '' THEN time IS NOT NULL
      WHEN moment IS NULL THEN FALSE
      WHEN time IS NULL THEN timestamp LIKE '____-__-__T__:__:__%Z' AND timestamp NOT LIKE '00%'
        AND timestamp NOT LIKE '%T24%'
      ELSE time <> moment
    END AS time_differs
  FROM with_units
),
different AS (
  SELECT *
  FROM compared
  WHERE differs_1 OR differs_2 OR differs_3 OR differs_4 OR time_differs OR listed < 1
),
fields AS (
  SELECT
    d.*, f.number, f.field,
    CASE f.number WHEN 1 THEN decimal_1 WHEN 2 THEN decimal_2 WHEN 3 THEN decimal_3 WHEN 4 THEN decimal_4 END
      AS as_decimal,
    CASE f.number WHEN 1 THEN minor_1 WHEN 2 THEN minor_2 WHEN 3 THEN minor_3 WHEN 4 THEN minor_4 END
      * unit AS as_minor
  FROM different d
  JOIN (VALUES
    ('transactions', 1, 'amount'), ('transactions', 2, 'fees'), ('transactions', 3, 'tax'),
    ('settlements', 1, 'gross'), ('settlements', 2, 'fees'), ('settlements', 3, 'tax'),
    ('settlements', 4, 'pay_in'), ('discrepancies', 1, 'difference'),
    ('transactions', 5, 'time'), ('settlements', 5, 'time'), ('transactions', 6, 'listed')
  ) AS f (source, number, field)
    ON f.source = d.source
  WHERE CASE f.number
    WHEN 1 THEN d.differs_1
    WHEN 2 THEN d.differs_2
    WHEN 3 THEN d.differs_3
    WHEN 4 THEN d.differs_4
    WHEN 5 THEN d.time_differs
    ELSE d.listed < 1
  END
)
SELECT
  count(*) OVER () AS found,
  profile, day, accounting_token, settlement_id, transaction_id, currency, field, timestamp AS before,
  CASE WHEN number = 6 THEN 0 ELSE 4 END AS decimal_places,
  CASE
    WHEN number = 6 THEN listed
    -- Beyond it the product would have more than 38 digits.
    WHEN abs(as_decimal) < CAST('1000000000000000000000000000000' AS DECIMAL(38, 4))
      THEN CAST(as_decimal * 10000 AS DECIMAL(38, 0))
  END AS amount_minor,
  CASE WHEN number = 6 THEN 1 ELSE CAST(as_minor * 10000 AS DECIMAL(38, 0)) END AS expected_minor
FROM fields
ORDER BY profile, day, settlement_id, transaction_id, field
LIMIT {{most}}
