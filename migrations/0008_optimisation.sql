-- Optimisations: proposals of a solver that the engine has computed (ADR 0126). Nothing refers to them.
create table optimisation (
  tenant_id integer not null references tenant (id),
  id uuid not null default gen_random_uuid(),
  name text not null,
  kind text not null,
  group_ids uuid[] not null,
  from_period date not null check (extract(day from from_period) = 1),
  to_period date not null check (extract(day from to_period) = 1),
  -- As in the request.
  request jsonb not null,
  state text not null default 'waiting' check (state in ('waiting', 'done', 'failed', 'cancelled')),
  -- Increased by each computation that begins, and by a cancellation: an earlier computation may not write any more.
  attempt integer not null default 0,
  steps_done integer not null default 0,
  -- The field and the text of a failure.
  error_field text,
  error jsonb,
  -- The runs of the base at the time of the calculation.
  base_run_ids uuid[] not null default '{}',
  result jsonb,
  -- Energy by hour of each battery, and energy of each pair of facilities.
  set_points jsonb not null default '[]',
  flows jsonb not null default '[]',
  requested_by uuid,
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (tenant_id, id),
  check (from_period <= to_period),
  check ((state = 'waiting') = (finished_at is null))
);
create index optimisation_waiting_idx on optimisation (tenant_id, created_at, id) where state = 'waiting';
create index optimisation_created_idx on optimisation (tenant_id, created_at desc, id);
