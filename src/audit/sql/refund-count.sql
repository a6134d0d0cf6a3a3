-- How many refunds there are: by it, their charges are searched at once or in parts.
SELECT count(*) AS found
FROM transactions
WHERE transaction_type IN ({{refund_types}})
