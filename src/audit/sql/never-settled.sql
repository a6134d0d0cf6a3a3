-- Settlements that are pending for too long: dated before overdue_before, and on no other day settled.
SELECT
  count(*) OVER () AS found,
  s.profile, s.day, s.accounting_token, s.settlement_id, s.settlement_status AS field,
  s.currency, s.decimal_places, s.pay_in_reported_minor AS amount_minor
FROM settlements s
WHERE s.verdict = 'pending' AND s.day < {{overdue_before}}
  AND NOT EXISTS (
    SELECT 1
    FROM settlements o
    WHERE o.profile = s.profile AND o.settlement_id = s.settlement_id AND o.verdict <> 'pending'
  )
ORDER BY s.profile, s.day, s.settlement_id
LIMIT {{most}}
