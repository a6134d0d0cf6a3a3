-- Days between the first and the last of a profile that are not there: from day to last_day.
WITH following AS (
  SELECT profile, day, lead(day) OVER (PARTITION BY profile ORDER BY day) AS next_day
  FROM days
)
SELECT
  count(*) OVER () AS found,
  profile,
  CAST(day + INTERVAL '1' DAY AS DATE) AS day,
  CAST(next_day - INTERVAL '1' DAY AS DATE) AS last_day
FROM following
WHERE next_day > day + INTERVAL '1' DAY
ORDER BY profile, day
LIMIT {{most}}
