-- Faults in the tables of the base, each planted alone by the statements below its header:
--   NAME | QUESTION, any if empty | SETTLEMENTS, ROWS AND DAYS of which one is named | OPTIONS
-- Options: notice (changes no exit code by itself), folder (in the layout of days, the folder of
-- the day goes too), monthly (only there), and flags of the audit. {table} is each table.
-- "undetectable" says in words why no query over the tables can find it.

-- # known

-- a row is lost | sums | web-2026-01-27
DELETE FROM transactions WHERE transaction_id = 'web-2026-01-27/2';

-- a row is there twice | sums | web-2026-01-28
INSERT INTO transactions FROM transactions WHERE transaction_id = 'web-2026-01-28/2';

-- an amount is one cent higher | sums | web-2026-01-29
UPDATE transactions SET amount_minor = amount_minor + 1, amount = amount + 0.01
  WHERE transaction_id = 'web-2026-01-29/2';

-- a fee is one cent lower | sums | web-2026-01-30
UPDATE transactions SET fees_minor = fees_minor - 1, fees = fees - 0.01
  WHERE transaction_id = 'web-2026-01-30/1';

-- a tax is one cent higher | sums | web-2026-01-31
UPDATE transactions SET tax_minor = tax_minor + 1, tax = tax + 0.01
  WHERE transaction_id = 'web-2026-01-31/4';

-- fees and tax of a row are swapped | sums | web-2026-02-01
UPDATE transactions SET fees_minor = tax_minor, tax_minor = fees_minor, fees = tax,
  tax = fees WHERE transaction_id = 'web-2026-02-01/1';

-- a row is in another currency | sums | web-2026-02-02
UPDATE transactions SET currency = 'USD' WHERE transaction_id = 'web-2026-02-02/2';

-- the sign of an amount is turned with its fee | sums | web-2026-02-03
UPDATE transactions SET amount_minor = -amount_minor, amount = -amount, fees_minor = -fees_minor,
  fees = -fees WHERE transaction_id = 'web-2026-02-03/2';

-- a settlement has lost all rows | sums | web-2026-02-04
DELETE FROM transactions WHERE settlement_id = 'web-2026-02-04';

-- a computed pay-in and its difference are one off | sums | web-2026-02-05
UPDATE settlements SET pay_in_computed_minor = pay_in_computed_minor + 1,
  pay_in_difference_minor = -1 WHERE settlement_id = 'web-2026-02-05';

-- a row is under another settlement of its account | sums | stores-2026-01-29 stores-2026-01-31
UPDATE transactions SET settlement_id = 'stores-2026-01-31'
  WHERE transaction_id = 'stores-2026-01-29/2';

-- a table of a day is of another version | mixedVersions | 2026-01-26
UPDATE settlements SET day_version = 'older' WHERE day = DATE '2026-01-26';

-- a day is missing from all tables | missingDay | 2026-02-01 | folder
DELETE FROM {table} WHERE day = DATE '2026-02-01';

-- a day is incomplete | incompleteDay | 2026-01-27
UPDATE days SET complete = false, verdict = 'incomplete' WHERE day = DATE '2026-01-27';

-- a day counts one more settlement | dayCounts | 2026-01-30
UPDATE days SET settlements_balanced = settlements_balanced + 1 WHERE day = DATE '2026-01-30';

-- a settlement is lost with its rows | dayCounts | 2026-01-30
DELETE FROM settlements WHERE settlement_id = 'kuwait-2026-01-30';
DELETE FROM transactions WHERE settlement_id = 'kuwait-2026-01-30';

-- one transaction is in two settlements | repeatedTransaction | web-2026-02-01 web-2026-02-03
UPDATE transactions SET transaction_id = 'web-2026-02-01/2'
  WHERE transaction_id = 'web-2026-02-03/2';

-- a settlement is on two days | repeatedSettlement | kuwait-2026-02-04 2026-02-05
INSERT INTO settlements SELECT * REPLACE (DATE '2026-02-05' AS day, (SELECT day_version
  FROM days WHERE day = DATE '2026-02-05') AS day_version) FROM settlements
  WHERE settlement_id = 'kuwait-2026-02-04';
