-- Tables of another version of a day than the table days has, or of a day that it does not have: a line for
-- each table and day, with the number of rows. A profile that days does not have is not named.
WITH versions AS (
  SELECT 'settlements' AS field, profile, day, day_version, count(*) AS amount_minor FROM settlements
  GROUP BY profile, day, day_version
  UNION ALL
  SELECT 'transactions', profile, day, day_version, count(*) FROM transactions
  GROUP BY profile, day, day_version
  UNION ALL
  SELECT 'discrepancies', profile, day, day_version, count(*) FROM discrepancies
  GROUP BY profile, day, day_version
  UNION ALL
  SELECT 'changes', profile, day, day_version, count(*) FROM changes
  GROUP BY profile, day, day_version
),
known AS (
  SELECT DISTINCT profile FROM days
),
mixed AS (
  SELECT coalesce(k.profile, '') AS profile, v.day, v.field, 0 AS decimal_places,
    sum(v.amount_minor) AS amount_minor
  FROM versions v
  LEFT JOIN days d ON d.profile = v.profile AND d.day = v.day AND d.day_version = v.day_version
  LEFT JOIN known k ON k.profile = v.profile
  WHERE d.day IS NULL
  GROUP BY coalesce(k.profile, ''), v.day, v.field
)
SELECT count(*) OVER () AS found, mixed.*
FROM mixed
ORDER BY profile, day, field
LIMIT {{most}}
