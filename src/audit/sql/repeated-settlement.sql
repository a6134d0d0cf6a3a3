-- Settlements that are on two days, or in two profiles.
WITH repeated AS (
  SELECT lower(settlement_id) AS id
  FROM settlements
  GROUP BY lower(settlement_id)
  HAVING count(*) > 1
),
shown AS (
  SELECT id, count(*) OVER () AS found FROM repeated ORDER BY id LIMIT {{most}}
)
SELECT
  shown.found,
  s.profile, s.day, s.accounting_token, s.settlement_id,
  s.currency, s.decimal_places, s.pay_in_reported_minor AS amount_minor
FROM shown
JOIN settlements s ON lower(s.settlement_id) = shown.id
ORDER BY shown.id, s.day, s.profile
LIMIT {{most}}
