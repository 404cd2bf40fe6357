-- Chargers: a charging station (OCPP), its connectors, who may charge, what was charged, what it was told to do.

-- A station's socket names its cpid and nothing else, so it is unique across tenants; a table of its own, as for e-mails.
create table charger_cpid (
  cpid text primary key,
  tenant_id integer not null references tenant (id),
  charger_id uuid not null
);

create table charger (
  tenant_id integer not null references tenant (id),
  id uuid not null default gen_random_uuid(),
  -- The device of the record, and of connector 1; further connectors have devices of their own, see charger_connector.
  device_id uuid not null,
  cpid text not null,
  name text not null,
  vendor text,
  model text,
  serial_number text,
  subregion_id uuid,
  -- How the Basic-auth password is kept; null: no credential is set, and no socket is opened (fail closed).
  password_hash text,
  password_changed_at timestamptz,
  -- The password that the station has been told to take and has not confirmed yet; both are good until it has.
  next_password_hash text,
  -- Never lowered: the highest security profile (0 to 3) that the station has connected with.
  security_profile smallint not null default 0 check (security_profile between 0 and 3),
  ocpp_version text check (ocpp_version in ('1.6', '2.0.1')),
  firmware_version text,
  -- What the last BootNotification said, as it was sent.
  boot jsonb,
  booted_at timestamptz,
  -- Of the whole station (connector 0); null until it has said something.
  status text,
  -- The socket that holds the station now, in whichever process; the newest wins.
  connection_id uuid,
  connected_at timestamptz,
  disconnected_at timestamptz,
  -- The last message of any kind, at most some seconds behind.
  last_message_at timestamptz,
  last_heartbeat timestamptz,
  -- What is known of the list of id tags that the station keeps itself; null: not known.
  local_list_version integer,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Removed, with its cpid free again; the record stays for the sessions, which are what was paid for.
  deleted_at timestamptz,
  primary key (tenant_id, id),
  constraint charger_device_fkey foreign key (tenant_id, device_id) references device (tenant_id, id),
  constraint charger_subregion_fkey foreign key (tenant_id, subregion_id) references subregion (tenant_id, id)
);
create index charger_created_idx on charger (tenant_id, created_at desc, id) where deleted_at is null;
create unique index charger_device_idx on charger (tenant_id, device_id);

-- Connectors as the station has told of them. For OCPP 2.0.1 the number is the EVSE's, and its connector stands beside it.
create table charger_connector (
  tenant_id integer not null,
  charger_id uuid not null,
  connector_id integer not null check (connector_id between 0 and 255),
  -- Of 2.0.1; 1 otherwise.
  evse_connector_id integer not null default 1,
  -- Where its meter values go; connector 1 has the charger's own.
  device_id uuid not null,
  status text,
  error_code text,
  vendor_error_code text,
  info text,
  -- By the station's clock.
  status_at timestamptz,
  primary key (tenant_id, charger_id, connector_id, evse_connector_id),
  constraint charger_connector_charger_fkey foreign key (tenant_id, charger_id) references charger (tenant_id, id),
  constraint charger_connector_device_fkey foreign key (tenant_id, device_id) references device (tenant_id, id)
);

-- Who may charge. The tag is compared without regard to case, as OCPP's CiString asks.
create table id_tag (
  tenant_id integer not null references tenant (id),
  id uuid not null default gen_random_uuid(),
  tag text not null,
  name text,
  status text not null default 'accepted' check (status in ('accepted', 'blocked')),
  -- The group: tags of one parent may end each other's sessions and use each other's reservations.
  parent_id uuid,
  expires_at timestamptz,
  -- May have several sessions at once.
  allows_concurrent boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  constraint id_tag_parent_fkey foreign key (tenant_id, parent_id) references id_tag (tenant_id, id),
  check (parent_id <> id)
);
create unique index id_tag_tag_key on id_tag (tenant_id, lower(tag));
create index id_tag_created_idx on id_tag (tenant_id, created_at desc, id);

