-- Tables of another version of a day than the table days has, or of a day that it does not have.
WITH versions AS (
  SELECT 'settlements' AS field, profile, day, day_version FROM settlements
  GROUP BY profile, day, day_version
  UNION ALL
  SELECT 'transactions', profile, day, day_version FROM transactions
  GROUP BY profile, day, day_version
  UNION ALL
  SELECT 'discrepancies', profile, day, day_version FROM discrepancies
  GROUP BY profile, day, day_version
  UNION ALL
  SELECT 'changes', profile, day, day_version FROM changes
  GROUP BY profile, day, day_version
)
SELECT count(*) OVER () AS found, v.profile, v.day, v.field
FROM versions v
LEFT JOIN days d ON d.profile = v.profile AND d.day = v.day AND d.day_version = v.day_version
WHERE d.day IS NULL
ORDER BY v.profile, v.day, v.field
LIMIT {{most}}
