-- Months that an operator's job has sealed: their partitions take no new and no changed rows (storage module).
-- Not a tenant's: a partition holds the data of all of them.
create table sealed_month (
  table_name text not null check (table_name in ('measurement', 'hourly_energy')),
  period date not null,
  -- Null when the month was held open before it was ever sealed.
  sealed_at timestamptz,
  bytes_before bigint,
  -- Null until the partition has been compacted.
  rows bigint,
  bytes_after bigint,
  -- Set when the month was opened again: it is not sealed, and the job leaves it alone until then.
  unsealed_until timestamptz,
  primary key (table_name, period)
);
