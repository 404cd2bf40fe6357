-- A correction is a chain of calculations: its period, then every later period that has been calculated. The row holds
-- how far the chain has come, in the transaction of each period, so that it can go on after a stop or a crash.
create table correction_chain (
  tenant_id integer not null,
  id uuid not null default gen_random_uuid(),
  -- The order of a group's chains: the first open one goes first.
  seq bigint generated always as identity,
  group_id uuid not null,
  billing_period date not null,
  reason text not null,
  cause text not null check (cause in ('request', 'member_change')),
  state text not null default 'open' check (state in ('open', 'stopped', 'done', 'refused', 'superseded')),
  root_run_id uuid,
  done_periods date[] not null default '{}',
  failed_period date,
  -- [{period, code, subject, text}], by period.
  warnings jsonb not null default '[]',
  started_by uuid,
  started_at timestamptz not null,
  ended_at timestamptz,
  primary key (tenant_id, id),
  constraint correction_chain_group_fkey foreign key (tenant_id, group_id) references netting_group (tenant_id, id),
  constraint correction_chain_root_fkey foreign key (tenant_id, root_run_id) references calculation_run (tenant_id, id),
  check ((state = 'stopped') = (failed_period is not null)),
  check ((root_run_id is null) = (done_periods = '{}'))
);
-- The same request finds its chain; one of a kind is under way. Each change of a membership has its own.
create unique index correction_chain_request_key on correction_chain (tenant_id, group_id, billing_period, md5(reason))
  where cause = 'request' and state in ('open', 'stopped');
create index correction_chain_open_idx on correction_chain (tenant_id, group_id, seq) where state = 'open';
create index calculation_run_parent_idx on calculation_run (tenant_id, parent_run_id) where parent_run_id is not null;
