-- What there is of each profile: its days, its settlements by verdict, its transactions.
SELECT
  profile,
  min(day) AS first_day,
  max(day) AS last_day,
  count(*) AS days,
  sum(settlements_balanced) AS balanced,
  sum(settlements_out_of_balance) AS out_of_balance,
  sum(settlements_pending) AS pending,
  sum(settlements_incomplete) AS incomplete,
  sum(transactions) AS transactions
FROM days
GROUP BY profile
ORDER BY profile
