-- What is arranged with stations: reservations, their own lists of id tags, charging profiles, and groups of chargers that
-- share the power of a site.

create table charger_reservation (
  tenant_id integer not null references tenant (id),
  id uuid not null default gen_random_uuid(),
  -- What OCPP calls its id; never reused.
  reservation_number integer generated always as identity,
  charger_id uuid not null,
  -- 0: whichever connector is free.
  connector_id integer not null check (connector_id between 0 and 255),
  id_tag text not null,
  -- The tag of its group, as it was when the reservation was made: tags of the same group may use it.
  parent_tag text,
  state text not null default 'pending' check (state in (
    'pending', 'active', 'rejected', 'used', 'expired', 'cancelled')),
  -- Why it was rejected: the station's word in small letters, or not_delivered.
  reason text,
  expires_at timestamptz not null,
  -- The command that tells the station of it; it carries the number, so it is made a moment later.
  command_id uuid,
  -- The charging that used it.
  session_id uuid,
  requested_by uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- When it stopped keeping the connector.
  ended_at timestamptz,
  primary key (tenant_id, id),
  constraint charger_reservation_charger_fkey foreign key (tenant_id, charger_id) references charger (tenant_id, id),
  constraint charger_reservation_number_key unique (tenant_id, reservation_number),
  constraint charger_reservation_ended check ((state in ('pending', 'active')) = (ended_at is null))
);
create index charger_reservation_created_idx on charger_reservation (tenant_id, created_at desc, id);
create index charger_reservation_charger_idx on charger_reservation (tenant_id, charger_id, created_at desc);
create index charger_reservation_open_idx on charger_reservation (tenant_id, charger_id, connector_id)
  where state in ('pending', 'active');
create index charger_reservation_due_idx on charger_reservation (expires_at) where state in ('pending', 'active');

-- The list of id tags that a station keeps, to let people charge while it cannot reach us.
create table charger_local_list (
  tenant_id integer not null,
  charger_id uuid not null,
  -- Only the tags of charger_local_list_tag; otherwise all of the tenant.
  is_chosen boolean not null default false,
  -- What the station has taken: by tag in small letters, as it was sent. The version stands in charger.local_list_version.
  held jsonb not null default '{}',
  -- The highest version that was ever sent, be it answered or not.
  sent_version integer not null default 0,
  state text not null default 'never_sent' check (state in (
    'never_sent', 'syncing', 'synced', 'failed', 'not_supported')),
  reason text,
  -- The piece that is on its way, while it is syncing; otherwise the last one.
  command_id uuid,
  -- The station's list may not be what `held` says: the next sync sends all of it.
  is_uncertain boolean not null default false,
  synced_at timestamptz,
  updated_at timestamptz not null,
  primary key (tenant_id, charger_id),
  constraint charger_local_list_charger_fkey foreign key (tenant_id, charger_id)
    references charger (tenant_id, id) on delete cascade
);
create table charger_local_list_tag (
  tenant_id integer not null,
  charger_id uuid not null,
  tag_id uuid not null,
  primary key (tenant_id, charger_id, tag_id),
  constraint charger_local_list_tag_list_fkey foreign key (tenant_id, charger_id)
    references charger_local_list (tenant_id, charger_id) on delete cascade,
  constraint charger_local_list_tag_tag_fkey foreign key (tenant_id, tag_id)
    references id_tag (tenant_id, id) on delete cascade
);
create index charger_local_list_tag_tag_idx on charger_local_list_tag (tenant_id, tag_id);

create table charging_profile (
  tenant_id integer not null references tenant (id),
  id uuid not null default gen_random_uuid(),
  -- What OCPP calls its id. The numbers below 100 are kept for profiles of our own, see charging_group.
  profile_number integer generated always as identity (start with 100),
  charger_id uuid not null,
  -- 0: the whole station.
  connector_id integer not null check (connector_id between 0 and 255),
  purpose text not null check (purpose in ('charge_point_max', 'tx_default', 'tx')),
  stack_level integer not null check (stack_level >= 0),
  -- As it was asked for: kind, recurrency, validity and schedule.
  profile jsonb not null,
  -- Of a tx profile, which is for one session.
  session_id uuid,
  state text not null default 'pending' check (state in ('pending', 'active', 'rejected', 'replaced', 'cleared')),
  -- Why it was rejected: the station's word in small letters, or how its command ended.
  reason text,
  -- The command that tells the station of it; it carries the number, so it is made a moment later.
  command_id uuid,
  requested_by uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  constraint charging_profile_charger_fkey foreign key (tenant_id, charger_id) references charger (tenant_id, id),
  constraint charging_profile_session_fkey foreign key (tenant_id, session_id) references charging_session (tenant_id, id),
  constraint charging_profile_number_key unique (tenant_id, profile_number),
  constraint charging_profile_tx check ((purpose = 'tx') = (session_id is not null))
);
create index charging_profile_charger_idx on charging_profile (tenant_id, charger_id, created_at desc, id);

-- Chargers that together never draw more than a limit. Watts are whole, so that sums are exact.
create table charging_group (
  tenant_id integer not null references tenant (id),
  id uuid not null default gen_random_uuid(),
  name text not null,
  subregion_id uuid,
  limit_w integer not null check (limit_w > 0),
  -- Below this a connector is paused rather than charged: cars want 6 A.
  min_w_per_connector integer not null check (min_w_per_connector > 0),
  split text not null default 'equal' check (split in ('equal', 'by_need')),
  -- When it is to be looked at next: at once after anything that changes its shares.
  due_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  constraint charging_group_name_key unique (tenant_id, name),
  constraint charging_group_subregion_fkey foreign key (tenant_id, subregion_id) references subregion (tenant_id, id)
);
create index charging_group_created_idx on charging_group (tenant_id, created_at desc, id);
create index charging_group_due_idx on charging_group (due_at);

-- What each charger of a group may draw, as it was told. A profile is a share until an instant and a fallback ever after,
-- in one message: a station that is out of touch comes down to the fallback by itself.
create table charging_group_member (
  tenant_id integer not null,
  charger_id uuid not null,
  group_id uuid not null,
  -- The most it can draw, all connectors together: what is counted until it has accepted its first limit.
  max_w integer not null check (max_w > 0),
  -- In which unit it is told; amperes are for each phase.
  unit text not null default 'W' check (unit in ('W', 'A')),
  phases smallint not null default 3 check (phases between 1 and 3),
  -- The profile that the station has accepted; null: none yet.
  agreed jsonb,
  -- The one on its way, with its command.
  asked jsonb,
  asked_command_id uuid,
  -- The most of the profiles that it may or may not have taken, since one was accepted.
  doubtful_w integer,
  -- The last time that it refused; it is not asked again for some minutes.
  refused_at timestamptz,
  -- When its share was last raised.
  raised_at timestamptz,
  primary key (tenant_id, charger_id),
  constraint charging_group_member_charger_fkey foreign key (tenant_id, charger_id) references charger (tenant_id, id),
  constraint charging_group_member_group_fkey foreign key (tenant_id, group_id) references charging_group (tenant_id, id),
  constraint charging_group_member_asked check ((asked is null) = (asked_command_id is null))
);
create index charging_group_member_group_idx on charging_group_member (tenant_id, group_id);
