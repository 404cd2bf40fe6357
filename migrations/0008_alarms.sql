-- What is watched, what was found, and who did what about it.
create table alarm_policy (
  tenant_id integer not null references tenant (id),
  id uuid not null default gen_random_uuid(),
  name text not null,
  alarm_type text not null check (alarm_type in (
    'threshold', 'rate_of_change', 'offline', 'no_data', 'counter_reset', 'limit', 'custom')),
  -- What it watches: one device, the devices of one subregion, or with neither everything of the tenant.
  device_id uuid,
  subregion_id uuid,
  metric text,
  operator text,
  threshold numeric(18, 6),
  clear_threshold numeric(18, 6),
  delay_on_s integer not null default 0 check (delay_on_s >= 0),
  delay_off_s integer not null default 0 check (delay_off_s >= 0),
  severity text not null check (severity in ('info', 'warning', 'critical')),
  schedule jsonb,
  notify text[] not null default '{in_app}' check (notify <@ array['in_app', 'email', 'webhook']),
  is_active boolean not null default true,
  -- Made by the service for every tenant; nobody edits it, and the list of policies leaves it out.
  is_system boolean not null default false,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint alarm_policy_device_fkey foreign key (tenant_id, device_id) references device (tenant_id, id),
  constraint alarm_policy_subregion_fkey foreign key (tenant_id, subregion_id) references subregion (tenant_id, id),
  constraint alarm_policy_one_scope check (device_id is null or subregion_id is null),
  constraint alarm_policy_system check (
    not is_system or (device_id is null and subregion_id is null and notify = array['in_app']))
);
create unique index alarm_policy_system_key on alarm_policy (tenant_id, name) where is_system;
create index alarm_policy_device_idx on alarm_policy (tenant_id, device_id) where device_id is not null;

create table alarm_incident (
  tenant_id integer not null,
  id uuid not null default gen_random_uuid(),
  policy_id uuid not null,
  -- Null for a system alarm: it is about a group, a facility or the market platform, never about a device.
  device_id uuid,
  -- What it is about, such as group:<id>; of one policy and cause one incident is open at a time.
  cause text not null,
  severity text not null check (severity in ('info', 'warning', 'critical')),
  status text not null default 'active' check (status in ('active', 'acknowledged', 'snoozed', 'closed')),
  message text not null,
  triggered_at timestamptz not null,
  acknowledged_at timestamptz,
  acknowledged_by uuid,
  snoozed_until timestamptz,
  closed_at timestamptz,
  -- Null when the service closed it, since what it was about had passed.
  closed_by uuid,
  last_value numeric(18, 6),
  payload jsonb not null default '{}',
  primary key (tenant_id, id),
  constraint alarm_incident_policy_fkey foreign key (tenant_id, policy_id) references alarm_policy (tenant_id, id),
  constraint alarm_incident_device_fkey foreign key (tenant_id, device_id) references device (tenant_id, id),
  constraint alarm_incident_closed check ((status = 'closed') = (closed_at is not null)),
  constraint alarm_incident_snoozed check (status <> 'snoozed' or snoozed_until is not null)
);
create unique index alarm_incident_open_key on alarm_incident (tenant_id, policy_id, cause) where status <> 'closed';
create index alarm_incident_triggered_idx on alarm_incident (tenant_id, triggered_at desc, id desc);
create index alarm_incident_device_idx on alarm_incident (tenant_id, device_id) where device_id is not null;

-- The audit trail of incidents: rows are added, never changed.
create table alarm_event (
  tenant_id integer not null,
  id uuid not null default gen_random_uuid(),
  -- The order of writing: several events of one transaction share their time.
  seq bigint generated always as identity,
  incident_id uuid not null,
  event_type text not null check (event_type in (
    'raised', 'severity_changed', 'acknowledged', 'snoozed', 'woken', 'closed')),
  occurred_at timestamptz not null,
  -- Null for the service itself.
  by_user uuid,
  details jsonb not null default '{}',
  primary key (tenant_id, id),
  constraint alarm_event_incident_fkey foreign key (tenant_id, incident_id) references alarm_incident (tenant_id, id)
);
create index alarm_event_incident_idx on alarm_event (tenant_id, incident_id, seq);

-- Append-only is a matter of privilege, as in 0006: the role that serves gives its own rights away.
revoke update, delete, truncate on alarm_event from current_user;
