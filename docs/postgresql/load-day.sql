-- Loads one day of an export. Run it in the folder of that day. Loading a day again replaces it.

\set ON_ERROR_STOP on
\set manifest `cat manifest.json`
begin;
select :'manifest'::json ->> 'day' as day \gset

-- The files have no `day` column; all other columns must match the tables.
create temporary table new_settlements (like settlements) on commit drop;
create temporary table new_transactions (like transactions) on commit drop;
create temporary table new_groups (like groups) on commit drop;
create temporary table new_discrepancies (like discrepancies) on commit drop;
alter table new_settlements drop column day;
alter table new_transactions drop column day, alter column notes type text;
alter table new_groups drop column day;
alter table new_discrepancies drop column day;
\copy new_settlements from 'settlements.csv' with (format csv, header match, encoding 'UTF8')
\copy new_transactions from 'transactions.csv' with (format csv, header match, encoding 'UTF8')
\copy new_groups from 'groups.csv' with (format csv, header match, encoding 'UTF8')
\copy new_discrepancies from 'discrepancies.csv' with (format csv, header match, encoding 'UTF8')
-- JSON allows NUL characters and unpaired surrogates, PostgreSQL does not: they become U+FFFD.
alter table new_transactions alter column notes type jsonb
  using regexp_replace(notes, '(?<!\\)((\\\\)*)\\u(0000|d[89a-f]..)', '\1\\ufffd', 'g')::jsonb;

delete from days where day = :'day';
delete from settlements where day = :'day';
delete from transactions where day = :'day';
delete from groups where day = :'day';
delete from discrepancies where day = :'day';
insert into days values (:'day', :'manifest');
insert into settlements select :'day', * from new_settlements;
insert into transactions select :'day', * from new_transactions;
insert into groups select :'day', * from new_groups;
insert into discrepancies select :'day', * from new_discrepancies;

-- Compare the tables with the manifest; a difference rolls everything back.
create temporary table compared (
  what text, loaded numeric, manifest numeric,
  constraint as_in_the_manifest check (loaded = manifest)
) on commit drop;
insert into compared
select what, sum(loaded), sum(manifest) from (
  select 'settlements.csv', count(*), 0 from settlements where day = :'day'
  union all select 'transactions.csv', count(*), 0 from transactions where day = :'day'
  union all select 'groups.csv', count(*), 0 from groups where day = :'day'
  union all select 'discrepancies.csv', count(*), 0 from discrepancies where day = :'day'
  union all select name, 0, (file ->> 'rows')::numeric
    from json_each(:'manifest'::json -> 'files') as files (name, file)
    where name in ('settlements.csv', 'transactions.csv', 'groups.csv', 'discrepancies.csv')
  union all select 'pay-in ' || currency, pay_in_reported, 0 from settlements where day = :'day'
  union all select 'amount ' || currency, amount, 0 from transactions where day = :'day'
  union all select 'fees ' || currency, fees, 0 from transactions where day = :'day'
  union all select 'tax ' || currency, tax, 0 from transactions where day = :'day'
  union all select word || ' ' || currency, 0, sum
    from json_to_recordset(:'manifest'::json -> 'totals')
      as totals (currency text, "payIn" numeric, amount numeric, fees numeric, tax numeric),
    lateral (values ('pay-in', "payIn"), ('amount', amount), ('fees', fees), ('tax', tax))
      as sums (word, sum)
) as both_sides (what, loaded, manifest) group by what;
commit;
