-- Rows under the id of a settlement that the table settlements does not have on that day: how many, by
-- table. Tables of different versions are another question.
WITH named AS (
  SELECT 'transactions' AS field, profile, day, day_version, settlement_id,
    max(accounting_token) AS accounting_token, count(*) AS amount_minor
  FROM transactions
  GROUP BY profile, day, day_version, settlement_id
  UNION ALL
  SELECT 'discrepancies', profile, day, day_version, settlement_id,
    max(accounting_token), count(*)
  FROM discrepancies
  WHERE settlement_id <> ''
  GROUP BY profile, day, day_version, settlement_id
),
known AS (
  SELECT DISTINCT profile, day, settlement_id FROM settlements
),
torn AS (
  SELECT DISTINCT s.profile, s.day
  FROM settlements s
  JOIN days d ON d.profile = s.profile AND d.day = s.day AND d.day_version <> s.day_version
)
SELECT
  count(*) OVER () AS found,
  n.profile, n.day, n.accounting_token, n.settlement_id, n.field, 0 AS decimal_places, n.amount_minor
FROM named n
JOIN days d ON d.profile = n.profile AND d.day = n.day AND d.day_version = n.day_version
LEFT JOIN known k
  ON k.profile = n.profile AND k.day = n.day AND k.settlement_id = n.settlement_id
LEFT JOIN torn t ON t.profile = n.profile AND t.day = n.day
WHERE k.settlement_id IS NULL AND t.day IS NULL
ORDER BY n.profile, n.day, n.settlement_id, n.field
LIMIT {{most}}