create table charging_session (
  tenant_id integer not null references tenant (id),
  id uuid not null default gen_random_uuid(),
  -- The number that OCPP 1.6 wants; never reused.
  transaction_number integer generated always as identity,
  charger_id uuid not null,
  -- The id that a 2.0.1 station made; null for 1.6.
  ocpp_transaction_id text,
  connector_id integer not null,
  -- Of the connector.
  device_id uuid not null,
  -- As the station sent it.
  id_tag text,
  parent_tag text,
  -- What was answered to the station: accepted, or why not. An unknown tag still has its (flagged) session.
  authorization_status text not null,
  state text not null default 'active' check (state in ('active', 'ended')),
  started_at timestamptz not null,
  -- Wh.
  meter_start_wh bigint,
  ended_at timestamptz,
  meter_stop_wh bigint,
  stop_reason text,
  stop_id_tag text,
  -- The newest reading of the session's register, Wh, and when it was.
  meter_last_wh bigint,
  meter_last_at timestamptz,
  charging_state text,
  reservation_number integer,
  -- The remote start it came of.
  command_id uuid,
  -- What is odd about it: unknown_tag, meter_went_back, offline, started_late, ended_without_start ...
  flags text[] not null default '{}',
  -- 2.0.1: the highest number of its events that was taken, and those that are missing below it.
  last_seq_no integer,
  missing_seq_nos integer[] not null default '{}',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  constraint charging_session_charger_fkey foreign key (tenant_id, charger_id) references charger (tenant_id, id),
  constraint charging_session_device_fkey foreign key (tenant_id, device_id) references device (tenant_id, id),
  constraint charging_session_number_key unique (tenant_id, transaction_number),
  constraint charging_session_ended check ((state = 'ended') = (ended_at is not null))
);
create index charging_session_started_idx on charging_session (tenant_id, started_at desc, id);
create index charging_session_charger_idx on charging_session (tenant_id, charger_id, started_at desc);
create index charging_session_active_idx on charging_session (tenant_id, charger_id, connector_id) where state = 'active';
create index charging_session_active_tag_idx on charging_session (tenant_id, lower(id_tag)) where state = 'active';
create unique index charging_session_ocpp_key on charging_session (tenant_id, charger_id, ocpp_transaction_id)
  where ocpp_transaction_id is not null;
-- A StartTransaction that is sent again: the same connector, tag, instant and reading give the same session.
create unique index charging_session_start_key on charging_session
  (tenant_id, charger_id, connector_id, lower(id_tag), started_at, meter_start_wh) where ocpp_transaction_id is null;

-- What a station was told to do, and what came of it.
create table charger_command (
  tenant_id integer not null references tenant (id),
  id uuid not null default gen_random_uuid(),
  -- The order in which they are sent.
  seq bigint generated always as identity,
  charger_id uuid not null,
  -- Ours (remote_start, reset, ...), the same for both versions; see docs/ocpp.md.
  action text not null,
  -- In our words, as it was asked for.
  request jsonb not null,
  state text not null default 'pending' check (state in (
    'pending', 'sent', 'accepted', 'rejected', 'failed', 'timed_out', 'expired', 'cancelled')),
  -- As the station answered it.
  answer jsonb,
  -- The OCPP error, or ours, where there was no answer.
  error text,
  -- The user who asked; null: the service itself.
  requested_by uuid,
  created_at timestamptz not null,
  sent_at timestamptz,
  ended_at timestamptz,
  -- Not sent after this.
  expires_at timestamptz not null,
  primary key (tenant_id, id),
  constraint charger_command_charger_fkey foreign key (tenant_id, charger_id) references charger (tenant_id, id),
  constraint charger_command_ended check ((state in ('pending', 'sent')) = (ended_at is null))
);
create index charger_command_charger_idx on charger_command (tenant_id, charger_id, seq desc);
create index charger_command_open_idx on charger_command (tenant_id, charger_id, seq) where state in ('pending', 'sent');

-- What stations tell that is no reading: status, security, firmware, diagnostics, refused messages. Never changed.
create table charger_event (
  tenant_id integer not null,
  id uuid not null default gen_random_uuid(),
  seq bigint generated always as identity,
  charger_id uuid not null,
  connector_id integer,
  event_type text not null,
  -- By the station's clock where it tells one.
  occurred_at timestamptz not null,
  details jsonb not null default '{}',
  -- Of what was told: the same told again is the same event.
  digest bytea not null,
  primary key (tenant_id, id),
  constraint charger_event_charger_fkey foreign key (tenant_id, charger_id) references charger (tenant_id, id),
  constraint charger_event_digest_key unique (tenant_id, charger_id, digest)
);
create index charger_event_charger_idx on charger_event (tenant_id, charger_id, occurred_at desc, seq desc);
