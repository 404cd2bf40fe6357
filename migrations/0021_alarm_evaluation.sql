-- Alarm policies of people: what judging them needs to remember.
alter table alarm_policy
  add column rate_per text check (rate_per in ('minute', 'hour')),
  -- Samples before it are not judged.
  add column watched_from timestamptz not null default now(),
  add column updated_at timestamptz not null default now(),
  -- Incidents keep their policy, so a deleted one is hidden.
  add column deleted_at timestamptz,
  add constraint alarm_policy_system_stays check (not is_system or deleted_at is null);
create index alarm_policy_wide_idx on alarm_policy (tenant_id)
  where device_id is null and not is_system and deleted_at is null;

-- In the time of the samples: until when the condition held. Null while it does, also when somebody closed the
-- incident before; then nothing new opens until it has passed.
alter table alarm_incident add column cleared_at timestamptz;
create index alarm_incident_cause_idx on alarm_incident (tenant_id, policy_id, cause, triggered_at);

alter table alarm_event drop constraint alarm_event_event_type_check;
alter table alarm_event add constraint alarm_event_event_type_check check (event_type in (
  'raised', 'severity_changed', 'acknowledged', 'snoozed', 'woken', 'closed', 'amended'));

-- How a policy stands with a device: the state after the samples up to judged_to, and states before it to begin again
-- from when samples come late. Keys instead of references, as in telemetry; src/core/alarms says what the states hold.
create table alarm_state (
  tenant_id integer not null,
  policy_id uuid not null,
  device_key integer not null,
  judged_to timestamptz not null,
  -- When something last came in: while a backlog is on its way, its old samples are no silence.
  heard_at timestamptz not null,
  is_open boolean not null,
  state jsonb not null,
  checkpoints jsonb not null,
  primary key (tenant_id, policy_id, device_key),
  constraint alarm_state_policy_fkey foreign key (tenant_id, policy_id) references alarm_policy (tenant_id, id)
) with (fillfactor = 70);

-- While one lasts nothing opens for its policy, its device or the devices of its subregion.
create table maintenance_window (
  tenant_id integer not null references tenant (id),
  id uuid not null default gen_random_uuid(),
  policy_id uuid,
  device_id uuid,
  subregion_id uuid,
  from_at timestamptz not null,
  to_at timestamptz not null,
  note text,
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint maintenance_window_policy_fkey foreign key (tenant_id, policy_id) references alarm_policy (tenant_id, id),
  constraint maintenance_window_device_fkey foreign key (tenant_id, device_id) references device (tenant_id, id),
  constraint maintenance_window_subregion_fkey
    foreign key (tenant_id, subregion_id) references subregion (tenant_id, id),
  constraint maintenance_window_one_scope check (num_nonnulls(policy_id, device_id, subregion_id) = 1),
  constraint maintenance_window_range check (from_at < to_at)
);
create index maintenance_window_time_idx on maintenance_window (tenant_id, to_at);

-- Whose new samples are marked, for whoever judges them; the key 0 stands for every device of the tenant.
create table sample_watch (
  tenant_id integer not null references tenant (id),
  device_key integer not null,
  primary key (tenant_id, device_key)
);

-- New samples of watched devices, written in the transaction that stores them and taken away by the one that has judged
-- them: a row for a batch, with its devices and the first instant of each.
create table sample_mark (
  tenant_id integer not null,
  id bigint generated always as identity,
  device_keys integer[] not null,
  from_at timestamptz[] not null,
  primary key (tenant_id, id)
);
