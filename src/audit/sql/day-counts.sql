-- Days whose settlements, counted by verdict, or their transactions, or their discrepancies are not as many
-- as were counted when they were judged. Tables of different versions are another question.
WITH entries AS (
  -- Those of a settlement that is not there are another question.
  SELECT e.profile, e.day, e.day_version, count(*) AS discrepancies
  FROM discrepancies e
  JOIN (SELECT DISTINCT profile, day, settlement_id FROM settlements) s
    ON s.profile = e.profile AND s.day = e.day AND s.settlement_id = e.settlement_id
  GROUP BY e.profile, e.day, e.day_version
),
counted AS (
  SELECT
    d.profile, d.day, d.day_version, d.settlements_balanced, d.settlements_out_of_balance,
    d.settlements_pending, d.settlements_incomplete, d.transactions,
    sum(coalesce(s.transactions_computed - s.by_rule_transactions, 0)) AS transactions_computed,
    -- A code is in a pair of quotes.
    sum(coalesce(length(concat(s.discrepancies, s.notices))
      - length(replace(concat(s.discrepancies, s.notices), '"', '')), 0)) AS quotes,
    sum(CASE WHEN s.verdict = 'balanced' THEN 1 ELSE 0 END) AS balanced,
    sum(CASE WHEN s.verdict = 'out_of_balance' THEN 1 ELSE 0 END) AS out_of_balance,
    sum(CASE WHEN s.verdict = 'pending' THEN 1 ELSE 0 END) AS pending,
    sum(CASE WHEN s.verdict = 'incomplete' THEN 1 ELSE 0 END) AS incomplete
  FROM days d
  LEFT JOIN settlements s ON s.profile = d.profile AND s.day = d.day
  GROUP BY d.profile, d.day, d.settlements_balanced, d.settlements_out_of_balance,
    d.settlements_pending, d.settlements_incomplete, d.transactions, d.day_version
  HAVING coalesce(max(s.day_version), d.day_version) = d.day_version
),
figures AS (
  SELECT
    c.profile, c.day, f.field, 0 AS decimal_places,
    CASE f.field
      WHEN 'balanced' THEN c.balanced
      WHEN 'out_of_balance' THEN c.out_of_balance
      WHEN 'pending' THEN c.pending
      WHEN 'incomplete' THEN c.incomplete
      WHEN 'transactions' THEN c.transactions_computed
      WHEN 'discrepancies' THEN coalesce(e.discrepancies, 0)
    END AS amount_minor,
    CASE f.field
      WHEN 'balanced' THEN c.settlements_balanced
      WHEN 'out_of_balance' THEN c.settlements_out_of_balance
      WHEN 'pending' THEN c.settlements_pending
      WHEN 'incomplete' THEN c.settlements_incomplete
      WHEN 'transactions' THEN c.transactions
      WHEN 'discrepancies' THEN CAST(c.quotes / 2 AS BIGINT)
    END AS expected_minor
  FROM counted c
  LEFT JOIN entries e ON e.profile = c.profile AND e.day = c.day AND e.day_version = c.day_version
  CROSS JOIN (VALUES
    ('balanced'), ('out_of_balance'), ('pending'), ('incomplete'), ('transactions'), ('discrepancies')
  ) AS f (field)
)
SELECT count(*) OVER () AS found, figures.*
FROM figures
WHERE amount_minor <> expected_minor
ORDER BY profile, day, field
LIMIT {{most}}
