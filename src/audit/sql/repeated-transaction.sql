-- Transactions that are in two settlements, on two days, or in two profiles, ever. Ids differ by more than upper and
-- lower case. Those whose hash occurs twice come first, then their rows. Only the hashes of a part are held
-- in memory; the parts together are all.
WITH hashes AS (
  SELECT {{hash_of lower(transaction_id)}} AS hash FROM transactions
),
repeated AS (
  SELECT hash FROM hashes WHERE {{is_in_part hash}} GROUP BY hash HAVING count(*) > 1
),
candidates AS (
  SELECT
    lower(transaction_id) AS id,
    profile, day, accounting_token, settlement_id, transaction_id, charge_id,
    currency, decimal_places, amount_minor
  FROM transactions
  WHERE {{hash_of lower(transaction_id)}} IN (SELECT hash FROM repeated)
),
counted AS (
  SELECT
    candidates.*,
    count(*) OVER (PARTITION BY id) AS copies,
    row_number() OVER (PARTITION BY id ORDER BY day) AS number
  FROM candidates
)
SELECT
  sum(CASE WHEN number = 1 THEN 1 ELSE 0 END) OVER () AS found,
  profile, day, accounting_token, settlement_id, transaction_id, charge_id,
  currency, decimal_places, amount_minor
FROM counted
WHERE copies > 1
ORDER BY id, day, profile, settlement_id
LIMIT {{most}}