UPDATE days SET settlements_balanced = settlements_balanced + 1 WHERE day = DATE '2026-02-05';

-- a charge is refunded more than it was paid | overRefunded | often-refunded web-2026-02-01
UPDATE transactions SET charge_id = 'often-refunded' WHERE transaction_id IN
  ('web-2026-02-01/3', 'web-2026-02-02/6', 'web-2026-02-03/6', 'web-2026-02-04/6');

-- a refund names a charge that nobody paid | refundWithoutPurchase | web-2026-02-06 | notice
UPDATE transactions SET charge_id = 'nobody-paid-this' WHERE transaction_id = 'web-2026-02-06/6';

-- refunds have another name | missingType | refund | notice
UPDATE transactions SET transaction_type = 'REFUNDED' WHERE transaction_type = 'refund';

-- a settled settlement was changed by a restatement | changedAfterSettled | kuwait-2026-01-25 | notice
INSERT INTO changes BY NAME SELECT profile, day_version, day, settlement_id, '' AS transaction_id,
  'settlement_changed' AS change, 'gross' AS field, '1.00' AS before, '2.00' AS after
  FROM settlements WHERE settlement_id = 'kuwait-2026-01-25';

-- a settlement is pending for too long | neverSettled | stores-2026-01-25 | notice
UPDATE settlements SET settlement_status = 'pending_settlement', service_says = 'pending',
  verdict = 'pending' WHERE settlement_id = 'stores-2026-01-25';
UPDATE days SET verdict = 'pending', settlements_balanced = settlements_balanced - 1,
  settlements_pending = settlements_pending + 1 WHERE day = DATE '2026-01-25';

-- an account has no more settlements | silentAccount | c27e9b14-08d3-4f6a-8e52-94b1f7603d03 | notice --silent-days 6
DELETE FROM settlements WHERE starts_with(settlement_id, 'ab5e0000') AND day >= DATE '2026-02-03';
DELETE FROM transactions WHERE starts_with(settlement_id, 'ab5e0000') AND day >= DATE '2026-02-03';
UPDATE days SET settlements_balanced = settlements_balanced - 1, transactions = transactions - 2
  WHERE day IN (DATE '2026-02-03', DATE '2026-02-06');

-- # told

-- a row is of a settlement that is nowhere | | orphan-1 orphan-row
INSERT INTO transactions SELECT * REPLACE ('orphan-1' AS settlement_id,
  'orphan-row' AS transaction_id, 'orphan-1' AS own_settlement_id) FROM transactions
  WHERE transaction_id = 'kuwait-2026-01-30/2';

-- a settlement is lost without its rows, and the day agrees | | kuwait-2026-02-04 2026-02-04
DELETE FROM settlements WHERE settlement_id = 'kuwait-2026-02-04';
UPDATE days SET settlements_balanced = settlements_balanced - 1 WHERE day = DATE '2026-02-04';

-- gross: reported − computed is not the difference | | web-2026-01-25
UPDATE settlements SET gross_difference_minor = 500 WHERE settlement_id = 'web-2026-01-25';

-- fees: reported − computed is not the difference | | web-2026-01-26
UPDATE settlements SET fees_difference_minor = 500 WHERE settlement_id = 'web-2026-01-26';

-- tax: reported − computed is not the difference | | web-2026-01-27
UPDATE settlements SET tax_difference_minor = 500 WHERE settlement_id = 'web-2026-01-27';

-- pay_in: reported − computed is not the difference | | web-2026-01-28
UPDATE settlements SET pay_in_difference_minor = 500 WHERE settlement_id = 'web-2026-01-28';

-- transactions: reported − computed is not the difference | | stores-2026-02-04
UPDATE settlements SET transactions_reported = transactions_reported + 2
  WHERE settlement_id = 'stores-2026-02-04';

-- reported is 10,000 higher, the difference is not | | web-2026-02-03
UPDATE settlements SET gross_reported_minor = gross_reported_minor + 10000,
  gross_reported = gross_reported + 100 WHERE settlement_id = 'web-2026-02-03';

