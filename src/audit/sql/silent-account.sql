-- Accounts that went silent: no settlement for silent_days days of the lake or more, and for longer
-- than ever before. Days that are missing from the lake do not count.
WITH calendar AS (
  SELECT profile, day, row_number() OVER (PARTITION BY profile ORDER BY day) AS number
  FROM days
),
ends AS (
  SELECT profile, max(number) AS number FROM calendar GROUP BY profile
),
active AS (
  SELECT DISTINCT s.profile, s.accounting_token, c.day, c.number
  FROM settlements s
  JOIN calendar c ON c.profile = s.profile AND c.day = s.day
),
pauses AS (
  SELECT
    profile, accounting_token, day, number,
    number - 1 - lag(number) OVER (PARTITION BY profile, accounting_token ORDER BY number) AS pause
  FROM active
),
accounts AS (
  SELECT profile, accounting_token, max(day) AS day, max(number) AS number, coalesce(max(pause), 0) AS longest
  FROM pauses
  GROUP BY profile, accounting_token
)
SELECT
  count(*) OVER () AS found,
  a.profile, a.day, a.accounting_token, e.number - a.number AS days, a.longest AS longest_before
FROM accounts a
JOIN ends e ON e.profile = a.profile
WHERE e.number - a.number >= {{silent_days}} AND e.number - a.number > a.longest
ORDER BY a.profile, a.accounting_token
LIMIT {{most}}
