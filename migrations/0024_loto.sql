-- Lockout/tagout: where energy is isolated, who asked and who allowed work there, whose padlocks hang there.
create table loto_point (
  tenant_id integer not null references tenant (id),
  id uuid not null default gen_random_uuid(),
  name text not null,
  -- Null only once the point is deleted, so that it holds neither a place nor a device.
  subregion_id uuid,
  device_id uuid,
  energy_type text not null check (energy_type in (
    'electrical', 'mechanical', 'hydraulic', 'pneumatic', 'thermal', 'chemical', 'gravitational', 'radiation',
    'other')),
  isolation_method text not null,
  location text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Sessions keep their points, so a deleted one is hidden.
  deleted_at timestamptz,
  primary key (tenant_id, id),
  constraint loto_point_subregion_fkey foreign key (tenant_id, subregion_id) references subregion (tenant_id, id),
  constraint loto_point_device_fkey foreign key (tenant_id, device_id) references device (tenant_id, id),
  constraint loto_point_place check (deleted_at is not null or subregion_id is not null)
);
create unique index loto_point_name_key on loto_point (tenant_id, subregion_id, name) where deleted_at is null;
create index loto_point_device_idx on loto_point (tenant_id, device_id) where device_id is not null;

-- The people refer to nothing: a session outlives its users, whose names the trail keeps.
create table loto_session (
  tenant_id integer not null references tenant (id),
  id uuid not null default gen_random_uuid(),
  title text not null,
  reason text not null,
  status text not null default 'pending' check (status in ('pending', 'approved', 'rejected', 'applied', 'released')),
  requested_by uuid not null,
  approved_by uuid,
  approved_at timestamptz,
  rejected_by uuid,
  rejected_at timestamptz,
  applied_by uuid,
  applied_at timestamptz,
  released_by uuid,
  released_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  constraint loto_session_four_eyes check (approved_by <> requested_by),
  constraint loto_session_approved check (status in ('pending', 'rejected') or approved_by is not null),
  constraint loto_session_applied check ((status in ('applied', 'released')) = (applied_at is not null))
);
create index loto_session_created_idx on loto_session (tenant_id, created_at desc, id);

create table loto_session_point (
  tenant_id integer not null,
  session_id uuid not null,
  point_id uuid not null,
  -- In the order in which they were asked for.
  place smallint not null,
  -- While its session is applied.
  is_held boolean not null default false,
  -- What the point was when it was approved; null before that.
  snapshot jsonb,
  -- How it was shown that no energy is there, when the session was applied.
  verification jsonb,
  primary key (tenant_id, session_id, point_id),
  constraint loto_session_point_session_fkey foreign key (tenant_id, session_id) references loto_session (tenant_id, id),
  constraint loto_session_point_point_fkey foreign key (tenant_id, point_id) references loto_point (tenant_id, id)
);
-- A point is in one applied session at a time.
create unique index loto_session_point_held_key on loto_session_point (tenant_id, point_id) where is_held;
create index loto_session_point_point_idx on loto_session_point (tenant_id, point_id);

create table loto_lock (
  tenant_id integer not null,
  id uuid not null default gen_random_uuid(),
  -- The order in which they were placed.
  seq bigint generated always as identity,
  session_id uuid not null,
  point_id uuid not null,
  lock_number text,
  owner_id uuid not null,
  -- As it stands on the tag.
  owner_name text not null,
  placed_at timestamptz not null,
  removed_at timestamptz,
  removed_by uuid,
  removed_by_name text,
  -- By somebody who does not own it.
  is_forced boolean not null default false,
  removal_reason text,
  primary key (tenant_id, id),
  constraint loto_lock_point_fkey foreign key (tenant_id, session_id, point_id)
    references loto_session_point (tenant_id, session_id, point_id),
  constraint loto_lock_removed check ((removed_at is null) = (removed_by is null)),
  constraint loto_lock_forced check (is_forced = (removed_by is not null and removed_by <> owner_id)),
  constraint loto_lock_reason check (not is_forced or removal_reason is not null)
);
create unique index loto_lock_personal_key on loto_lock (tenant_id, session_id, point_id, owner_id)
  where removed_at is null;
create unique index loto_lock_number_key on loto_lock (tenant_id, session_id, lock_number) where removed_at is null;
create index loto_lock_session_idx on loto_lock (tenant_id, session_id, seq);
create index loto_lock_on_idx on loto_lock (tenant_id, point_id) where removed_at is null;

-- The trail of sessions: rows are added, never changed.
create table loto_event (
  tenant_id integer not null,
  id uuid not null default gen_random_uuid(),
  -- The order of writing: several events of one transaction share their time.
  seq bigint generated always as identity,
  session_id uuid not null,
  event_type text not null check (event_type in (
    'requested', 'changed', 'approved', 'rejected', 'applied', 'released', 'lock_placed', 'lock_removed',
    'lock_forced')),
  occurred_at timestamptz not null,
  by_user uuid not null,
  -- As the user was called then.
  by_name text not null,
  details jsonb not null default '{}',
  primary key (tenant_id, id),
  constraint loto_event_session_fkey foreign key (tenant_id, session_id) references loto_session (tenant_id, id)
);
create index loto_event_session_idx on loto_event (tenant_id, session_id, seq);

-- Append-only is a matter of privilege, as in 0006: the role that serves gives its own rights away.
revoke update, delete, truncate on loto_event from current_user;

-- Who may take away somebody else's lock: the admins of the tenants that are there already.
update role set permissions = permissions || array['manage:loto_override']
where is_system and name = 'admin' and not permissions @> array['manage:loto_override'];
