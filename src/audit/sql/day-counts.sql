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
different AS (
  SELECT profile, day, 'balanced' AS field, balanced AS amount_minor,
    settlements_balanced AS expected_minor
  FROM counted WHERE balanced <> settlements_balanced
  UNION ALL
  SELECT profile, day, 'out_of_balance', out_of_balance, settlements_out_of_balance
  FROM counted WHERE out_of_balance <> settlements_out_of_balance
  UNION ALL
  SELECT profile, day, 'pending', pending, settlements_pending
  FROM counted WHERE pending <> settlements_pending
  UNION ALL
  SELECT profile, day, 'incomplete', incomplete, settlements_incomplete
  FROM counted WHERE incomplete <> settlements_incomplete
)
SELECT count(*) OVER () AS found, different.*, 0 AS decimal_places
FROM different
ORDER BY profile, day, field
LIMIT {{most}}
