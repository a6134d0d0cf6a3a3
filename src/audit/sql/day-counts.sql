-- Days whose settlements, counted by verdict, are not as many as were counted when they were judged.
-- Tables of different versions are another question.
WITH counted AS (
  SELECT
    d.profile, d.day, d.settlements_balanced, d.settlements_out_of_balance, d.settlements_pending,
    d.settlements_incomplete,
    sum(CASE WHEN s.verdict = 'balanced' THEN 1 ELSE 0 END) AS balanced,
    sum(CASE WHEN s.verdict = 'out_of_balance' THEN 1 ELSE 0 END) AS out_of_balance,
    sum(CASE WHEN s.verdict = 'pending' THEN 1 ELSE 0 END) AS pending,
    sum(CASE WHEN s.verdict = 'incomplete' THEN 1 ELSE 0 END) AS incomplete
  FROM days d
  LEFT JOIN settlements s ON s.profile = d.profile AND s.day = d.day
  GROUP BY d.profile, d.day, d.settlements_balanced, d.settlements_out_of_balance,
    d.settlements_pending, d.settlements_incomplete, d.day_version
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
    END AS amount_minor,
    CASE f.field
      WHEN 'balanced' THEN c.settlements_balanced
      WHEN 'out_of_balance' THEN c.settlements_out_of_balance
      WHEN 'pending' THEN c.settlements_pending
      WHEN 'incomplete' THEN c.settlements_incomplete
    END AS expected_minor
  FROM counted c
  CROSS JOIN (VALUES ('balanced'), ('out_of_balance'), ('pending'), ('incomplete')) AS f (field)
)
SELECT count(*) OVER () AS found, figures.*
FROM figures
WHERE amount_minor <> expected_minor
ORDER BY profile, day, field
LIMIT {{most}}