-- reported and difference are 10,000 higher, the verdict is balanced | | web-2026-02-05
UPDATE settlements SET gross_reported_minor = gross_reported_minor + 10000,
  gross_reported = gross_reported + 100, gross_difference_minor = 10000,
  pay_in_reported_minor = pay_in_reported_minor + 10000, pay_in_reported = pay_in_reported + 100,
  pay_in_difference_minor = 10000 WHERE settlement_id = 'web-2026-02-05';

-- out of balance, though all agrees | | kuwait-2026-02-04
UPDATE settlements SET verdict = 'out_of_balance', sums_say = 'out_of_balance'
  WHERE settlement_id = 'kuwait-2026-02-04';
UPDATE days SET verdict = 'out_of_balance', settlements_balanced = settlements_balanced - 1,
  settlements_out_of_balance = settlements_out_of_balance + 1 WHERE day = DATE '2026-02-04';

-- a decimal is not its minor units | | web-2026-01-31
UPDATE transactions SET amount = amount + 1 WHERE transaction_id = 'web-2026-01-31/2';

-- a decimal of a fee is not its minor units | | web-2026-02-02
UPDATE transactions SET fees = fees * 10 WHERE transaction_id = 'web-2026-02-02/1';

-- a decimal of a settlement is not its minor units | | ab5e0000-cafe-5000-8000-000020260131
UPDATE settlements SET pay_in_reported = pay_in_reported / 100
  WHERE settlement_id = 'ab5e0000-cafe-5000-8000-000020260131';

-- a time is not its timestamp | | stores-2026-02-02
UPDATE transactions SET time = time + INTERVAL 1 HOUR WHERE transaction_id = 'stores-2026-02-02/1';

-- the time of a settlement is not its timestamp | | stores-2026-02-06
UPDATE settlements SET settlement_time = settlement_time - INTERVAL 1 DAY
  WHERE settlement_id = 'stores-2026-02-06';

-- a row was listed no time | | web-2026-02-01
UPDATE transactions SET listed = 0 WHERE transaction_id = 'web-2026-02-01/1';

-- a scale is unlike the settlement’s, the amounts are not | | web-2026-02-05
UPDATE transactions SET decimal_places = 3 WHERE transaction_id = 'web-2026-02-05/2';

-- a day has more transactions than rows | | 2026-02-07
UPDATE days SET transactions = transactions + 1 WHERE day = DATE '2026-02-07';

-- # own

-- equal rows of two settlements are swapped in all columns that name them | | stores-2026-01-27 stores-2026-02-02
-- undetectable: Counts and sums stay, ids are unique, each row names the settlement it is under.
CREATE OR REPLACE TABLE other AS FROM transactions
  WHERE transaction_id IN ('stores-2026-01-27/2', 'stores-2026-02-02/2');
UPDATE transactions SET settlement_id = other.settlement_id, day = other.day,
  own_settlement_id = other.own_settlement_id, day_version = other.day_version
  FROM other WHERE other.transaction_id <> transactions.transaction_id
  AND transactions.transaction_id IN ('stores-2026-01-27/2', 'stores-2026-02-02/2');

-- two amounts of a settlement are altered against each other | | web-2026-02-04
-- undetectable: A settlement states only its sums, and they stay.
UPDATE transactions SET amount_minor = amount_minor + 100, amount = amount + 1
  WHERE transaction_id = 'web-2026-02-04/1';
UPDATE transactions SET amount_minor = amount_minor - 100, amount = amount - 1
  WHERE transaction_id = 'web-2026-02-04/2';

-- a settlement is lost with its rows, and the day agrees | | 2026-02-04
-- undetectable: Nothing that is left in the tables names it.
DELETE FROM settlements WHERE settlement_id = 'kuwait-2026-02-04';
DELETE FROM transactions WHERE settlement_id = 'kuwait-2026-02-04';
DELETE FROM discrepancies WHERE settlement_id = 'kuwait-2026-02-04';
UPDATE days SET settlements_balanced = settlements_balanced - 1,
  transactions = transactions - 5 WHERE day = DATE '2026-02-04';

-- a settlement and its rows are in another currency | | stores-2026-02-06
-- undetectable: No other column names the currency.
UPDATE settlements SET currency = 'USD' WHERE settlement_id = 'stores-2026-02-06';
UPDATE transactions SET currency = 'USD' WHERE settlement_id = 'stores-2026-02-06';

