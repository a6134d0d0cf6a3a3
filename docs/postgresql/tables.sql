-- For PostgreSQL 15 or later. Amounts are numeric, which is exact. Ids and timestamps are text,
-- kept as received. Missing values are null.

create table days (day date primary key, manifest json not null);

create table settlements (
  day date not null, settlement_date date not null, settlement_timestamp text,
  settlement_id text not null, accounting_token text, accounting_name text,
  merchant_id text, payment_service text, currency text not null, decimal_places integer not null,
  settlement_status text, service_says text not null, sums_say text not null, verdict text not null,
  transactions_reported bigint, transactions_computed bigint, transactions_difference bigint,
  gross_reported numeric, gross_computed numeric, gross_difference numeric,
  fees_reported numeric, fees_computed numeric, fees_difference numeric,
  tax_reported numeric, tax_computed numeric, tax_difference numeric,
  pay_in_reported numeric, pay_in_computed numeric, pay_in_difference numeric,
  discrepancies text, notices text, payment_references text, payment_end_to_end_ids text,
  explanation text, verdict_reason text, by_rule text
);
create index on settlements (day, settlement_id);

create table transactions (
  day date not null, settlement_date date not null, settlement_id text not null,
  accounting_token text, accounting_name text,
  transaction_id text not null, charge_id text, order_id text, timestamp text,
  transaction_type text, payment_type text, state text,
  currency text not null, decimal_places integer not null,
  amount numeric not null, fees numeric not null, tax numeric not null,
  amount_minor numeric not null, fees_minor numeric not null, tax_minor numeric not null,
  notes jsonb not null
);
create index on transactions (day, settlement_id);
create index on transactions using gin (notes jsonb_path_ops);

create table groups (
  day date not null, accounting_token text, accounting_name text,
  currency text not null, decimal_places integer not null,
  settlements_balanced bigint, settlements_out_of_balance bigint,
  settlements_pending bigint, settlements_incomplete bigint,
  gross_reported numeric, gross_computed numeric,
  gross_difference numeric, gross_difference_absolute numeric,
  fees_reported numeric, fees_computed numeric,
  fees_difference numeric, fees_difference_absolute numeric,
  tax_reported numeric, tax_computed numeric,
  tax_difference numeric, tax_difference_absolute numeric,
  pay_in_reported numeric, pay_in_computed numeric,
  pay_in_difference numeric, pay_in_difference_absolute numeric,
  out_of_balance_net numeric, out_of_balance_absolute numeric, pending_pay_in numeric,
  mixed_decimal_places text, settlements_unknown_status bigint, unknown_status_pay_in numeric,
  by_rule text
);
create index on groups (day);

create table discrepancies (
  day date not null, settlement_date date, settlement_id text,
  accounting_token text, accounting_name text, currency text,
  weight text not null, code text not null, count bigint, difference numeric, message text not null
);
create index on discrepancies (day);
