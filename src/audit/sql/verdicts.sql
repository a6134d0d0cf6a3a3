-- Settlements with a verdict that their status and their discrepancies do not give, or with discrepancies
-- that their figures do not give, and days with a verdict that their settlements do not give: before is what the table has, after what follows from the rest of it.
-- Where a figure has no discrepancy, amount_minor is its difference at decimal_places.
WITH judged AS (
  SELECT
    s.*,
    concat(s.discrepancies, s.notices) AS codes,
    CASE s.settlement_status
      WHEN 'settled' THEN 'balanced'
      WHEN 'settled_out_of_balance' THEN 'out_of_balance'
      WHEN 'pending_settlement' THEN 'pending'
      WHEN 'validated' THEN 'pending'
      ELSE 'unknown'
    END AS status_says,
    CASE
      WHEN s.discrepancies LIKE '%"unreadable_record"%' OR s.discrepancies LIKE '%"unsteady_read"%'
        OR s.discrepancies LIKE '%"not_read"%' THEN 'incomplete'
      WHEN s.discrepancies IN ('[]', '["reported_by_service"]') THEN 'balanced'
      ELSE 'out_of_balance'
    END AS discrepancies_say,
    CASE WHEN s.sums_say = 'balanced' AND s.discrepancies LIKE '%"reported_by_service"%'
      THEN 'out_of_balance' ELSE s.sums_say END AS all_say,
    d.tolerance,
    CAST(s.pay_in_reported_minor AS DECIMAL(38, 0)) - s.gross_reported_minor
      - d.fees_sign * CAST(s.fees_reported_minor AS DECIMAL(38, 0))
      - d.tax_sign * CAST(s.tax_reported_minor AS DECIMAL(38, 0)) AS deviation
  FROM settlements s
  LEFT JOIN days d ON d.profile = s.profile AND d.day = s.day AND d.day_version = s.day_version
),
opinions AS (
  SELECT
    j.profile, j.day, j.accounting_token, j.settlement_id, f.field,
    CASE f.field
      WHEN 'service_says' THEN j.service_says
      WHEN 'sums_say' THEN j.sums_say
      WHEN 'verdict' THEN j.verdict
      WHEN 'complete' THEN CASE WHEN j.complete THEN 'yes' ELSE 'no' END
    END AS before,
    CASE f.field
      WHEN 'service_says' THEN j.status_says
      WHEN 'sums_say' THEN j.discrepancies_say
      WHEN 'verdict' THEN CASE
        -- Another header of the same id may say that it is, or is not, pending.
        WHEN j.codes LIKE '%"conflicting_settlement"%' AND j.verdict = 'pending' THEN 'pending'
        WHEN j.codes LIKE '%"conflicting_settlement"%' THEN j.all_say
        WHEN j.service_says = 'pending' THEN 'pending'
        WHEN j.service_says = 'unknown' AND j.all_say = 'balanced' THEN 'pending'
        ELSE j.all_say
      END
      WHEN 'complete' THEN CASE WHEN j.gross_computed_minor IS NULL THEN 'no' ELSE 'yes' END
    END AS after
  FROM judged j
  CROSS JOIN (VALUES ('service_says'), ('sums_say'), ('verdict'), ('complete')) AS f (field)
),
differences AS (
  SELECT
    j.profile, j.day, j.accounting_token, j.settlement_id, j.currency, f.field, j.codes, j.tolerance,
    CASE WHEN f.field IN ('count', 'reported_by_service') THEN 0 ELSE j.decimal_places END AS decimal_places,
    CASE f.field
      WHEN 'count' THEN CAST(j.transactions_reported AS DECIMAL(38, 0)) - j.transactions_computed
      WHEN 'gross' THEN CAST(j.gross_reported_minor AS DECIMAL(38, 0)) - j.gross_computed_minor
      WHEN 'fees' THEN CAST(j.fees_reported_minor AS DECIMAL(38, 0)) - j.fees_computed_minor
      WHEN 'tax' THEN CAST(j.tax_reported_minor AS DECIMAL(38, 0)) - j.tax_computed_minor
      WHEN 'identity' THEN j.deviation
      ELSE CASE WHEN j.status_says = 'out_of_balance' THEN 1 ELSE 0 END
    END AS amount_minor
  FROM judged j
  CROSS JOIN (VALUES
    ('count'), ('gross'), ('fees'), ('tax'), ('identity'), ('reported_by_service')
  ) AS f (field)
),
findings_of_day AS (
  SELECT profile, day, day_version,
    sum(CASE WHEN weight = 'incomplete' THEN 1 ELSE 0 END) AS incomplete,
    sum(CASE WHEN weight = 'discrepancy' THEN 1 ELSE 0 END) AS discrepancies
  FROM discrepancies
  WHERE settlement_id = ''
  GROUP BY profile, day, day_version
),
settlements_of_day AS (
  SELECT profile, day, min(day_version) AS least_version, max(day_version) AS day_version,
    sum(CASE WHEN service_says = 'pending' AND (NOT complete
      OR coalesce(transactions_computed - by_rule_transactions, 0) < transactions_reported)
      THEN 1 ELSE 0 END) AS unread
  FROM settlements
  GROUP BY profile, day
),
judged_days AS (
  SELECT
    d.profile, d.day, d.verdict, d.complete, coalesce(s.unread, 0) AS unread,
    CASE
      WHEN d.settlements_incomplete > 0 OR e.incomplete > 0 THEN 'incomplete'
      WHEN d.settlements_out_of_balance > 0 OR e.discrepancies > 0 THEN 'out_of_balance'
      WHEN d.settlements_pending > 0 THEN 'pending'
      ELSE 'balanced'
    END AS verdict_of_all
  FROM days d
  LEFT JOIN settlements_of_day s ON s.profile = d.profile AND s.day = d.day
  LEFT JOIN findings_of_day e
    ON e.profile = d.profile AND e.day = d.day AND e.day_version = d.day_version
  -- Tables of different versions are another question.
  WHERE s.day_version IS NULL OR (s.least_version = d.day_version AND s.day_version = d.day_version)
),
contradictions AS (
  SELECT
    profile, day, '' AS accounting_token, '' AS settlement_id, '' AS currency, 'verdict' AS field,
    0 AS decimal_places, CAST(NULL AS DECIMAL(38, 0)) AS amount_minor,
    verdict AS before, verdict_of_all AS after
  FROM judged_days
  WHERE verdict <> verdict_of_all
  UNION ALL
  SELECT
    profile, day, '', '', '', 'complete', 0, NULL,
    CASE WHEN complete THEN 'yes' ELSE 'no' END,
    CASE WHEN complete THEN 'no' ELSE 'yes' END
  FROM judged_days
  WHERE complete <> (verdict_of_all <> 'incomplete' AND unread = 0)
  UNION ALL
  SELECT
    profile, day, accounting_token, settlement_id, '', field, 0, NULL, before, after
  FROM opinions
  WHERE before <> after
  UNION ALL
  SELECT
    profile, day, accounting_token, settlement_id, currency, field, decimal_places, amount_minor,
    CASE WHEN amount_minor = 0 THEN field ELSE '' END,
    CASE WHEN amount_minor = 0 THEN '' ELSE field END
  FROM differences
  WHERE CASE
    WHEN amount_minor IS NULL THEN FALSE
    WHEN amount_minor = 0 THEN codes LIKE concat('%"', field, '"%')
    -- Rows of other decimal places raise those of the settlement, in which the tolerance is not counted.
    WHEN field NOT IN ('count', 'reported_by_service') AND codes LIKE '%"within_tolerance"%'
      AND (abs(amount_minor) <= tolerance OR codes LIKE '%"scale"%') THEN FALSE
    ELSE codes NOT LIKE concat('%"', field, '"%')
  END
)
SELECT count(*) OVER () AS found, contradictions.*
FROM contradictions
ORDER BY profile, day, settlement_id, field
LIMIT {{most}}