-- a row is on another day than its settlement | | web-2026-02-04 2026-02-04 2026-02-05
UPDATE transactions SET day = DATE '2026-02-05', day_version = (SELECT day_version FROM days
  WHERE day = DATE '2026-02-05') WHERE transaction_id = 'web-2026-02-04/2';

-- an amount went through a 32-bit float | sums | ab5e0000-cafe-5000-8000-000020260125
UPDATE transactions SET amount_minor = CAST(CAST(amount_minor AS FLOAT) AS BIGINT),
  amount = CAST(CAST(amount_minor AS FLOAT) AS BIGINT)
  WHERE transaction_id = 'ab5e0000-cafe-5000-8000-000020260125/1';

-- a decimal went through a 32-bit float | | ab5e0000-cafe-5000-8000-000020260128
UPDATE transactions SET amount = CAST(CAST(amount AS FLOAT) AS DECIMAL(38, 4))
  WHERE transaction_id = 'ab5e0000-cafe-5000-8000-000020260128/1';

-- rows write the id of their settlement in other letters | | ab5e0000-cafe-5000-8000-000020260131 AB5E0000-CAFE-5000-8000-000020260131
UPDATE transactions SET settlement_id = upper(settlement_id)
  WHERE settlement_id = 'ab5e0000-cafe-5000-8000-000020260131';

-- a settlement is there twice on its day | | kuwait-2026-01-25 2026-01-25
INSERT INTO settlements FROM settlements WHERE settlement_id = 'kuwait-2026-01-25';

-- a day is there twice | | 2026-01-29
INSERT INTO days FROM days WHERE day = DATE '2026-01-29';

-- a day has another verdict than its settlements | | 2026-02-08
UPDATE days SET verdict = 'out_of_balance' WHERE day = DATE '2026-02-08';

-- a day is not complete, but all its settlements are | | 2026-02-06
UPDATE days SET complete = false WHERE day = DATE '2026-02-06';

-- a row names another settlement than the one it is under | | stores-2026-01-27
UPDATE transactions SET own_settlement_id = 'stores-2026-02-06'
  WHERE transaction_id = 'stores-2026-01-27/2';

-- a row is of another account than its settlement | | web-2026-01-28
UPDATE transactions SET accounting_token = '8a61d4e9-52f7-4c03-b1d8-70c9e35fa202'
  WHERE transaction_id = 'web-2026-01-28/2';

-- a row is of another profile than its settlement | | web-2026-02-04 2026-02-04 other
UPDATE transactions SET profile = 'other' WHERE transaction_id = 'web-2026-02-04/2';

-- NULL for amount_minor | | web-2026-02-02 2026-02-02
UPDATE transactions SET amount_minor = NULL WHERE transaction_id = 'web-2026-02-02/2';

-- NULL for decimal_places | | web-2026-02-02 2026-02-02
UPDATE transactions SET decimal_places = NULL WHERE transaction_id = 'web-2026-02-02/2';

-- NULL for time | | web-2026-02-02 2026-02-02
UPDATE transactions SET time = NULL WHERE transaction_id = 'web-2026-02-02/2';

-- NULL for settlement_id | | web-2026-02-02 2026-02-02
UPDATE transactions SET settlement_id = NULL WHERE transaction_id = 'web-2026-02-02/2';

-- NULL for currency | | web-2026-02-02 2026-02-02
UPDATE transactions SET currency = NULL WHERE transaction_id = 'web-2026-02-02/2';

-- NULL for a fee of 0 | | web-2026-02-03
UPDATE transactions SET fees_minor = NULL WHERE transaction_id = 'web-2026-02-03/3';

-- NULL for a verdict | | web-2026-02-04 2026-02-04
UPDATE settlements SET verdict = NULL WHERE settlement_id = 'web-2026-02-04';

-- a month lacks a day | | 2026-01-29 | monthly
DELETE FROM {table} WHERE day = DATE '2026-01-29';

-- a day lacks its transactions alone | | 2026-01-29 | folder
DELETE FROM transactions WHERE day = DATE '2026-01-29';
