-- Sizings: a scenario for each of several sizes of one of its changes (ADR 0105, ADR 0125). They are never mixed with runs.
create table sizing (
  tenant_id integer not null references tenant (id),
  id uuid not null default gen_random_uuid(),
  name text not null,
  from_period date not null check (extract(day from from_period) = 1),
  to_period date not null check (extract(day from to_period) = 1),
  -- As in the request: the changes, the position of the one whose size varies, and the sizes in its unit.
  changes jsonb not null,
  change_index integer not null check (change_index >= 0),
  sizes jsonb not null,
  -- The investment: of a plant or battery of any size, and of each unit of its size.
  cost_fixed_try numeric(18, 6) check (cost_fixed_try >= 0),
  cost_per_unit_try numeric(18, 6) check (cost_per_unit_try >= 0),
  state text not null default 'waiting' check (state in ('waiting', 'done', 'failed', 'cancelled')),
  -- Increased by each computation that begins, and by a cancellation: an earlier computation may not write any more.
  attempt integer not null default 0,
  points_total integer not null,
  points_done integer not null default 0,
  -- The change, its field and the text of a failure.
  error_change integer,
  error_field text,
  error jsonb,
  -- The runs of the base at the time of the calculation, and the hash of their inputs and the request.
  base_run_ids uuid[] not null default '{}',
  input_hash text,
  result jsonb,
  requested_by uuid,
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (tenant_id, id),
  check (from_period <= to_period),
  check ((state = 'waiting') = (finished_at is null))
);
create index sizing_waiting_idx on sizing (tenant_id, created_at, id) where state = 'waiting';
create index sizing_created_idx on sizing (tenant_id, created_at desc, id);

create table sizing_group (
  tenant_id integer not null,
  sizing_id uuid not null,
  group_id uuid not null,
  primary key (tenant_id, sizing_id, group_id),
  constraint sizing_group_sizing_fkey foreign key (tenant_id, sizing_id)
    references sizing (tenant_id, id) on delete cascade,
  constraint sizing_group_group_fkey foreign key (tenant_id, group_id) references netting_group (tenant_id, id)
);
