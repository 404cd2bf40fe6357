-- Scenarios: what results would have been with changes (ADR 0099). They are never mixed with runs: nothing refers to them.
create table scenario (
  tenant_id integer not null references tenant (id),
  id uuid not null default gen_random_uuid(),
  name text not null,
  from_period date not null check (extract(day from from_period) = 1),
  to_period date not null check (extract(day from to_period) = 1),
  -- As in the request.
  changes jsonb not null,
  -- The investment, for the payback.
  cost_try numeric(18, 6) check (cost_try >= 0),
  state text not null default 'waiting' check (state in ('waiting', 'done', 'failed', 'cancelled')),
  -- Increased by each computation that begins, and by a cancellation: an earlier computation may not write any more.
  attempt integer not null default 0,
  months_total integer not null default 0,
  months_done integer not null default 0,
  -- The change, its field and the text of a failure.
  error_change integer,
  error_field text,
  error jsonb,
  -- The runs of the base at the time of the calculation, and the hash of their inputs and the changes.
  base_run_ids uuid[] not null default '{}',
  input_hash text,
  batteries jsonb not null default '[]',
  requested_by uuid,
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (tenant_id, id),
  check (from_period <= to_period),
  check ((state = 'waiting') = (finished_at is null))
);
create index scenario_waiting_idx on scenario (tenant_id, created_at, id) where state = 'waiting';
create index scenario_created_idx on scenario (tenant_id, created_at desc, id);

create table scenario_group (
  tenant_id integer not null,
  scenario_id uuid not null,
  group_id uuid not null,
  primary key (tenant_id, scenario_id, group_id),
  constraint scenario_group_scenario_fkey foreign key (tenant_id, scenario_id)
    references scenario (tenant_id, id) on delete cascade,
  constraint scenario_group_group_fkey foreign key (tenant_id, group_id) references netting_group (tenant_id, id)
);

-- The figures of one group and month, without and with the changes.
create table scenario_month (
  tenant_id integer not null,
  scenario_id uuid not null,
  group_id uuid not null,
  billing_period date not null,
  base jsonb not null,
  result jsonb not null,
  members jsonb not null,
  -- The hours, as gzipped JSON.
  hours bytea not null,
  primary key (tenant_id, scenario_id, group_id, billing_period),
  constraint scenario_month_scenario_fkey foreign key (tenant_id, scenario_id)
    references scenario (tenant_id, id) on delete cascade,
  constraint scenario_month_group_fkey foreign key (tenant_id, group_id) references netting_group (tenant_id, id)
);
