-- The schema of the first release. Later changes are files of their own with the next number: forward only.

-- ==== Tenants, users and their rights ====

-- Tenants, their users and roles.
-- tenant.id is a short internal key, carried by every tenant table (every byte of a key counts in telemetry);
-- tenant.uid is the id in the API. Tables without tenant_id in their key can become reference tables.
create table tenant (
  id integer generated always as identity primary key,
  uid uuid not null default gen_random_uuid() constraint tenant_uid_key unique,
  name text not null,
  slug text not null constraint tenant_slug_key unique,
  is_active boolean not null default true,
  -- Users without one-time passwords can only set them up.
  require_totp boolean not null default false,
  created_at timestamptz not null default now(),
  -- Set when the deletion of the tenant was requested: it stays inactive until its rows are deleted.
  deletion_requested_at timestamptz,
  check (deletion_requested_at is null or not is_active)
);

-- The deletion of a tenant and its progress. The record outlives the tenant, so it has no foreign key to it, and it is not
-- a tenant's: it stays when the tables of the tenant are empty.
create table tenant_deletion (
  id uuid primary key default gen_random_uuid(),
  -- tenant.id and tenant.uid.
  tenant_key integer not null constraint tenant_deletion_tenant_key unique,
  tenant_uid uuid not null,
  name text not null,
  slug text not null,
  -- The superuser who requested it; no foreign key: the record outlives its user.
  requested_by uuid not null,
  requested_by_email text not null,
  requested_at timestamptz not null,
  started_at timestamptz,
  progressed_at timestamptz,
  finished_at timestamptz,
  tables_total integer not null default 0,
  tables_done integer not null default 0,
  current_table text,
  -- The number of deleted rows by table.
  rows_deleted jsonb not null default '{}'
);
create index tenant_deletion_requested_idx on tenant_deletion (requested_at desc, id);

create table app_user (
  tenant_id integer not null references tenant (id),
  id uuid not null default gen_random_uuid(),
  email text not null,
  full_name text,
  -- Null: the user signs in by the OpenID provider of the tenant only.
  password_hash text,
  -- Null until the first change; refresh tokens issued before it are refused.
  password_changed_at timestamptz,
  is_active boolean not null default true,
  is_superuser boolean not null default false,
  -- The user has opened a link that was sent to the address, or an operator has entered the address.
  is_email_verified boolean not null default false,
  -- Language of mails to the user; null: Turkish and English in one mail.
  language text check (language in ('tr', 'en')),
  created_at timestamptz not null default now(),
  last_login_at timestamptz,
  primary key (tenant_id, id)
);

-- An e-mail address is unique in the whole service, whatever its case. No foreign key: this is to be a
-- reference table, which may not refer to a distributed one; both rows are written in one transaction.
create table login_email (
  email text not null check (email = lower(email)),
  tenant_id integer not null references tenant (id),
  user_id uuid not null,
  constraint login_email_key primary key (email)
);

create table role (
  tenant_id integer not null references tenant (id),
  id uuid not null default gen_random_uuid(),
  name text not null,
  permissions text[] not null default '{}',
  is_system boolean not null default false,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint role_name_key unique (tenant_id, name)
);

create table user_role (
  tenant_id integer not null,
  user_id uuid not null,
  role_id uuid not null,
  primary key (tenant_id, user_id, role_id),
  constraint user_role_user_fkey foreign key (tenant_id, user_id) references app_user (tenant_id, id) on delete cascade,
  constraint user_role_role_fkey foreign key (tenant_id, role_id) references role (tenant_id, id)
);
create index user_role_role_idx on user_role (tenant_id, role_id);

-- Tokens are stored hashed (SHA-256); the clear text exists only in the mail.
create table password_reset (
  tenant_id integer not null,
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  token_hash bytea not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint password_reset_user_fkey foreign key (tenant_id, user_id) references app_user (tenant_id, id) on delete cascade
);
create index password_reset_token_idx on password_reset (token_hash);
create unique index password_reset_active_key on password_reset (tenant_id, user_id) where used_at is null and revoked_at is null;

-- The link that verifies the address of a user; a new one replaces it.
create table email_verification (
  tenant_id integer not null,
  user_id uuid not null,
  token_hash bytea not null,
  expires_at timestamptz not null,
  primary key (tenant_id, user_id),
  constraint email_verification_user_fkey foreign key (tenant_id, user_id)
    references app_user (tenant_id, id) on delete cascade
);
create index email_verification_token_idx on email_verification (token_hash);

-- The OpenID Connect provider of a tenant.
create table oidc_provider (
  tenant_id integer primary key references tenant (id),
  issuer text not null,
  client_id text not null,
  client_secret_sealed text not null,
  scopes text[] not null,
  -- Domains of the e-mail addresses whose users are linked or created.
  allowed_domains text[] not null,
  creates_users boolean not null,
  -- The role of created users.
  role_id uuid,
  is_enabled boolean not null,
  -- Whether users who are not administrators may sign in by password.
  allows_password boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint oidc_provider_role_fkey foreign key (tenant_id, role_id) references role (tenant_id, id),
  check (role_id is not null or not creates_users)
);

-- The user of a subject of a provider.
create table oidc_identity (
  tenant_id integer not null,
  issuer text not null,
  subject text not null,
  user_id uuid not null,
  created_at timestamptz not null,
  primary key (tenant_id, issuer, subject),
  constraint oidc_identity_user_key unique (tenant_id, user_id, issuer),
  constraint oidc_identity_user_fkey foreign key (tenant_id, user_id) references app_user (tenant_id, id) on delete cascade
);

-- A sign-in under way, from its start to the exchange of its one-time code. Secrets that come back are stored hashed
-- (SHA-256).
create table oidc_sign_in (
  tenant_id integer not null references tenant (id),
  id uuid not null default gen_random_uuid(),
  state_hash bytea not null,
  -- The secret of the browser that started the sign-in.
  browser_hash bytea not null,
  nonce text not null,
  code_verifier text not null,
  -- The provider at the start: a sign-in does not continue with another one.
  issuer text not null,
  client_id text not null,
  return_url text not null,
  created_at timestamptz not null,
  -- End of the state, then of the one-time code.
  expires_at timestamptz not null,
  -- Set by the callback, so that a state is accepted once.
  called_back_at timestamptz,
  code_hash bytea,
  user_id uuid,
  primary key (tenant_id, id),
  constraint oidc_sign_in_user_fkey foreign key (tenant_id, user_id) references app_user (tenant_id, id) on delete cascade,
  check ((code_hash is null) = (user_id is null))
);
create index oidc_sign_in_state_idx on oidc_sign_in (state_hash);
create index oidc_sign_in_code_idx on oidc_sign_in (code_hash) where code_hash is not null;
create index oidc_sign_in_created_idx on oidc_sign_in (tenant_id, created_at);
create index oidc_sign_in_user_idx on oidc_sign_in (tenant_id, user_id) where user_id is not null;

-- Quotas of a tenant that differ from the defaults of the settings; null in the document means unlimited.
create table tenant_quota (
  tenant_id integer primary key references tenant (id),
  quotas jsonb not null,
  updated_by uuid not null,
  updated_at timestamptz not null
);

-- What a tenant has used on a Turkey-local day.
create table tenant_usage_day (
  tenant_id integer not null references tenant (id),
  day date not null,
  samples bigint not null default 0,
  -- Samples of field protocols that were acknowledged and not stored, because a quota was used up.
  samples_refused bigint not null default 0,
  exports integer not null default 0,
  primary key (tenant_id, day)
);

-- The estimated bytes of a tenant.
create table tenant_storage (
  tenant_id integer primary key references tenant (id),
  bytes bigint not null,
  measured_at timestamptz not null
);

-- One-time passwords (TOTP) of a user. The secret is encrypted with CREDENTIAL_ENCRYPTION_KEY.
create table user_totp (
  tenant_id integer not null,
  user_id uuid not null,
  secret_sealed text not null,
  -- Null: set up, but no code was entered yet.
  confirmed_at timestamptz,
  -- The step of the last accepted code: a code is accepted once.
  last_step integer,
  created_at timestamptz not null,
  primary key (tenant_id, user_id),
  constraint user_totp_user_fkey foreign key (tenant_id, user_id) references app_user (tenant_id, id) on delete cascade
);

-- Codes that replace a one-time password, hashed (SHA-256); a used one is deleted.
create table totp_recovery_code (
  tenant_id integer not null,
  user_id uuid not null,
  code_hash bytea not null,
  primary key (tenant_id, user_id, code_hash),
  constraint totp_recovery_code_user_fkey foreign key (tenant_id, user_id)
    references user_totp (tenant_id, user_id) on delete cascade
);

-- Who changed the one-time passwords of a user. actor_id is null for the command line.
create table totp_event (
  tenant_id integer not null,
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  actor_id uuid,
  event text not null
    check (event in ('enabled', 'disabled', 'reset', 'recovery_code_used', 'recovery_codes_replaced')),
  created_at timestamptz not null,
  primary key (tenant_id, id),
  constraint totp_event_user_fkey foreign key (tenant_id, user_id) references app_user (tenant_id, id) on delete cascade
);
create index totp_event_user_idx on totp_event (tenant_id, user_id, created_at);

-- Keys with which programs call the API. The text of a key is 256 random bits; only its SHA-256 is stored.
create table api_key (
  tenant_id integer not null,
  id uuid not null default gen_random_uuid(),
  -- personal: managed by its owner; machine: managed by the tenant's administrators.
  kind text not null check (kind in ('personal', 'machine')),
  -- The owner. A key never has a permission that its owner lacks.
  user_id uuid not null,
  name text not null,
  -- The visible beginning of the text.
  prefix text not null,
  secret_hash bytea not null,
  permissions text[] not null,
  expires_at timestamptz not null,
  -- Written at most once in a minute.
  last_used_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint api_key_user_fkey foreign key (tenant_id, user_id) references app_user (tenant_id, id) on delete cascade
);
create index api_key_secret_idx on api_key (secret_hash);
create index api_key_user_idx on api_key (tenant_id, user_id);

-- Tickets that open one live socket each. A used one is deleted. The ticket is 256 random bits; its SHA-256 is
-- stored, and the credential of the caller (access token or API key), encrypted with the ticket as the key.
create table live_ticket (
  tenant_id integer not null,
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  token_hash bytea not null,
  credential_sealed text not null,
  expires_at timestamptz not null,
  primary key (tenant_id, id),
  constraint live_ticket_user_fkey foreign key (tenant_id, user_id) references app_user (tenant_id, id) on delete cascade
);
create index live_ticket_token_idx on live_ticket (token_hash);
create index live_ticket_user_idx on live_ticket (tenant_id, user_id);

-- Signups whose address is not verified yet. Neither tenant nor user exist, so the address is not reserved and
-- several signups may name it.
create table pending_signup (
  id uuid primary key,
  email text not null check (email = lower(email)),
  tenant_name text not null,
  full_name text not null,
  password_hash text not null,
  token_hash bytea not null,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  -- Language of the mail and of the new user.
  language text check (language in ('tr', 'en'))
);
create unique index pending_signup_token_key on pending_signup (token_hash);
create index pending_signup_email_idx on pending_signup (email);
create index pending_signup_created_idx on pending_signup (created_at);

create table invitation (
  tenant_id integer not null references tenant (id),
  id uuid not null default gen_random_uuid(),
  email text not null check (email = lower(email)),
  role_ids uuid[] not null default '{}',
  token_hash bytea not null,
  invited_by uuid,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  revoked_at timestamptz,
  -- Language of the mail and of the new user.
  language text check (language in ('tr', 'en')),
  created_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
create index invitation_token_idx on invitation (token_hash);
create unique index invitation_active_key on invitation (tenant_id, email) where accepted_at is null and revoked_at is null;

-- The first response to a request that carried an Idempotency-Key.
create table idempotency_key (
  tenant_id integer not null references tenant (id),
  user_id uuid not null,
  key text not null,
  route text not null,
  body_hash bytea not null,
  status smallint,
  response_body text,
  created_at timestamptz not null,
  primary key (tenant_id, user_id, key)
);
create index idempotency_key_age_idx on idempotency_key (tenant_id, created_at);

-- ==== Equipment: regions, gateways, templates, devices ====

-- Regions, subregions, gateways, templates and devices.
create table region (
  tenant_id integer not null references tenant (id),
  id uuid not null default gen_random_uuid(),
  name text not null,
  code text,
  description text,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint region_name_key unique (tenant_id, name)
);

create table subregion (
  tenant_id integer not null,
  id uuid not null default gen_random_uuid(),
  region_id uuid not null,
  name text not null,
  address text,
  city text,
  latitude double precision check (latitude between -90 and 90),
  longitude double precision check (longitude between -180 and 180),
  contracted_power_kw double precision check (contracted_power_kw >= 0),
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint subregion_name_key unique (tenant_id, region_id, name),
  constraint subregion_region_fkey foreign key (tenant_id, region_id) references region (tenant_id, id)
);

create table gateway (
  tenant_id integer not null references tenant (id),
  id uuid not null default gen_random_uuid(),
  name text not null,
  gateway_type text not null check (gateway_type in ('modbus', 'mqtt', 'zigbee', 'home_assistant')),
  subregion_id uuid,
  host text,
  port integer check (port between 1 and 65535),
  serial_number text,
  client_id text,
  poll_interval_s integer check (poll_interval_s > 0),
  is_online boolean not null default false,
  last_seen timestamptz,
  firmware_version text,
  config jsonb not null default '{}',
  config_version integer not null default 1,
  config_synced_at timestamptz,
  -- The model that firmware is matched with; a device has the model of its template, or one in extra_metadata.
  model text,
  -- The gateway's clock minus the server's, milliseconds: median of the last messages.
  clock_skew_ms double precision,
  -- When it was last reported as offline; a later message shows that it is online again.
  offline_at timestamptz,
  -- Null: nothing was pushed yet. pending: no response yet; drift: its configuration differs from the pushed one.
  config_state text check (config_state in ('in_sync', 'pending', 'drift', 'rejected')),
  synced_version integer,
  synced_sha256 text,
  -- The configuration that the gateway last reported, and its reason for refusing it.
  reported_version integer,
  reported_sha256 text,
  reported_reason text,
  reported_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint gateway_name_key unique (tenant_id, name),
  constraint gateway_subregion_fkey foreign key (tenant_id, subregion_id) references subregion (tenant_id, id)
);

-- System templates are copied into every tenant under the same id, so that a device's reference to its
-- template is a composite key like every other.
create table device_template (
  tenant_id integer not null references tenant (id),
  id uuid not null default gen_random_uuid(),
  name text not null,
  vendor text,
  model text,
  device_type text not null,
  protocols text[] not null default '{}',
  register_map jsonb,
  is_system boolean not null default false,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
-- A tenant may have a template of its own with the name of a system template, so the name is unique among its own only.
create unique index device_template_name_key on device_template (tenant_id, name) where not is_system;

create table device (
  tenant_id integer not null references tenant (id),
  id uuid not null default gen_random_uuid(),
  -- The short key of the telemetry tables; never reused.
  key integer generated always as identity,
  name text not null,
  device_type text not null,
  device_role text,
  device_source text not null check (device_source in ('modbus', 'zigbee', 'virtual', 'manual', 'ocpp')),
  gateway_id uuid,
  mqtt_gateway_id uuid,
  slave_id integer check (slave_id between 0 and 255),
  template_id uuid,
  parent_id uuid,
  -- Filled for chargers only; a gateway's subregion is read from the gateway.
  subregion_id uuid,
  inverter_type text check (inverter_type in ('grid_inverter', 'ess_inverter')),
  reporting_interval_s integer check (reporting_interval_s > 0),
  offline_threshold_s integer not null default 3600 check (offline_threshold_s > 0),
  last_seen timestamptz,
  extra_metadata jsonb not null default '{}',
  created_at timestamptz not null default now(),
  -- When a name by which messages may refer to the device was last set: dead letters from before are replayed.
  named_at timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint device_key_key unique (tenant_id, key),
  constraint device_gateway_fkey foreign key (tenant_id, gateway_id) references gateway (tenant_id, id),
  constraint device_mqtt_gateway_fkey foreign key (tenant_id, mqtt_gateway_id) references gateway (tenant_id, id),
  constraint device_template_fkey foreign key (tenant_id, template_id) references device_template (tenant_id, id),
  constraint device_parent_fkey foreign key (tenant_id, parent_id) references device (tenant_id, id),
  constraint device_subregion_fkey foreign key (tenant_id, subregion_id) references subregion (tenant_id, id),
  check (parent_id <> id)
);
create index device_created_idx on device (tenant_id, created_at desc, id);
create index device_parent_idx on device (tenant_id, parent_id) where parent_id is not null;
create index device_gateway_idx on device (tenant_id, gateway_id) where gateway_id is not null;
create index device_mqtt_gateway_idx on device (tenant_id, mqtt_gateway_id) where mqtt_gateway_id is not null;
create index device_name_idx on device (tenant_id, name);
create index device_external_id_idx on device (tenant_id, (extra_metadata->>'external_id'))
  where extra_metadata->>'external_id' is not null;
-- Two devices at one address of a line would be read as each other.
create unique index device_slave_key on device (tenant_id, gateway_id, slave_id)
  where gateway_id is not null and slave_id is not null;
create index device_named_idx on device (named_at) where mqtt_gateway_id is not null;

-- How points of line protocol and remote write are translated to samples of devices.
create table collector_mapping (
  tenant_id integer not null references tenant (id),
  id uuid not null default gen_random_uuid(),
  name text not null,
  device_labels text[] not null,
  -- Rules {measurement, field, metric, factor}.
  metrics jsonb not null,
  ignore_unknown boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id)
);
create unique index collector_mapping_name_key on collector_mapping (tenant_id, name);

-- Keys of deleted devices: a batch that was on its way during the deletion may store rows of them, which a job deletes.
create table deleted_device (
  tenant_id integer not null references tenant (id),
  device_key integer not null,
  deleted_at timestamptz not null default now(),
  primary key (tenant_id, device_key)
);
create index deleted_device_deleted_idx on deleted_device (deleted_at);

-- Gateways on a message broker: credentials, dead letters and sequence numbers.

create table gateway_credential (
  tenant_id integer not null references tenant (id),
  gateway_id uuid not null,
  -- The public half of the secret: a login names no tenant, so this is how its row is found.
  key_id text not null,
  salt bytea not null,
  secret_hash bytea not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, gateway_id),
  constraint gateway_credential_gateway_fkey foreign key (tenant_id, gateway_id)
    references gateway (tenant_id, id) on delete cascade
);
-- A client certificate names a gateway and no tenant.
create index gateway_credential_gateway_idx on gateway_credential (gateway_id);
create index gateway_credential_key_idx on gateway_credential (key_id);

-- Messages that could not be used, unchanged, so that they can be retried once the cause is fixed. They outlive their
-- gateway: gateway_id has no foreign key, and is null for an unknown gateway.
create table dead_letter (
  tenant_id integer not null references tenant (id),
  id uuid not null default gen_random_uuid(),
  gateway_id uuid,
  -- Relative to the gateway's root topic.
  topic text not null,
  payload bytea not null,
  reason text not null,
  detail text not null,
  received_at timestamptz not null,
  attempts integer not null default 0,
  retried_at timestamptz,
  -- Names without a device in an unknown_device; an empty one is the gateway itself.
  unknown_devices text[] not null default '{}',
  primary key (tenant_id, id)
);
create index dead_letter_received_idx on dead_letter (tenant_id, received_at desc, id);
create index dead_letter_gateway_idx on dead_letter (tenant_id, gateway_id, received_at desc);

-- How many dead letters of a tenant were deleted because of the limits of the list.
create table dead_letter_overflow (
  tenant_id integer primary key references tenant (id),
  dropped bigint not null default 0,
  dropped_at timestamptz
);

-- The sequence numbers of a gateway's stored messages, as ranges [[from, to], ...], both ends included.
create table gateway_sequence (
  tenant_id integer not null references tenant (id),
  gateway_id uuid not null,
  received jsonb not null,
  last_seq bigint not null,
  -- The newest sent_at of this numbering, by the gateway's clock.
  newest_sent_at timestamptz,
  started_at timestamptz not null,
  -- How often the numbering restarted.
  restarts integer not null default 0,
  -- Missing numbers that are no longer waited for.
  given_up bigint not null default 0,
  gap_since timestamptz,
  updated_at timestamptz not null,
  primary key (tenant_id, gateway_id),
  constraint gateway_sequence_gateway_fkey foreign key (tenant_id, gateway_id)
    references gateway (tenant_id, id) on delete cascade
);

-- Retained messages that the service itself published through the embedded broker, which keeps them in memory only.
-- An external broker stores its own.
create table broker_retained (
  topic text primary key,
  payload bytea not null,
  updated_at timestamptz not null default now()
);

-- Client ids under which processes share the messages of an external broker. The broker queues messages for each of
-- them, so a slot that was used once has to be served for ever, by any running process.
create table broker_slot (
  slot integer primary key check (slot > 0),
  first_used_at timestamptz not null default now()
);

-- Presence of gateways as brokers report it, and the Zigbee networks behind them.

-- A broker reports a gateway by its id or client id, without a tenant.
create index gateway_id_idx on gateway (id);
create index gateway_client_idx on gateway (client_id) where client_id is not null;

-- Session events of a gateway that brokers reported, as far as they are still relevant.
create table gateway_session (
  tenant_id integer not null,
  gateway_id uuid not null,
  -- Counts the sessions that were taken for the newest one.
  epoch integer not null default 0,
  state jsonb not null,
  updated_at timestamptz not null,
  primary key (tenant_id, gateway_id),
  constraint gateway_session_gateway_fkey foreign key (tenant_id, gateway_id)
    references gateway (tenant_id, id) on delete cascade
);

-- Client ids with which a gateway connected to an outside broker: some brokers report a disconnection by client id only.
create table gateway_client (
  tenant_id integer not null,
  gateway_id uuid not null,
  client_id text not null,
  -- The broker's namespace of client ids; empty without one.
  mountpoint text not null,
  connected_at timestamptz not null,
  primary key (tenant_id, gateway_id, client_id, mountpoint),
  constraint gateway_client_gateway_fkey foreign key (tenant_id, gateway_id)
    references gateway (tenant_id, id) on delete cascade
);
create index gateway_client_client_idx on gateway_client (client_id, connected_at desc);

-- Codes by which a Zigbee gateway joins a tenant. The code itself is shown once; code_hash is keyed by SECRET_KEY.
create table zigbee_claim (
  tenant_id integer not null references tenant (id),
  id uuid not null default gen_random_uuid(),
  code_hash bytea not null,
  -- The last characters, so that a person can distinguish codes.
  code_ending text not null,
  gateway_name text not null,
  -- No foreign key: a claim must not prevent the deletion of a subregion.
  subregion_id uuid,
  created_by uuid,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  claimed_at timestamptz,
  -- The gateway that it created; no foreign key, since the gateway may be deleted.
  gateway_id uuid,
  primary key (tenant_id, id)
);
create index zigbee_claim_code_idx on zigbee_claim (code_hash);
create index zigbee_claim_pending_idx on zigbee_claim (tenant_id, expires_at) where claimed_at is null;

create table zigbee_gateway (
  tenant_id integer not null,
  gateway_id uuid not null,
  -- The address of its coordinator, as it reports it.
  ieee_address text,
  permit_join_until timestamptz,
  -- The time of the newest applied list of devices; an older list changes nothing.
  inventory_at timestamptz,
  primary key (tenant_id, gateway_id),
  constraint zigbee_gateway_gateway_fkey foreign key (tenant_id, gateway_id)
    references gateway (tenant_id, id) on delete cascade
);

-- The devices that zigbee2mqtt reports as paired.
create table zigbee_device (
  tenant_id integer not null,
  gateway_id uuid not null,
  ieee_address text not null,
  friendly_name text not null,
  vendor text,
  model text,
  is_supported boolean not null,
  exposes jsonb,
  -- Null until it is reported.
  is_available boolean,
  first_seen timestamptz not null,
  -- Its device; no foreign key: a deleted device is not created again.
  device_id uuid,
  primary key (tenant_id, gateway_id, ieee_address),
  constraint zigbee_device_gateway_fkey foreign key (tenant_id, gateway_id)
    references gateway (tenant_id, id) on delete cascade
);
create index zigbee_device_name_idx on zigbee_device (tenant_id, gateway_id, friendly_name);

-- Configurations pushed to gateways, and which process polls a Modbus gateway.

-- Each configuration that was pushed, append-only. It outlives its gateway: gateway_id refers to nothing.
create table gateway_config (
  tenant_id integer not null references tenant (id),
  gateway_id uuid not null,
  -- Counts the pushed configurations of a gateway; gateway.config_version counts the changes of its settings.
  version integer not null check (version > 0),
  -- Hash of the bytes of `document`.
  sha256 text not null,
  document text not null,
  -- Pushed although the line is too slow for the polling periods.
  is_forced boolean not null,
  created_at timestamptz not null,
  created_by uuid,
  primary key (tenant_id, gateway_id, version)
);
-- Append-only is enforced by privileges.
revoke update, delete, truncate on gateway_config from current_user;

-- One process polls a gateway: the one that holds its row, until expires_at and while it is running.
create table modbus_lease (
  tenant_id integer not null,
  gateway_id uuid not null,
  holder uuid not null,
  claimed_at timestamptz not null,
  expires_at timestamptz not null,
  -- The result of polling: silent slaves, refused registers.
  report jsonb,
  reported_at timestamptz,
  primary key (tenant_id, gateway_id),
  constraint modbus_lease_gateway_fkey foreign key (tenant_id, gateway_id)
    references gateway (tenant_id, id) on delete cascade
);
create index modbus_lease_holder_idx on modbus_lease (holder);

-- ==== Metering: samples, roll-ups, sealed months ====

-- Telemetry. Short keys, no foreign keys (a check per row would halve the ingest; device keys are never reused).
-- Cumulative registers are millionths of a kWh (or kvarh) as bigint: exact, and 8 bytes. The rest is as measured.
-- Partitions are Turkey-local months, made ahead by a job and on demand for older samples.
create table measurement (
  tenant_id integer not null,
  device_key integer not null,
  ts timestamptz not null,
  import_active_energy bigint,
  export_active_energy bigint,
  production_active_energy bigint,
  battery_charge_energy bigint,
  battery_discharge_energy bigint,
  inductive_reactive_energy bigint,
  capacitive_reactive_energy bigint,
  voltage double precision,
  voltage_l1 double precision,
  voltage_l2 double precision,
  voltage_l3 double precision,
  current double precision,
  current_l1 double precision,
  current_l2 double precision,
  current_l3 double precision,
  active_power double precision,
  active_power_l1 double precision,
  active_power_l2 double precision,
  active_power_l3 double precision,
  reactive_power double precision,
  apparent_power double precision,
  power_factor double precision,
  frequency double precision,
  state_of_charge double precision,
  temperature double precision,
  extra jsonb,
  primary key (tenant_id, device_key, ts)
) partition by range (ts);

-- Quarantine: samples that could not be used (from the future, from an unset clock, contradicting a stored one), with
-- the reason.
create table measurement_set_aside (
  tenant_id integer not null references tenant (id),
  id uuid not null default gen_random_uuid(),
  device_id uuid not null,
  device_key integer not null,
  ts timestamptz not null,
  reason text not null,
  sample jsonb not null,
  received_at timestamptz not null,
  -- The same sample sent again is the same row.
  digest bytea not null,
  primary key (tenant_id, id),
  constraint measurement_set_aside_digest_key unique (tenant_id, device_key, digest)
);
create index measurement_set_aside_received_idx on measurement_set_aside (tenant_id, received_at desc, id);

-- Dirty ranges: hours whose roll-up no longer agrees with the samples. Append-only for writers: a row per late batch and
-- device, deleted by the roll-up that processed it, so that a concurrent writer's range is never lost.
create table rollup_dirty_range (
  tenant_id integer not null,
  id bigint generated always as identity,
  device_key integer not null,
  from_hour timestamptz not null,
  to_hour timestamptz not null,
  primary key (tenant_id, id)
);
create index rollup_dirty_range_device_idx on rollup_dirty_range (tenant_id, device_key);

-- One row per device and hour. Energies are Wh (varh); averages are over the samples of the hour.
create table measurement_hour (
  tenant_id integer not null,
  device_key integer not null,
  hour timestamptz not null,
  import_wh bigint,
  export_wh bigint,
  production_wh bigint,
  battery_charge_wh bigint,
  battery_discharge_wh bigint,
  inductive_varh bigint,
  capacitive_varh bigint,
  voltage_avg double precision,
  current_avg double precision,
  active_power_avg double precision,
  power_factor_avg double precision,
  samples integer not null,
  -- Bits: which energies are a linear share without a reading, which are affected by a reset of the register, and which
  -- cover less than the hour.
  estimated_bits smallint not null default 0,
  suspect_bits smallint not null default 0,
  partial_bits smallint not null default 0,
  primary key (tenant_id, device_key, hour)
) partition by range (hour);

-- Until when a device's hours have been rolled up; later hours are computed from the samples. `registers` has a bit for
-- each cumulative register that the device has ever sent, so that the others are not searched for.
create table rollup_state (
  tenant_id integer not null,
  device_key integer not null,
  rolled_to timestamptz not null,
  registers smallint not null,
  primary key (tenant_id, device_key)
);

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

-- ==== Alarms and notifications ====

-- Policies, incidents and their audit trail.
-- Who is notified of an incident that is not acknowledged, in levels.
create table escalation_policy (
  tenant_id integer not null references tenant (id),
  id uuid not null default gen_random_uuid(),
  name text not null,
  -- Of mails to addresses that do not belong to a user.
  language text not null check (language in ('tr', 'en')),
  levels jsonb not null,
  repeat_minutes integer,
  repeat_count integer not null default 0,
  -- Severities of incidents whose alarm policy names no escalation policy.
  default_severities text[] not null default '{}',
  is_active boolean not null default true,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  constraint escalation_policy_repeat check (repeat_count = 0 or repeat_minutes is not null)
);
create unique index escalation_policy_name_key on escalation_policy (tenant_id, name);

create table alarm_policy (
  tenant_id integer not null references tenant (id),
  id uuid not null default gen_random_uuid(),
  name text not null,
  alarm_type text not null check (alarm_type in (
    'threshold', 'rate_of_change', 'offline', 'no_data', 'counter_reset', 'limit', 'custom')),
  -- Its scope: one device, the devices of one subregion, or with neither all devices of the tenant.
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
  notify text[] not null default '{in_app}' check (notify <@ array['in_app', 'email', 'webhook', 'channel']),
  is_active boolean not null default true,
  -- Created by the service for every tenant; it cannot be changed and is not in the list of policies.
  is_system boolean not null default false,
  rate_per text check (rate_per in ('minute', 'hour')),
  -- Null: the escalation policy of the tenant for the severity of the incident, if there is one.
  escalation_policy_id uuid,
  -- Samples before it are not evaluated.
  watched_from timestamptz not null default now(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Incidents keep their policy, so a deleted one is hidden.
  deleted_at timestamptz,
  primary key (tenant_id, id),
  constraint alarm_policy_system_not_deleted check (not is_system or deleted_at is null),
  constraint alarm_policy_device_fkey foreign key (tenant_id, device_id) references device (tenant_id, id),
  constraint alarm_policy_subregion_fkey foreign key (tenant_id, subregion_id) references subregion (tenant_id, id),
  constraint alarm_policy_escalation_fkey foreign key (tenant_id, escalation_policy_id)
    references escalation_policy (tenant_id, id),
  constraint alarm_policy_one_scope check (device_id is null or subregion_id is null),
  constraint alarm_policy_system check (
    not is_system or (device_id is null and subregion_id is null and notify = array['in_app']))
);
create unique index alarm_policy_system_key on alarm_policy (tenant_id, name) where is_system;
create index alarm_policy_escalation_idx on alarm_policy (tenant_id, escalation_policy_id)
  where escalation_policy_id is not null;
create index alarm_policy_device_idx on alarm_policy (tenant_id, device_id) where device_id is not null;
create index alarm_policy_wide_idx on alarm_policy (tenant_id)
  where device_id is null and not is_system and deleted_at is null;

create table alarm_incident (
  tenant_id integer not null,
  id uuid not null default gen_random_uuid(),
  policy_id uuid not null,
  -- Null for a system alarm, which is about a group, a facility or the market platform.
  device_id uuid,
  -- Its subject, such as group:<id>; at most one incident is open for a policy and cause.
  cause text not null,
  severity text not null check (severity in ('info', 'warning', 'critical')),
  status text not null default 'active' check (status in ('active', 'acknowledged', 'snoozed', 'closed')),
  message text not null,
  triggered_at timestamptz not null,
  acknowledged_at timestamptz,
  acknowledged_by uuid,
  snoozed_until timestamptz,
  closed_at timestamptz,
  -- Null when the service closed it, because its cause had ended.
  closed_by uuid,
  -- Until when the condition held, by the time of the samples. Null while it holds, also when a user has closed the
  -- incident meanwhile; no new incident opens until the condition has ended.
  cleared_at timestamptz,
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
create index alarm_incident_cause_idx on alarm_incident (tenant_id, policy_id, cause, triggered_at);
create index alarm_incident_open_idx on alarm_incident (tenant_id, severity, status) where status <> 'closed';
create index alarm_incident_wake_idx on alarm_incident (snoozed_until) where status = 'snoozed';
create index alarm_incident_device_idx on alarm_incident (tenant_id, device_id) where device_id is not null;

-- The audit trail of incidents: rows are added, never changed. No foreign key to the incident: it would cost a query for
-- each row of a burst of ten thousand incidents, and incidents are never deleted. The trail is also the outbox of the
-- notifications: an event is written with is_notified false, in the transaction that changes the incident.
create table alarm_event (
  tenant_id integer not null,
  id uuid not null default gen_random_uuid(),
  -- The order of writing: several events of one transaction share their time.
  seq bigint generated always as identity,
  incident_id uuid not null,
  event_type text not null check (event_type in (
    'raised', 'severity_changed', 'acknowledged', 'snoozed', 'woken', 'closed', 'amended')),
  occurred_at timestamptz not null,
  -- Null for the service itself.
  by_user uuid,
  details jsonb not null default '{}',
  -- Whether the notification of the event has been written.
  is_notified boolean not null default false,
  primary key (tenant_id, id)
);
create index alarm_event_incident_idx on alarm_event (tenant_id, incident_id, seq);
create index alarm_event_pending_idx on alarm_event (tenant_id, seq) where not is_notified;

-- Append-only is enforced by privileges: the service's role revokes its own rights.
revoke update, delete, truncate on alarm_event from current_user;
grant update (is_notified) on alarm_event to current_user;

-- Stored state of the evaluation of alarm policies.

-- The state of a policy for a device: after the samples up to evaluated_to, and earlier states (checkpoints) to restart
-- from when samples arrive late. Keys instead of references, as in telemetry; src/core/alarms describes the states.
create table alarm_state (
  tenant_id integer not null,
  policy_id uuid not null,
  device_key integer not null,
  evaluated_to timestamptz not null,
  -- When a sample last arrived, by the server's clock: while a backlog is being sent, its old samples are not silence.
  last_received_at timestamptz not null,
  is_open boolean not null,
  state jsonb not null,
  checkpoints jsonb not null,
  primary key (tenant_id, policy_id, device_key),
  constraint alarm_state_policy_fkey foreign key (tenant_id, policy_id) references alarm_policy (tenant_id, id)
) with (fillfactor = 70);

-- During a window no incident opens for its policy, its device or the devices of its subregion.
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

-- The devices whose new samples are evaluated; the key 0 means every device of the tenant.
create table sample_watch (
  tenant_id integer not null references tenant (id),
  device_key integer not null,
  primary key (tenant_id, device_key)
);

-- Batches with new samples of watched devices that are not evaluated yet: a row per batch, with its devices and the first
-- instant of each. Written in the transaction that stores the samples, deleted by the one that evaluates them.
create table unevaluated_batch (
  tenant_id integer not null,
  id bigint generated always as identity,
  device_keys integer[] not null,
  from_at timestamptz[] not null,
  primary key (tenant_id, id)
);

-- Notifications of incidents to people and to their systems.

-- The notifications of a tenant in one order: written under a lock of the tenant, so that seq grows with the commits
-- and a reader that has reached a seq has missed nothing before it.
create table notification (
  tenant_id integer not null references tenant (id),
  id uuid not null default gen_random_uuid(),
  seq bigint generated always as identity,
  -- Of alarm_event and alarm_incident, without foreign keys as there; null for a notice about delivery itself.
  event_id uuid,
  incident_id uuid,
  device_id uuid,
  event_type text not null check (event_type in (
    'raised', 'severity_changed', 'acknowledged', 'snoozed', 'woken', 'closed', 'amended', 'webhook_disabled',
    'channel_disabled')),
  severity text not null check (severity in ('info', 'warning', 'critical')),
  title text not null,
  message text not null,
  by_user uuid,
  details jsonb not null default '{}',
  occurred_at timestamptz not null,
  created_at timestamptz not null,
  in_app boolean not null,
  by_email boolean not null,
  by_webhook boolean not null,
  by_channel boolean not null default false,
  primary key (tenant_id, id)
);
create unique index notification_seq_key on notification (tenant_id, seq);
create unique index notification_event_key on notification (tenant_id, event_id) where event_id is not null;
create index notification_created_idx on notification (created_at);

-- What a user has read: everything up to a seq, and single ones beyond it.
create table notification_reader (
  tenant_id integer not null,
  user_id uuid not null,
  read_through bigint not null,
  primary key (tenant_id, user_id),
  constraint notification_reader_user_fkey foreign key (tenant_id, user_id)
    references app_user (tenant_id, id) on delete cascade
);
create table notification_read (
  tenant_id integer not null,
  user_id uuid not null,
  notification_id uuid not null,
  primary key (tenant_id, user_id, notification_id),
  constraint notification_read_user_fkey foreign key (tenant_id, user_id)
    references app_user (tenant_id, id) on delete cascade,
  constraint notification_read_notification_fkey foreign key (tenant_id, notification_id)
    references notification (tenant_id, id) on delete cascade
);
create index notification_read_notification_idx on notification_read (tenant_id, notification_id);

-- Which notifications a user wants by e-mail; without a row, the role decides.
create table notification_preference (
  tenant_id integer not null,
  user_id uuid not null,
  email_enabled boolean not null,
  email_min_severity text not null check (email_min_severity in ('info', 'warning', 'critical')),
  -- Turkey-local, HH:MM; both or neither. They may span midnight.
  quiet_from text check (quiet_from ~ '^([01]\d|2[0-3]):[0-5]\d$'),
  quiet_to text check (quiet_to ~ '^([01]\d|2[0-3]):[0-5]\d$'),
  language text not null check (language in ('tr', 'en')),
  updated_at timestamptz not null,
  primary key (tenant_id, user_id),
  constraint notification_preference_user_fkey foreign key (tenant_id, user_id)
    references app_user (tenant_id, id) on delete cascade,
  constraint notification_preference_quiet check ((quiet_from is null) = (quiet_to is null))
);

create table notification_webhook (
  tenant_id integer not null references tenant (id),
  id uuid not null default gen_random_uuid(),
  name text not null,
  url text not null,
  -- Sealed (src/platform/auth/sealer.ts), never in clear.
  secret_sealed text not null,
  min_severity text not null check (min_severity in ('info', 'warning', 'critical')),
  is_active boolean not null default true,
  -- When the service itself stopped sending to it.
  disabled_at timestamptz,
  last_success_at timestamptz,
  created_by uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id)
);
create unique index notification_webhook_name_key on notification_webhook (tenant_id, name);

-- A channel of a messaging platform to which notifications are sent as text.
create table notification_channel (
  tenant_id integer not null references tenant (id),
  id uuid not null default gen_random_uuid(),
  name text not null,
  type text not null check (type in ('telegram', 'teams', 'slack', 'ntfy')),
  language text not null check (language in ('tr', 'en')),
  -- Of Telegram: the chat.
  chat_id text,
  -- Of ntfy: the server and the topic.
  server_url text,
  topic text,
  -- Sealed (src/platform/auth/sealer.ts), never in clear: the token of the bot, the URL of the incoming webhook, or the
  -- access token of ntfy, which may be absent.
  secret_sealed text,
  min_severity text not null check (min_severity in ('info', 'warning', 'critical')),
  is_active boolean not null default true,
  -- When the service itself stopped sending to it.
  disabled_at timestamptz,
  last_success_at timestamptz,
  created_by uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  constraint notification_channel_fields check (
    (type = 'telegram') = (chat_id is not null) and (type = 'ntfy') = (topic is not null)
    and (type = 'ntfy') = (server_url is not null) and (type = 'ntfy' or secret_sealed is not null))
);
create unique index notification_channel_name_key on notification_channel (tenant_id, name);

-- The delivery cursor of a recipient: the e-mails of a user, a webhook, or a channel. A batch is recorded before it is sent, so that
-- after a crash the same batch is sent again under the same id.
create table notification_cursor (
  tenant_id integer not null references tenant (id),
  id uuid not null default gen_random_uuid(),
  user_id uuid,
  webhook_id uuid,
  channel_id uuid,
  done_through bigint not null,
  batch_id uuid,
  batch_through bigint,
  attempts integer not null default 0,
  -- When it is processed next; null while there is nothing to send. While a batch is being sent: the end of its lease.
  due_at timestamptz,
  last_sent_at timestamptz,
  failing_since timestamptz,
  last_error jsonb,
  primary key (tenant_id, id),
  constraint notification_cursor_user_fkey foreign key (tenant_id, user_id)
    references app_user (tenant_id, id) on delete cascade,
  constraint notification_cursor_webhook_fkey foreign key (tenant_id, webhook_id)
    references notification_webhook (tenant_id, id) on delete cascade,
  constraint notification_cursor_channel_fkey foreign key (tenant_id, channel_id)
    references notification_channel (tenant_id, id) on delete cascade,
  constraint notification_cursor_one check (num_nonnulls(user_id, webhook_id, channel_id) = 1),
  constraint notification_cursor_batch check ((batch_id is null) = (batch_through is null))
);
create unique index notification_cursor_user_key on notification_cursor (tenant_id, user_id) where user_id is not null;
create unique index notification_cursor_webhook_key on notification_cursor (tenant_id, webhook_id)
  where webhook_id is not null;
create unique index notification_cursor_channel_key on notification_cursor (tenant_id, channel_id)
  where channel_id is not null;
create index notification_cursor_due_idx on notification_cursor (due_at) where due_at is not null;

-- The next step of the escalation of an incident; the row is deleted when the escalation ends. No foreign keys, as in
-- alarm_event.
create table incident_escalation (
  tenant_id integer not null,
  incident_id uuid not null,
  escalation_policy_id uuid not null,
  started_at timestamptz not null,
  -- Index of the next level, from 0, and how often the last level was repeated.
  level integer not null,
  repetition integer not null,
  due_at timestamptz not null,
  primary key (tenant_id, incident_id)
);
create index incident_escalation_due_idx on incident_escalation (due_at);

-- A message of a level to one recipient: the queue of deliveries and the history of the escalation.
create table escalation_message (
  tenant_id integer not null,
  id uuid not null default gen_random_uuid(),
  incident_id uuid not null,
  started_at timestamptz not null,
  level integer not null,
  repetition integer not null,
  -- The recipient in one text, such as user:<id>; one of the three columns after it is set.
  target text not null,
  user_id uuid,
  channel_id uuid,
  email text,
  language text not null,
  status text not null check (status in ('waiting', 'sent', 'failed', 'skipped')),
  attempts integer not null default 0,
  -- When it is sent next; while it is being sent: the end of its lease.
  due_at timestamptz not null,
  claim_id uuid,
  error jsonb,
  created_at timestamptz not null,
  sent_at timestamptz,
  primary key (tenant_id, id),
  constraint escalation_message_one check (num_nonnulls(user_id, channel_id, email) = 1)
);
create unique index escalation_message_key
  on escalation_message (tenant_id, incident_id, started_at, level, repetition, target);
create index escalation_message_due_idx on escalation_message (due_at) where status = 'waiting';
create index escalation_message_target_idx on escalation_message (tenant_id, target, due_at) where status = 'waiting';
create index escalation_message_created_idx on escalation_message (created_at);

-- ==== Netting: registry, tariffs, calculation, corrections, market prices, official readings ====

-- The registry: scopes, organizations, facilities, meters, groups, limits.
create extension if not exists btree_gist;

create table scope (
  tenant_id integer not null references tenant (id),
  id uuid not null default gen_random_uuid(),
  name text not null,
  external_party_ref text,
  notes text,
  declaration_source text check (declaration_source in ('customer_declaration', 'official_document', 'lum_report', 'gts_report')),
  declared_by uuid,
  declared_at timestamptz,
  -- The loader that entered the record ('demo', 'import: …'); null: the API.
  origin text,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint scope_name_key unique (tenant_id, name),
  check ((declaration_source is null) = (declared_at is null))
);

-- System-wide organizations are copied into every tenant under the same id (is_system), so that a reference to one is a
-- composite key like every other; this small table is their source.
create table system_organization (
  id uuid primary key default gen_random_uuid(),
  org_type text not null,
  name text not null,
  is_active boolean not null default true,
  constraint system_organization_name_key unique (org_type, name)
);

create table organization (
  tenant_id integer not null references tenant (id),
  id uuid not null default gen_random_uuid(),
  org_type text not null check (org_type in ('grid_operator', 'distribution_company', 'retail_company', 'zone_operator', 'meter_reading_org', 'supplier')),
  name text not null,
  is_active boolean not null default true,
  is_system boolean not null default false,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint organization_name_key unique (tenant_id, org_type, name)
);

create table facility (
  tenant_id integer not null,
  id uuid not null default gen_random_uuid(),
  subregion_id uuid not null,
  scope_id uuid,
  name text not null,
  valid_from date not null,
  valid_to date,
  producer_tariff_group text check (producer_tariff_group in ('lisanssiz_uretici_1', 'lisanssiz_uretici_2')),
  grid_operator_id uuid,
  distribution_company_id uuid,
  retail_or_zone_operator_id uuid,
  meter_reading_org_id uuid,
  supplier_id uuid,
  abone_grubu text check (abone_grubu in ('mesken', 'ticarethane', 'sanayi', 'tarimsal_sulama', 'aydinlatma', 'other')),
  source_type text check (source_type in ('solar', 'wind', 'hydro', 'biomass', 'geothermal', 'cogeneration', 'hybrid', 'unknown')),
  tariff_supply_type text check (tariff_supply_type in ('regulated', 'sktt', 'bilateral')),
  is_multi_time boolean not null default false,
  voltage_level text check (voltage_level in ('AG', 'OG', 'YG')),
  installed_power_kw numeric(18, 6) check (installed_power_kw >= 0),
  contracted_power_kw numeric(18, 6) check (contracted_power_kw >= 0),
  has_ess boolean not null default false,
  ess_capacity_kwh numeric(18, 3) check (ess_capacity_kwh > 0),
  ess_power_kw numeric(18, 6) check (ess_power_kw > 0),
  -- The loader that entered the record ('demo', 'import: …'); null: the API.
  origin text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint facility_subregion_fkey foreign key (tenant_id, subregion_id) references subregion (tenant_id, id),
  constraint facility_scope_fkey foreign key (tenant_id, scope_id) references scope (tenant_id, id),
  constraint facility_grid_operator_fkey foreign key (tenant_id, grid_operator_id) references organization (tenant_id, id),
  constraint facility_distribution_company_fkey foreign key (tenant_id, distribution_company_id) references organization (tenant_id, id),
  constraint facility_retail_or_zone_operator_fkey foreign key (tenant_id, retail_or_zone_operator_id) references organization (tenant_id, id),
  constraint facility_meter_reading_org_fkey foreign key (tenant_id, meter_reading_org_id) references organization (tenant_id, id),
  constraint facility_supplier_fkey foreign key (tenant_id, supplier_id) references organization (tenant_id, id),
  constraint facility_valid_range check (valid_from <= valid_to),
  constraint facility_ess_consistency check (has_ess = (ess_capacity_kwh is not null) and has_ess = (ess_power_kw is not null))
);
create index facility_subregion_idx on facility (tenant_id, subregion_id);
create index facility_scope_idx on facility (tenant_id, scope_id);

-- Changes of a facility with its values before and after; written in the same transaction. Append-only.
create table facility_history (
  tenant_id integer not null,
  id uuid not null default gen_random_uuid(),
  facility_id uuid not null,
  -- Null for a loader, which acts for no user.
  changed_by uuid,
  changed_at timestamptz not null,
  operation text not null check (operation in ('create', 'update', 'delete')),
  before jsonb,
  after jsonb,
  primary key (tenant_id, id)
);
create index facility_history_facility_idx on facility_history (tenant_id, facility_id, changed_at desc);

create table osos_installation (
  tenant_id integer not null,
  id uuid not null default gen_random_uuid(),
  installation_no text not null,
  facility_id uuid,
  distribution_company_id uuid,
  multiplier numeric(18, 6) not null default 1 check (multiplier > 0),
  -- What the installation measures at its facility; null: derived from the meters there.
  measurement_role text check (measurement_role in (
    'main_production', 'main_consumption', 'pcc_import_export', 'osb_eb_consumption')),
  -- The source of the facts: the grid operator's readings, or meter data that the customer declared.
  fact_source text not null default 'osos_official_meter' check (fact_source in (
    'osos_official_meter', 'customer_declared')),
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint osos_installation_no_key unique (tenant_id, installation_no),
  constraint osos_installation_facility_fkey foreign key (tenant_id, facility_id) references facility (tenant_id, id),
  constraint osos_installation_distribution_company_fkey foreign key (tenant_id, distribution_company_id) references organization (tenant_id, id)
);

create table metering_point (
  tenant_id integer not null,
  id uuid not null default gen_random_uuid(),
  facility_id uuid not null,
  meter_no text,
  valid_from timestamptz not null,
  valid_to timestamptz,
  meter_reading_org_id uuid,
  osos_installation_id uuid,
  notes text,
  -- The loader that entered the record ('demo', 'import: …'); null: the API.
  origin text,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint metering_point_facility_fkey foreign key (tenant_id, facility_id) references facility (tenant_id, id),
  constraint metering_point_meter_reading_org_fkey foreign key (tenant_id, meter_reading_org_id) references organization (tenant_id, id),
  constraint metering_point_osos_installation_fkey foreign key (tenant_id, osos_installation_id) references osos_installation (tenant_id, id),
  constraint metering_point_valid_range check (valid_from <= valid_to)
);
create index metering_point_facility_idx on metering_point (tenant_id, facility_id);

create table meter_assignment (
  tenant_id integer not null,
  id uuid not null default gen_random_uuid(),
  subregion_id uuid not null,
  device_id uuid not null,
  facility_id uuid,
  metering_point_id uuid,
  measurement_role text not null check (measurement_role in (
    'main_production', 'main_consumption', 'pcc_import_export', 'osb_eb_consumption',
    'battery', 'self_consumption', 'aux_production', 'aux_consumption', 'check_meter')),
  valid_from timestamptz not null,
  valid_to timestamptz,
  -- The source of a record that was not created through the API, whose rules would refuse it ('demo', 'import: …').
  origin text,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint meter_assignment_subregion_fkey foreign key (tenant_id, subregion_id) references subregion (tenant_id, id),
  constraint meter_assignment_device_fkey foreign key (tenant_id, device_id) references device (tenant_id, id),
  constraint meter_assignment_facility_fkey foreign key (tenant_id, facility_id) references facility (tenant_id, id),
  constraint meter_assignment_metering_point_fkey foreign key (tenant_id, metering_point_id) references metering_point (tenant_id, id),
  constraint meter_assignment_valid_range check (valid_from < valid_to),
  constraint meter_assignment_main_role_overlap exclude using gist (
    tenant_id with =, subregion_id with =, measurement_role with =, tstzrange(valid_from, valid_to) with &&)
    where (measurement_role in ('main_production', 'main_consumption', 'pcc_import_export', 'osb_eb_consumption'))
);
create index meter_assignment_facility_idx on meter_assignment (tenant_id, facility_id);
create index meter_assignment_device_idx on meter_assignment (tenant_id, device_id);

-- A recorded replacement of a meter, for one register of a device or of an OSOS installation. A voided record stays, and has
-- no effect any more.
create table meter_change (
  tenant_id integer not null,
  id uuid not null default gen_random_uuid(),
  device_id uuid,
  osos_installation_id uuid,
  register text not null check (register in (
    'import_active_energy', 'export_active_energy', 'production_active_energy', 'battery_charge_energy',
    'battery_discharge_energy', 'inductive_reactive_energy', 'capacitive_reactive_energy')),
  changed_at timestamptz not null,
  -- kWh (kvarh) after the multiplier of the meter.
  old_end_kwh numeric(18, 3) not null check (old_end_kwh >= 0),
  new_start_kwh numeric(18, 3) not null check (new_start_kwh >= 0),
  old_serial_no text,
  new_serial_no text,
  note text,
  -- The loader that entered the record ('import: …'); null: the API.
  origin text,
  recorded_by uuid,
  recorded_at timestamptz not null,
  -- The number of corrections; their earlier values are in meter_change_revision.
  corrections integer not null default 0,
  voided_at timestamptz,
  voided_by uuid,
  void_reason text,
  primary key (tenant_id, id),
  constraint meter_change_device_fkey foreign key (tenant_id, device_id) references device (tenant_id, id) on delete cascade,
  constraint meter_change_osos_installation_fkey foreign key (tenant_id, osos_installation_id)
    references osos_installation (tenant_id, id) on delete cascade,
  constraint meter_change_one_meter check ((device_id is null) <> (osos_installation_id is null)),
  constraint meter_change_void check ((voided_at is null) = (void_reason is null))
);
create unique index meter_change_device_key on meter_change (tenant_id, device_id, register, changed_at)
  where device_id is not null and voided_at is null;
create unique index meter_change_osos_installation_key on meter_change (tenant_id, osos_installation_id, register, changed_at)
  where osos_installation_id is not null and voided_at is null;

-- The values of a meter change before each correction.
create table meter_change_revision (
  tenant_id integer not null,
  change_id uuid not null,
  revision integer not null,
  changed_at timestamptz not null,
  old_end_kwh numeric(18, 3) not null,
  new_start_kwh numeric(18, 3) not null,
  old_serial_no text,
  new_serial_no text,
  note text,
  corrected_by uuid,
  corrected_at timestamptz not null,
  reason text not null,
  primary key (tenant_id, change_id, revision),
  constraint meter_change_revision_change_fkey foreign key (tenant_id, change_id)
    references meter_change (tenant_id, id) on delete cascade
);
revoke update, truncate on meter_change_revision from current_user;

create table netting_group (
  tenant_id integer not null references tenant (id),
  id uuid not null default gen_random_uuid(),
  name text not null,
  scope_id uuid,
  responsible_supplier_id uuid,
  is_active boolean not null default true,
  group_status text not null default 'customer_defined' check (group_status in ('customer_defined', 'ek1_submitted', 'grid_operator_confirmed', 'lum_reported', 'inactive')),
  eligibility_status text not null default 'not_checked' check (eligibility_status in ('not_checked', 'valid', 'blocked')),
  notes text,
  -- Whether closed months whose input has changed are corrected by a person or, after a quiet period, by the service.
  correction_mode text not null default 'manual' check (correction_mode in ('manual', 'automatic')),
  correction_quiet_minutes integer not null default 60 check (correction_quiet_minutes between 5 and 10080),
  -- The loader that entered the record ('demo', 'import: …'); null: the API.
  origin text,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint netting_group_name_key unique (tenant_id, name),
  constraint netting_group_scope_fkey foreign key (tenant_id, scope_id) references scope (tenant_id, id),
  constraint netting_group_supplier_fkey foreign key (tenant_id, responsible_supplier_id) references organization (tenant_id, id),
  constraint netting_group_active_status check (is_active = (group_status <> 'inactive'))
);

-- The netting settings of a tenant; the defaults hold without a row.
create table netting_setting (
  tenant_id integer primary key references tenant (id),
  strict_storage_export boolean not null,
  updated_by uuid not null,
  updated_at timestamptz not null
);

create table group_member (
  tenant_id integer not null,
  id uuid not null default gen_random_uuid(),
  group_id uuid not null,
  facility_id uuid not null,
  member_role text not null check (member_role in ('production', 'consumption', 'mixed')),
  valid_from date not null,
  valid_to date,
  declared_by uuid,
  origin text,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint group_member_group_fkey foreign key (tenant_id, group_id) references netting_group (tenant_id, id),
  constraint group_member_facility_fkey foreign key (tenant_id, facility_id) references facility (tenant_id, id),
  constraint group_member_valid_range check (valid_from <= valid_to),
  constraint group_member_single_group exclude using gist (
    tenant_id with =, facility_id with =, daterange(valid_from, valid_to) with &&)
);
create index group_member_group_idx on group_member (tenant_id, group_id);

create table limit_account (
  tenant_id integer not null,
  id uuid not null default gen_random_uuid(),
  facility_id uuid not null,
  year integer not null check (year between 2000 and 2100),
  initial_limit_kwh numeric(18, 3) not null check (initial_limit_kwh >= 0),
  limit_source text not null check (limit_source in ('previous_year_consumption', 'customer_declaration', 'official_document', 'lum_report', 'gts_report', 'manual')),
  origin text,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint limit_account_facility_year_key unique (tenant_id, facility_id, year),
  constraint limit_account_facility_fkey foreign key (tenant_id, facility_id) references facility (tenant_id, id)
);

-- The result of each evaluation of a group. Without a billing_period it is one of the period that runs, and the group
-- has the status of the latest of them; with one it is an evaluation of a period that had ended. Append-only.
create table eligibility_run (
  tenant_id integer not null,
  id uuid not null default gen_random_uuid(),
  group_id uuid not null,
  -- The order of evaluation: two of one instant still have an order.
  seq bigint generated always as identity,
  eligibility_status text not null check (eligibility_status in ('not_checked', 'valid', 'blocked')),
  rules jsonb not null check (jsonb_typeof(rules) = 'array'),
  billing_period date check (extract(day from billing_period) = 1),
  triggered_by text not null default 'schedule' check (triggered_by in (
    'schedule', 'request', 'tariff_approval', 'calculation', 'correction', 'period_request')),
  -- Of the correction or of the superuser.
  reason text,
  -- The message, where the text is one of the service.
  reason_content jsonb,
  -- The evaluation from which the results of the rules about acts of persons were kept. A foreign key to an
  -- append-only table would need the revoked UPDATE.
  kept_from uuid,
  evaluated_by uuid,
  evaluated_at timestamptz not null,
  primary key (tenant_id, id),
  constraint eligibility_run_group_fkey foreign key (tenant_id, group_id) references netting_group (tenant_id, id),
  check ((billing_period is null) = (triggered_by in ('schedule', 'request', 'tariff_approval')))
);
create index eligibility_run_group_idx on eligibility_run (tenant_id, group_id, seq desc);
create index eligibility_run_period_idx on eligibility_run (tenant_id, group_id, billing_period, seq desc)
  where billing_period is not null;

-- Regulated tariffs: national data, no tenant; reference tables.
create table tariff_price_set (
  id uuid primary key default gen_random_uuid(),
  billing_period date not null check (extract(day from billing_period) = 1),
  name text,
  source_note text,
  approval_status text not null default 'draft' check (approval_status in ('draft', 'approved', 'archived')),
  approved_by uuid,
  approved_at timestamptz,
  created_by uuid,
  created_at timestamptz not null default now(),
  check ((approval_status = 'draft') = (approved_at is null))
);
create index tariff_price_set_period_idx on tariff_price_set (billing_period desc, approval_status);

create table tariff_price (
  id uuid primary key default gen_random_uuid(),
  price_set_id uuid not null references tariff_price_set (id) on delete cascade,
  valid_from date not null,
  valid_to date,
  billing_period date not null check (extract(day from billing_period) = 1),
  abone_grubu text not null check (abone_grubu in ('mesken', 'ticarethane', 'sanayi', 'tarimsal_sulama', 'aydinlatma', 'other')),
  gerilim_seviyesi text,
  tariff_code text,
  tariff_class text,
  price_purpose text not null check (price_purpose in (
    'mahsuplasma_related_tariff', 'mahsuplasma_lowest_related_tariff', 'sktt_active_energy',
    'customer_bill_active_energy', 'system_usage', 'distribution', 'other')),
  time_segment text check (time_segment in ('tek', 'gunduz', 'puant', 'gece')),
  step_no integer check (step_no > 0),
  unit text,
  price numeric(18, 6) not null check (price > 0),
  source_note text,
  created_at timestamptz not null default now(),
  constraint tariff_price_natural_key unique nulls not distinct (price_set_id, abone_grubu, price_purpose, time_segment, step_no),
  constraint tariff_price_valid_range check (valid_from <= valid_to)
);
create index tariff_price_period_idx on tariff_price (billing_period);

-- Hourly energy by facility, calculations, and the ledger of limits.
create table hourly_energy (
  tenant_id integer not null,
  facility_id uuid not null,
  hour timestamptz not null,
  source text not null check (source in ('lum_official_report', 'gts_report', 'pys_import', 'osos_official_meter', 'zeus_meter', 'customer_declared', 'profiled_estimate', 'missing')),
  measurement_role text not null,
  production_kwh numeric(18, 3),
  consumption_kwh numeric(18, 3),
  self_consumption_kwh numeric(18, 3),
  import_kwh numeric(18, 3),
  export_kwh numeric(18, 3),
  battery_kwh numeric(18, 3),
  data_quality text not null check (data_quality in ('complete', 'partial', 'missing', 'corrected', 'suspect', 'estimated_profiled', 'unknown')),
  completeness_pct numeric(5, 2) not null check (completeness_pct between 0 and 100),
  computed_at timestamptz not null,
  -- The main meter roles in force at the hour when the fact was derived, as bits (src/core/netting/quantities.ts);
  -- null: not derived from meters.
  role_set smallint,
  primary key (tenant_id, facility_id, hour, source, measurement_role),
  constraint hourly_energy_facility_fkey foreign key (tenant_id, facility_id) references facility (tenant_id, id)
) partition by range (hour);

-- Hours of a facility whose facts have to be derived again after a change of the registry.
create table fact_rebuild (
  tenant_id integer not null,
  id bigint generated always as identity,
  facility_id uuid not null,
  from_hour timestamptz not null,
  to_hour timestamptz not null,
  queued_at timestamptz not null,
  primary key (tenant_id, id),
  constraint fact_rebuild_facility_fkey foreign key (tenant_id, facility_id) references facility (tenant_id, id) on delete cascade,
  check (from_hour < to_hour)
);
create index fact_rebuild_facility_idx on fact_rebuild (tenant_id, facility_id);

create table calculation_run (
  tenant_id integer not null,
  id uuid not null default gen_random_uuid(),
  group_id uuid not null,
  billing_period date not null,
  from_hour timestamptz not null,
  to_hour timestamptz not null,
  scenario text not null check (scenario in ('standard_hourly', 'mesken_monthly', 'invalid_group_bedelsiz')),
  triggered_by text not null check (triggered_by in ('beat', 'manual', 'correction_cascade')),
  status text not null default 'completed' check (status in ('completed', 'superseded')),
  started_at timestamptz not null,
  finished_at timestamptz not null,
  is_current boolean not null default true,
  superseded_by uuid,
  parent_run_id uuid,
  input_hash text not null,
  engine_version text not null,
  notes jsonb not null default '{}',
  stage text generated always as (notes ->> 'stage') stored,
  started_by uuid,
  -- The evaluation whose status the run used; null before the first one.
  eligibility_run_id uuid,
  primary key (tenant_id, id),
  constraint calculation_run_group_fkey foreign key (tenant_id, group_id) references netting_group (tenant_id, id),
  constraint calculation_run_parent_fkey foreign key (tenant_id, parent_run_id) references calculation_run (tenant_id, id),
  check (from_hour < to_hour),
  constraint calculation_run_current_overlap exclude using gist (
    tenant_id with =, group_id with =, tstzrange(from_hour, to_hour) with &&) where (is_current)
);
create index calculation_run_group_idx on calculation_run (tenant_id, group_id, started_at desc, id desc);
create index calculation_run_current_idx on calculation_run (tenant_id, group_id, billing_period) where is_current;

create table calculation_hour (
  tenant_id integer not null,
  id uuid not null default gen_random_uuid(),
  calculation_run_id uuid not null,
  group_id uuid not null,
  hour timestamptz not null,
  -- Null: unknown.
  production_kwh numeric(18, 3),
  consumption_kwh numeric(18, 3),
  matched_kwh numeric(18, 3),
  surplus_kwh numeric(18, 3),
  net_import_kwh numeric(18, 3),
  bedelli_kwh numeric(18, 3),
  skb_kwh numeric(18, 3),
  bedelsiz_kwh numeric(18, 3),
  matched_over_limit_kwh numeric(18, 3),
  limit_before_kwh numeric(18, 3),
  limit_used_kwh numeric(18, 3),
  limit_after_kwh numeric(18, 3),
  mesken_informational boolean not null,
  data_quality text not null,
  is_current boolean not null default true,
  primary key (tenant_id, id),
  constraint calculation_hour_run_fkey foreign key (tenant_id, calculation_run_id) references calculation_run (tenant_id, id)
);
create unique index calculation_hour_current_key on calculation_hour (tenant_id, group_id, hour) where is_current;
create index calculation_hour_group_idx on calculation_hour (tenant_id, group_id, hour);
create index calculation_hour_run_idx on calculation_hour (tenant_id, calculation_run_id);

create table virtual_meter_hour (
  tenant_id integer not null,
  id uuid not null default gen_random_uuid(),
  calculation_run_id uuid not null,
  group_id uuid not null,
  hour timestamptz not null,
  virtual_meter_type text not null check (virtual_meter_type in ('bedelli', 'skb_odemeli', 'bedelsiz')),
  grid_operator_id uuid,
  source_kind text not null,
  reason_code text not null,
  energy_kwh numeric(18, 3) not null check (energy_kwh > 0),
  is_current boolean not null default true,
  primary key (tenant_id, id),
  constraint virtual_meter_hour_run_fkey foreign key (tenant_id, calculation_run_id) references calculation_run (tenant_id, id)
);
create unique index virtual_meter_hour_current_key on virtual_meter_hour
  (tenant_id, group_id, hour, virtual_meter_type, grid_operator_id, source_kind, reason_code) nulls not distinct where is_current;
create index virtual_meter_hour_run_idx on virtual_meter_hour (tenant_id, calculation_run_id);
create index virtual_meter_hour_group_idx on virtual_meter_hour (tenant_id, group_id, hour);

create table amount (
  tenant_id integer not null,
  id uuid not null default gen_random_uuid(),
  calculation_run_id uuid not null,
  group_id uuid not null,
  hour timestamptz not null,
  facility_id uuid,
  amount_type text not null check (amount_type in (
    'supplier_payment_for_matched_consumption', 'producer_payment_for_bedelli_surplus', 'system_usage_fee_for_skb',
    'sktt_matched_consumption', 'mesken_monthly_amount', 'estimated_savings', 'estimated_loss_or_risk')),
  grid_operator_id uuid,
  source_kind text,
  step_no integer,
  quantity_kwh numeric(18, 3) not null,
  unit_price_try_per_kwh numeric(18, 6),
  amount_try numeric(18, 6),
  tariff_price_id uuid,
  is_current boolean not null default true,
  primary key (tenant_id, id),
  constraint amount_run_fkey foreign key (tenant_id, calculation_run_id) references calculation_run (tenant_id, id),
  check ((unit_price_try_per_kwh is null) = (amount_try is null))
);
create index amount_group_idx on amount (tenant_id, group_id, hour);
create index amount_run_idx on amount (tenant_id, calculation_run_id);

-- The usage of each account by run and hour, so that a balance can be read as of any hour.
create table limit_usage_hour (
  tenant_id integer not null,
  calculation_run_id uuid not null,
  account_id uuid not null,
  hour timestamptz not null,
  matched_kwh numeric(18, 3) not null,
  bedelli_kwh numeric(18, 3) not null,
  primary key (tenant_id, calculation_run_id, account_id, hour),
  constraint limit_usage_hour_run_fkey foreign key (tenant_id, calculation_run_id) references calculation_run (tenant_id, id),
  constraint limit_usage_hour_account_fkey foreign key (tenant_id, account_id) references limit_account (tenant_id, id)
);
create index limit_usage_hour_account_idx on limit_usage_hour (tenant_id, account_id, hour);

-- The ledger: rows are added, never changed. remaining = initial_limit_kwh + sum(amount_kwh).
create table limit_movement (
  tenant_id integer not null,
  id uuid not null default gen_random_uuid(),
  account_id uuid not null,
  -- The order of booking: several movements of one transaction share their time.
  seq bigint generated always as identity,
  movement_type text not null check (movement_type in (
    'initial', 'manual_adjustment', 'group_transfer_out', 'group_transfer_in', 'mahsuplasan_consumption',
    'bedelli_ihtiyac_fazlasi', 'correction_reversal', 'correction_reapply')),
  amount_kwh numeric(18, 3) not null,
  reason text,
  -- The message, where the text is one of the service.
  reason_content jsonb,
  contracted_power_confirmed boolean,
  calculation_run_id uuid,
  created_by uuid,
  created_at timestamptz not null,
  primary key (tenant_id, id),
  constraint limit_movement_account_fkey foreign key (tenant_id, account_id) references limit_account (tenant_id, id),
  constraint limit_movement_run_fkey foreign key (tenant_id, calculation_run_id) references calculation_run (tenant_id, id),
  check (movement_type <> 'initial' or amount_kwh = 0)
);
create index limit_movement_account_idx on limit_movement (tenant_id, account_id, seq desc);
create unique index limit_movement_run_key on limit_movement (tenant_id, calculation_run_id, account_id, movement_type) where calculation_run_id is not null;

create table monthly_summary (
  tenant_id integer not null,
  id uuid not null default gen_random_uuid(),
  group_id uuid not null,
  billing_period date not null,
  calculation_run_id uuid not null,
  run_ids uuid[] not null,
  scenario text not null,
  -- Null: unknown.
  production_kwh numeric(18, 3),
  consumption_kwh numeric(18, 3),
  matched_kwh numeric(18, 3),
  net_import_kwh numeric(18, 3),
  surplus_kwh numeric(18, 3),
  bedelli_kwh numeric(18, 3),
  skb_kwh numeric(18, 3),
  bedelsiz_kwh numeric(18, 3),
  -- The sum of the priced rows by amount_type; null where a type has rows but no price.
  amounts_try jsonb not null,
  -- The count of quantity-only rows by amount_type.
  price_gaps jsonb not null,
  limit_opening_kwh numeric(18, 3),
  limit_used_kwh numeric(18, 3),
  limit_closing_kwh numeric(18, 3),
  hours_expected integer not null,
  hours_calculated integer not null,
  completeness_pct numeric(5, 2) not null,
  data_quality text not null,
  is_current boolean not null default true,
  created_at timestamptz not null,
  primary key (tenant_id, id),
  constraint monthly_summary_group_fkey foreign key (tenant_id, group_id) references netting_group (tenant_id, id),
  constraint monthly_summary_run_fkey foreign key (tenant_id, calculation_run_id) references calculation_run (tenant_id, id)
);
create unique index monthly_summary_current_key on monthly_summary (tenant_id, group_id, billing_period) where is_current;
create index monthly_summary_group_idx on monthly_summary (tenant_id, group_id, billing_period desc);

-- Append-only is enforced by privileges: the service's role, which owns these tables, revokes its own rights.
revoke update, delete, truncate on limit_movement, limit_usage_hour, facility_history, eligibility_run from current_user;

-- A correction is a chain of calculations: its period, then every later period that has been calculated. The row
-- records its progress, in the transaction of each period, so that it resumes after a stop or a crash.
create table correction_chain (
  tenant_id integer not null,
  id uuid not null default gen_random_uuid(),
  -- The order of a group's chains: the first open one goes first.
  seq bigint generated always as identity,
  group_id uuid not null,
  billing_period date not null,
  reason text not null,
  -- The message, where the text is one of the service.
  reason_content jsonb,
  cause text not null check (cause in ('request', 'member_change', 'stale')),
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
-- A repeated request finds its chain: at most one with the same reason is unfinished. Each change of a membership has its
-- own.
create unique index correction_chain_request_key on correction_chain (tenant_id, group_id, billing_period, md5(reason))
  where cause = 'request' and state in ('open', 'stopped');
create index correction_chain_open_idx on correction_chain (tenant_id, group_id, seq) where state = 'open';
create index calculation_run_parent_idx on calculation_run (tenant_id, parent_run_id) where parent_run_id is not null;

-- The calculation of months after an import of history, in order of time; a process continues the work of a killed one.
create table history_calculation (
  tenant_id integer not null references tenant (id),
  id uuid not null default gen_random_uuid(),
  from_period date not null check (extract(day from from_period) = 1),
  to_period date not null check (extract(day from to_period) = 1),
  state text not null default 'open' check (state in ('open', 'done', 'failed')),
  requested_by uuid,
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (tenant_id, id),
  check (from_period <= to_period),
  check ((state = 'open') = (finished_at is null))
);
create index history_calculation_open_idx on history_calculation (tenant_id, created_at, id) where state = 'open';

-- One month of one group. A failed month ends the work on later months of its group: they are skipped.
create table history_calculation_step (
  tenant_id integer not null,
  job_id uuid not null,
  billing_period date not null,
  group_id uuid not null,
  state text not null default 'open' check (state in ('open', 'calculated', 'unchanged', 'failed', 'skipped')),
  hours integer,
  error_code text,
  error_message jsonb,
  finished_at timestamptz,
  primary key (tenant_id, job_id, billing_period, group_id),
  constraint history_calculation_step_job_fkey foreign key (tenant_id, job_id)
    references history_calculation (tenant_id, id) on delete cascade,
  constraint history_calculation_step_group_fkey foreign key (tenant_id, group_id)
    references netting_group (tenant_id, id),
  check ((state = 'open') = (finished_at is null))
);

-- The input of a run as it was then: facts are corrected and balances change later (ADR 0020). One gzipped
-- text a run, in the format that src/core/netting/input-pack.ts writes.
create table calculation_input (
  tenant_id integer not null,
  calculation_run_id uuid not null,
  input bytea not null,
  primary key (tenant_id, calculation_run_id),
  constraint calculation_input_run_fkey foreign key (tenant_id, calculation_run_id) references calculation_run (tenant_id, id)
);
-- It is compressed already.
alter table calculation_input alter column input set storage external;
-- Append-only is enforced by privileges.
revoke update, delete, truncate on calculation_input from current_user;

-- Prices of the electricity market, and the accounts by which they are fetched: national data, no tenant; reference
-- tables. An hour has a row for each maturity of its price.
create table market_price (
  -- The start of the hour.
  ts timestamptz not null check (date_trunc('hour', ts, 'UTC') = ts),
  -- ptf: day-ahead; smf: system marginal.
  market text not null check (market in ('ptf', 'smf')),
  price_status text not null check (price_status in ('tentative', 'final', 'corrected', 'unknown')),
  -- As published; zero is a price.
  price_try_per_mwh numeric(18, 6) not null,
  fetched_at timestamptz not null,
  primary key (ts, market, price_status)
);
create index market_price_series_idx on market_price (market, price_status, ts);

-- The row before it was published again (a second correction, a tentative price that changed), so that no published
-- value is ever lost.
create table market_price_change (
  id bigint generated always as identity primary key,
  ts timestamptz not null,
  market text not null,
  price_status text not null,
  price_before numeric(18, 6) not null,
  price_after numeric(18, 6) not null,
  -- When the value before was fetched, and when it was replaced.
  fetched_before timestamptz not null,
  changed_at timestamptz not null,
  constraint market_price_change_price_fkey foreign key (ts, market, price_status)
    references market_price (ts, market, price_status)
);
create index market_price_change_price_idx on market_price_change (ts, market, price_status);

-- That prices are never deleted is enforced by privileges: the service's role revokes its own rights.
revoke delete, truncate on market_price from current_user;
revoke update, delete, truncate on market_price_change from current_user;

create table market_account (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  portal_username text,
  -- Sealed (src/platform/auth/sealer.ts), never in clear; null where there is none.
  portal_password_sealed text,
  subscription_key_sealed text,
  whitelist_status text not null default 'not_started' check (whitelist_status in (
    'not_started', 'spec_downloaded', 'spec_sent', 'ip_whitelisted', 'portal_account_created',
    'application_created', 'subscribed', 'active', 'blocked')),
  -- The last test-call of the credentials as they are; null again when they change.
  last_test_at timestamptz,
  last_test_ok boolean,
  last_test_step text,
  last_test_message jsonb,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint market_account_test check ((last_test_at is null) = (last_test_ok is null))
);
create index market_account_status_idx on market_account (whitelist_status, created_at);

-- Official hourly readings of the grid operators' automatic meter reading (OSOS, ADR 0024).
create index osos_installation_facility_idx on osos_installation (tenant_id, facility_id);
create index metering_point_osos_installation_idx on metering_point (tenant_id, osos_installation_id)
  where osos_installation_id is not null;

-- One request or file. Append-only; its installation is no foreign key, because the check that a delete of
-- one makes needs a right on this table that is revoked below.
create table osos_import (
  tenant_id integer not null,
  id uuid not null default gen_random_uuid(),
  -- Null: a file for many installations.
  installation_id uuid,
  file_name text,
  sha256 text,
  -- Null: a file of register readings, which have an instant and no label.
  label text check (label in ('hour_ending', 'hour_starting')),
  multiplied boolean not null,
  -- How a file of meter data was read; null: a request or file of hourly official readings.
  settings jsonb,
  rows_read integer not null,
  accepted integer not null,
  unchanged integer not null,
  corrected integer not null,
  suspect integer not null,
  rejected integer not null,
  created_by uuid,
  created_at timestamptz not null,
  primary key (tenant_id, id)
);
create index osos_import_created_idx on osos_import (tenant_id, created_at desc, id);

-- The current reading of each hour. Its import is not a foreign key: the log is written at the end of the transaction
-- that stores the readings, and a check for each of a million rows would cost as much as the row.
create table osos_reading (
  tenant_id integer not null,
  installation_id uuid not null,
  -- The hour's start.
  hour timestamptz not null,
  import_kwh numeric(18, 3) check (import_kwh >= 0),
  export_kwh numeric(18, 3) check (export_kwh >= 0),
  -- A negative energy was read: the hour has no value, and raw_text keeps what was read.
  is_suspect boolean not null,
  raw_text text,
  -- Below 100: derived from register readings that cover the hour in part.
  completeness_pct numeric(5, 2) not null default 100 check (completeness_pct between 0 and 100),
  -- The register fell in or around the hour: the value is what the meter can have counted.
  is_reset boolean not null default false,
  -- Counts the values that the hour has had.
  revision integer not null,
  import_id uuid not null,
  stored_at timestamptz not null,
  primary key (tenant_id, installation_id, hour),
  constraint osos_reading_installation_fkey foreign key (tenant_id, installation_id) references osos_installation (tenant_id, id),
  constraint osos_reading_whole_hour check (extract(epoch from hour) % 3600 = 0),
  constraint osos_reading_value check (is_suspect = (import_kwh is null and export_kwh is null))
);

-- The readings before a correction. An installation with readings cannot be deleted, so this needs no foreign key either.
create table osos_reading_history (
  tenant_id integer not null,
  installation_id uuid not null,
  hour timestamptz not null,
  revision integer not null,
  import_kwh numeric(18, 3),
  export_kwh numeric(18, 3),
  is_suspect boolean not null,
  raw_text text,
  completeness_pct numeric(5, 2) not null,
  is_reset boolean not null,
  import_id uuid not null,
  stored_at timestamptz not null,
  replaced_at timestamptz not null,
  replaced_by uuid not null,
  primary key (tenant_id, installation_id, hour, revision)
);
-- Append-only is enforced by privileges.
revoke update, delete, truncate on osos_import, osos_reading_history from current_user;

-- Marks of results whose input has changed since (ADR 0068). The triggers below write them in the transaction of the
-- change, for every writer. A run removes its hours from the marks that it could see before it read its input, so a
-- change that was committed too late for the run keeps its mark. A mark counts where a current run covers its hours.
create table stale_mark (
  tenant_id integer not null,
  id bigint generated always as identity,
  group_id uuid not null,
  reason text not null check (reason in (
    'OFFICIAL_ENERGY_CHANGED', 'ENERGY_CHANGED', 'MEMBERS_CHANGED', 'FACILITY_CHANGED', 'METERS_CHANGED',
    'LIMIT_CHANGED', 'BALANCE_CHANGED', 'PRICES_CHANGED', 'ELIGIBILITY_CHANGED', 'SETTINGS_CHANGED')),
  -- The hours whose input has changed. They may reach into the future and into hours without a run.
  hours tstzmultirange not null check (not isempty(hours)),
  changed_at timestamptz not null default now(),
  -- When the job first saw the mark, by the clock of the service; the quiet period before an automatic correction
  -- begins here.
  noticed_at timestamptz,
  primary key (tenant_id, id),
  constraint stale_mark_group_fkey foreign key (tenant_id, group_id) references netting_group (tenant_id, id) on delete cascade
);
create index stale_mark_group_idx on stale_mark (tenant_id, group_id);

create function local_midnight(day date) returns timestamptz language sql immutable
  return day::timestamp at time zone interval '3 hours';

-- Marks the groups of a facility, within its memberships.
create function mark_facility_stale(tenant integer, facility uuid, changed tstzmultirange, reason text)
  returns void language sql as $$
  insert into stale_mark (tenant_id, group_id, reason, hours)
  select m.tenant_id, m.group_id, reason,
    range_agg(changed * tstzmultirange(tstzrange(local_midnight(m.valid_from), local_midnight(m.valid_to))))
  from group_member m
  where m.tenant_id = tenant and m.facility_id = facility
    and changed && tstzrange(local_midnight(m.valid_from), local_midnight(m.valid_to))
  group by m.tenant_id, m.group_id
$$;

create function mark_stale_energy() returns trigger language plpgsql as $$
begin
  insert into stale_mark (tenant_id, group_id, reason, hours)
  select c.tenant_id, m.group_id,
    case when c.source = 'osos_official_meter' then 'OFFICIAL_ENERGY_CHANGED' else 'ENERGY_CHANGED' end as reason,
    range_agg(tstzrange(c.hour, c.hour + interval '1 hour'))
  from changed c
  join group_member m on m.tenant_id = c.tenant_id and m.facility_id = c.facility_id
    and c.hour >= local_midnight(m.valid_from)
    and (m.valid_to is null or c.hour < local_midnight(m.valid_to))
  where c.source <> 'missing'
  group by c.tenant_id, m.group_id, reason;
  return null;
end $$;
create trigger hourly_energy_insert_stale after insert on hourly_energy
  referencing new table as changed for each statement execute function mark_stale_energy();
create trigger hourly_energy_update_stale after update on hourly_energy
  referencing new table as changed for each statement execute function mark_stale_energy();
create trigger hourly_energy_delete_stale after delete on hourly_energy
  referencing old table as changed for each statement execute function mark_stale_energy();

create function mark_stale_member() returns trigger language plpgsql as $$
declare
  before tstzmultirange := case when tg_op = 'INSERT' then '{}' else
    tstzmultirange(tstzrange(local_midnight(old.valid_from), local_midnight(old.valid_to))) end;
  after tstzmultirange := case when tg_op = 'DELETE' then '{}' else
    tstzmultirange(tstzrange(local_midnight(new.valid_from), local_midnight(new.valid_to))) end;
  changed tstzmultirange := (before - after) + (after - before);
begin
  if tg_op = 'UPDATE' then
    if old.member_role <> new.member_role then changed := before + after; end if;
  end if;
  insert into stale_mark (tenant_id, group_id, reason, hours)
  select coalesce(new.tenant_id, old.tenant_id), coalesce(new.group_id, old.group_id), 'MEMBERS_CHANGED', changed
  where not isempty(changed);
  return null;
end $$;
create trigger group_member_stale after insert or update or delete on group_member
  for each row execute function mark_stale_member();

create function mark_stale_facility() returns trigger language plpgsql as $$
begin
  perform mark_facility_stale(new.tenant_id, new.id, '{(,)}', 'FACILITY_CHANGED');
  return null;
end $$;
create trigger facility_stale after update on facility for each row
  when ((old.abone_grubu, old.tariff_supply_type, old.is_multi_time, old.producer_tariff_group, old.source_type,
      old.voltage_level, old.retail_or_zone_operator_id, old.distribution_company_id, old.grid_operator_id,
      old.has_ess, old.subregion_id, old.scope_id, old.supplier_id)
    is distinct from (new.abone_grubu, new.tariff_supply_type, new.is_multi_time, new.producer_tariff_group,
      new.source_type, new.voltage_level, new.retail_or_zone_operator_id, new.distribution_company_id,
      new.grid_operator_id, new.has_ess, new.subregion_id, new.scope_id, new.supplier_id))
  execute function mark_stale_facility();

-- A device of the type ess_inverter makes a facility one with storage, also at a metering point or in its subregion.
create function mark_stale_device() returns trigger language plpgsql as $$
begin
  perform mark_facility_stale(new.tenant_id, f.id, '{(,)}', 'FACILITY_CHANGED')
    from meter_assignment a
    left join metering_point p on p.tenant_id = new.tenant_id and p.id = a.metering_point_id
    join facility f on f.tenant_id = new.tenant_id and (f.id = coalesce(a.facility_id, p.facility_id)
      or (a.facility_id is null and p.facility_id is null and f.subregion_id = a.subregion_id))
    where a.tenant_id = new.tenant_id and a.device_id = new.id;
  return null;
end $$;
create trigger device_stale after update on device for each row
  when (old.inverter_type is distinct from new.inverter_type) execute function mark_stale_device();

-- The facility of an assignment is its own, that of its metering point, or every one of its subregion.
create function mark_assignment_stale(a meter_assignment) returns void language sql as $$
  select mark_facility_stale(f.tenant_id, f.id, tstzmultirange(tstzrange(a.valid_from, a.valid_to)), 'METERS_CHANGED')
  from facility f
  left join metering_point p on p.tenant_id = a.tenant_id and p.id = a.metering_point_id
  where f.tenant_id = a.tenant_id
    and (f.id = coalesce(a.facility_id, p.facility_id)
      or (a.facility_id is null and p.facility_id is null and f.subregion_id = a.subregion_id))
$$;
create function mark_stale_assignment() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then perform mark_assignment_stale(old); end if;
  if tg_op <> 'DELETE' then perform mark_assignment_stale(new); end if;
  return null;
end $$;
create trigger meter_assignment_stale after insert or update or delete on meter_assignment
  for each row execute function mark_stale_assignment();

-- Metering points and official installations decide the roles of a facility. They change rarely, so all hours are marked.
create function mark_stale_meters() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    perform mark_facility_stale(old.tenant_id, old.facility_id, '{(,)}', 'METERS_CHANGED');
  end if;
  if tg_op <> 'DELETE' then
    perform mark_facility_stale(new.tenant_id, new.facility_id, '{(,)}', 'METERS_CHANGED');
  end if;
  return null;
end $$;
create trigger metering_point_insert_stale after insert on metering_point for each row
  when (new.osos_installation_id is not null) execute function mark_stale_meters();
create trigger metering_point_update_stale after update on metering_point for each row
  when ((old.facility_id, old.osos_installation_id, old.valid_from, old.valid_to)
    is distinct from (new.facility_id, new.osos_installation_id, new.valid_from, new.valid_to))
  execute function mark_stale_meters();
create trigger metering_point_delete_stale after delete on metering_point
  for each row execute function mark_stale_meters();
create trigger osos_installation_insert_stale after insert on osos_installation for each row
  when (new.facility_id is not null) execute function mark_stale_meters();
create trigger osos_installation_update_stale after update on osos_installation for each row
  when ((old.facility_id, old.measurement_role, old.fact_source)
    is distinct from (new.facility_id, new.measurement_role, new.fact_source))
  execute function mark_stale_meters();
create trigger osos_installation_delete_stale after delete on osos_installation
  for each row execute function mark_stale_meters();

-- Adjustments and transfers count from the start of the year, whatever their time.
create function mark_account_stale(account limit_account) returns void language sql as $$
  select mark_facility_stale(account.tenant_id, account.facility_id,
    tstzmultirange(tstzrange(local_midnight(make_date(account.year, 1, 1)),
      local_midnight(make_date(account.year + 1, 1, 1)))), 'LIMIT_CHANGED')
$$;
create function mark_stale_limit() returns trigger language plpgsql as $$
begin
  perform mark_account_stale(case when tg_op = 'DELETE' then old else new end);
  return null;
end $$;
create trigger limit_account_stale after insert or delete on limit_account
  for each row execute function mark_stale_limit();
create trigger limit_account_update_stale after update on limit_account for each row
  when ((old.initial_limit_kwh, old.year, old.facility_id) is distinct from (new.initial_limit_kwh, new.year, new.facility_id))
  execute function mark_stale_limit();
create function mark_stale_movement() returns trigger language plpgsql as $$
begin
  perform mark_account_stale(a) from limit_account a where a.tenant_id = new.tenant_id and a.id = new.account_id;
  return null;
end $$;
create trigger limit_movement_stale after insert on limit_movement for each row
  when (new.calculation_run_id is null and new.amount_kwh <> 0) execute function mark_stale_movement();

-- Prices are national: the groups of all tenants are marked, for the time in which the rows are valid.
create function mark_prices_stale(hours tstzmultirange) returns void language sql as $$
  insert into stale_mark (tenant_id, group_id, reason, hours)
  select g.tenant_id, g.id, 'PRICES_CHANGED', mark_prices_stale.hours from netting_group g
  where not isempty(mark_prices_stale.hours)
$$;
create function mark_stale_price_set() returns trigger language plpgsql as $$
begin
  perform mark_prices_stale(range_agg(tstzrange(local_midnight(greatest(p.valid_from, p.billing_period)),
      local_midnight(p.valid_to + 1))))
    from tariff_price p where p.price_set_id = new.id and (p.valid_to is null or p.valid_to >= p.billing_period)
    having count(*) > 0;
  return null;
end $$;
create trigger tariff_price_set_stale after update on tariff_price_set for each row
  when (old.approval_status <> new.approval_status) execute function mark_stale_price_set();
create function mark_stale_price() returns trigger language plpgsql as $$
begin
  perform mark_prices_stale(range_agg(tstzrange(local_midnight(greatest(p.valid_from, p.billing_period)),
      local_midnight(p.valid_to + 1))))
    from changed p join tariff_price_set s on s.id = p.price_set_id and s.approval_status <> 'draft'
    where p.valid_to is null or p.valid_to >= p.billing_period having count(*) > 0;
  return null;
end $$;
create trigger tariff_price_insert_stale after insert on tariff_price
  referencing new table as changed for each statement execute function mark_stale_price();
create trigger tariff_price_update_stale after update on tariff_price
  referencing new table as changed for each statement execute function mark_stale_price();
create trigger tariff_price_update_old_stale after update on tariff_price
  referencing old table as changed for each statement execute function mark_stale_price();
create trigger tariff_price_delete_stale after delete on tariff_price
  referencing old table as changed for each statement execute function mark_stale_price();

-- The scope and the supplier of a group decide its eligibility, also that of past periods.
create function mark_stale_group() returns trigger language plpgsql as $$
begin
  insert into stale_mark (tenant_id, group_id, reason, hours)
    values (new.tenant_id, new.id, 'ELIGIBILITY_CHANGED', '{(,)}');
  return null;
end $$;
create trigger netting_group_stale after update on netting_group for each row
  when ((old.scope_id, old.responsible_supplier_id) is distinct from (new.scope_id, new.responsible_supplier_id))
  execute function mark_stale_group();

-- The settings of a tenant concern all its groups. Without a row the default holds: strict.
create function mark_stale_setting() returns trigger language plpgsql as $$
begin
  insert into stale_mark (tenant_id, group_id, reason, hours)
  select tenant_id, id, 'SETTINGS_CHANGED', '{(,)}' from netting_group where tenant_id = new.tenant_id;
  return null;
end $$;
create trigger netting_setting_insert_stale after insert on netting_setting for each row
  when (not new.strict_storage_export) execute function mark_stale_setting();
create trigger netting_setting_update_stale after update on netting_setting for each row
  when (old.strict_storage_export <> new.strict_storage_export) execute function mark_stale_setting();

-- An evaluation counts where it turns a group from blocked to not blocked or back. Periods before the first evaluation
-- use the present status of the group. Evaluations that a calculation makes for itself are part of its result.
create function mark_stale_eligibility() returns trigger language plpgsql as $$
declare
  first_at timestamptz;
  before text;
begin
  if new.billing_period is not null then
    insert into stale_mark (tenant_id, group_id, reason, hours)
    select new.tenant_id, new.group_id, 'ELIGIBILITY_CHANGED',
      tstzmultirange(tstzrange(local_midnight(new.billing_period),
        local_midnight((new.billing_period + interval '1 month')::date)))
    where new.triggered_by = 'period_request';
    return null;
  end if;
  select min(evaluated_at), (array_agg(eligibility_status order by seq desc))[1] into first_at, before
    from eligibility_run where tenant_id = new.tenant_id and group_id = new.group_id and id <> new.id and billing_period is null;
  if (before is not distinct from 'blocked') = (new.eligibility_status = 'blocked') then return null; end if;
  insert into stale_mark (tenant_id, group_id, reason, hours)
  select new.tenant_id, new.group_id, 'ELIGIBILITY_CHANGED',
    case when first_at is null then '{(,)}'::tstzmultirange else
      tstzmultirange(tstzrange(local_midnight(date_trunc('month', new.evaluated_at at time zone interval '3 hours')::date), null),
        tstzrange(null, local_midnight(date_trunc('month', first_at at time zone interval '3 hours')::date))) end;
  return null;
end $$;
create trigger eligibility_run_stale after insert on eligibility_run
  for each row execute function mark_stale_eligibility();

-- Calculations or corrections of many groups that one request asked for. The job works off the waiting groups; a group
-- has its result in the row, so the work resumes after a crash.
create table bulk_calculation (
  tenant_id integer not null,
  id uuid not null default gen_random_uuid(),
  action text not null check (action in ('calculate', 'correct')),
  billing_period date not null check (extract(day from billing_period) = 1),
  reason text,
  requested_by uuid,
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (tenant_id, id),
  check ((action = 'correct') = (reason is not null))
);
create index bulk_calculation_created_idx on bulk_calculation (tenant_id, created_at desc, id);
create index bulk_calculation_open_idx on bulk_calculation (created_at) where finished_at is null;

create table bulk_calculation_group (
  tenant_id integer not null,
  bulk_id uuid not null,
  group_id uuid not null,
  status text not null default 'waiting' check (status in ('waiting', 'completed', 'unchanged', 'incomplete', 'refused', 'failed')),
  run_ids uuid[] not null default '{}',
  -- [{code, subject, text}].
  warnings jsonb not null default '[]',
  -- The code and the message of a refusal or failure.
  error_code text,
  error jsonb,
  finished_at timestamptz,
  primary key (tenant_id, bulk_id, group_id),
  constraint bulk_calculation_group_bulk_fkey foreign key (tenant_id, bulk_id) references bulk_calculation (tenant_id, id) on delete cascade,
  constraint bulk_calculation_group_group_fkey foreign key (tenant_id, group_id) references netting_group (tenant_id, id) on delete cascade
);

-- ==== Jobs ====

-- The runs of scheduled jobs: a row for each job and slot, the last ones of each job. A table of the service, not of a
-- tenant. A job continues after the last slot that was done.
create table job_run (
  name text not null,
  slot timestamptz not null,
  finished_at timestamptz not null,
  -- partial: parts of the work failed (a group, a facility) and were left to the next jobs.
  outcome text not null check (outcome in ('done', 'partial', 'failed')),
  attempts integer not null default 1,
  primary key (name, slot)
);
create index job_run_done_idx on job_run (name, slot desc) where outcome <> 'failed';

-- Dirty ranges of hourly energy: a device's hours that samples have changed after the last scheduled build for them. A row
-- for each range, deleted by the nightly build that processed it.
create table late_dirty_range (
  tenant_id integer not null,
  id bigint generated always as identity,
  device_key integer not null,
  from_hour timestamptz not null,
  to_hour timestamptz not null,
  primary key (tenant_id, id)
);
create index late_dirty_range_device_idx on late_dirty_range (tenant_id, device_key);

-- ==== Insight: exports and dashboards ====

-- Exports that are written in the background. The file is in DATA_DIR/exports of the process that wrote it.
create table data_export (
  tenant_id integer not null references tenant (id),
  id uuid not null default gen_random_uuid(),
  status text not null default 'queued' check (status in ('queued', 'running', 'completed', 'failed')),
  format text not null check (format in ('csv', 'xlsx', 'pdf')),
  -- The request: devices, range, interval, metrics, locale.
  request jsonb not null,
  file_name text not null,
  -- Unknown until they are counted.
  rows_total bigint,
  rows_done bigint not null default 0,
  size_bytes bigint,
  -- The message of the failure.
  error jsonb,
  -- The machine and folder whose processes write and keep its file.
  location text not null,
  attempts integer not null default 0,
  -- The user who requested it; no foreign key: exports outlive their user.
  requested_by uuid,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  -- The last heartbeat of the process that writes it.
  heartbeat_at timestamptz,
  primary key (tenant_id, id)
);
create index data_export_created_idx on data_export (tenant_id, created_at desc, id);
create index data_export_open_idx on data_export (location, created_at) where status in ('queued', 'running');

-- The widgets of a subregion's dashboard. A widget names its devices in config, by id and without a foreign key: a widget
-- must not prevent the deletion of a meter.
create table widget (
  tenant_id integer not null,
  id uuid not null default gen_random_uuid(),
  subregion_id uuid not null,
  widget_type text not null check (widget_type in (
    'device_read_rate', 'consumption_chart', 'consumption_numeric', 'cost_chart', 'cost_numeric', 'reactive_ratio',
    'realtime_value', 'realtime_gauge', 'realtime_3phase', 'realtime_power', 'alarm_summary',
    'osos_consumption_chart', 'mahsuplasma_balance')),
  title text not null,
  position jsonb,
  config jsonb not null default '{}' check (jsonb_typeof(config) = 'object'),
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint widget_subregion_fkey foreign key (tenant_id, subregion_id) references subregion (tenant_id, id) on delete cascade
);
create index widget_subregion_idx on widget (tenant_id, subregion_id, created_at, id);

-- ==== Safety: lockout/tagout ====

-- Lockout/tagout: isolation points, sessions with their approval, and the padlocks at the points.
create table loto_point (
  tenant_id integer not null references tenant (id),
  id uuid not null default gen_random_uuid(),
  name text not null,
  -- Null only once the point is deleted, so that it does not prevent the deletion of a subregion or device.
  subregion_id uuid,
  device_id uuid,
  energy_type text not null check (energy_type in (
    'electrical', 'mechanical', 'hydraulic', 'pneumatic', 'thermal', 'chemical', 'gravitational', 'radiation',
    'other')),
  isolation_method text not null,
  location text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Sessions keep their points, so a deleted point is hidden.
  deleted_at timestamptz,
  primary key (tenant_id, id),
  constraint loto_point_subregion_fkey foreign key (tenant_id, subregion_id) references subregion (tenant_id, id),
  constraint loto_point_device_fkey foreign key (tenant_id, device_id) references device (tenant_id, id),
  constraint loto_point_subregion check (deleted_at is not null or subregion_id is not null)
);
create unique index loto_point_name_key on loto_point (tenant_id, subregion_id, name) where deleted_at is null;
create index loto_point_device_idx on loto_point (tenant_id, device_id) where device_id is not null;

-- The users are no foreign keys: a session outlives its users, whose names the trail keeps.
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
  -- Position in the request, from 0.
  position smallint not null,
  -- While its session is applied.
  is_held boolean not null default false,
  -- The point as it was when the session was approved; null before that.
  snapshot jsonb,
  -- How the absence of energy was verified when the session was applied.
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
  -- Removed by a user who does not own it.
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
create index loto_lock_placed_idx on loto_lock (tenant_id, point_id) where removed_at is null;

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
  -- The name of the user at that time.
  by_name text not null,
  details jsonb not null default '{}',
  primary key (tenant_id, id),
  constraint loto_event_session_fkey foreign key (tenant_id, session_id) references loto_session (tenant_id, id)
);
create index loto_event_session_idx on loto_event (tenant_id, session_id, seq);

-- Append-only is enforced by privileges: the service's role revokes its own rights.
revoke update, delete, truncate on loto_event from current_user;

-- ==== Charging: stations, sessions, commands, smart charging ====

-- Charging stations (OCPP), their connectors, id tags, sessions, and commands.

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
  -- Hash of the Basic-auth password; null: no password is set, and no connection is accepted (fail closed).
  password_hash text,
  password_changed_at timestamptz,
  -- The password that was sent to the station and is not confirmed yet; both are valid until then.
  next_password_hash text,
  -- Never lowered: the highest security profile (0 to 3) that the station has connected with.
  security_profile smallint not null default 0 check (security_profile between 0 and 3),
  ocpp_version text check (ocpp_version in ('1.6', '2.0.1')),
  firmware_version text,
  -- The last BootNotification as it was sent.
  boot jsonb,
  booted_at timestamptz,
  -- Of the whole station (connector 0); null until it has been reported.
  status text,
  -- The current connection of the station, in any process; the newest wins.
  connection_id uuid,
  connected_at timestamptz,
  disconnected_at timestamptz,
  -- The last message of any kind, at most some seconds behind.
  last_message_at timestamptz,
  last_heartbeat timestamptz,
  -- The version of the list of id tags that the station stores itself; null: not known.
  local_list_version integer,
  -- Two stations with one identity take over the connection from each other: the number of recent takeovers.
  takeovers integer not null default 0,
  -- Since when these are counted.
  takeovers_since timestamptz,
  -- The addresses of the connections that were closed or opened by a takeover.
  takeover_addresses text[] not null default '{}',
  -- The last time that there were too many takeovers.
  contested_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- When it was removed; its cpid is free again. The record stays, because sessions refer to it.
  deleted_at timestamptz,
  primary key (tenant_id, id),
  constraint charger_device_fkey foreign key (tenant_id, device_id) references device (tenant_id, id),
  constraint charger_subregion_fkey foreign key (tenant_id, subregion_id) references subregion (tenant_id, id)
);
create index charger_created_idx on charger (tenant_id, created_at desc, id) where deleted_at is null;
create unique index charger_device_idx on charger (tenant_id, device_id);

-- Connectors that the station has reported. For OCPP 2.0.1 the number is the EVSE's, and its connector is stored beside it.
create table charger_connector (
  tenant_id integer not null,
  charger_id uuid not null,
  connector_id integer not null check (connector_id between 0 and 255),
  -- Of 2.0.1; 1 otherwise.
  evse_connector_id integer not null default 1,
  -- The device of its meter values; connector 1 has the charger's device.
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
  -- The status in the response to the station. A session of an unknown tag is stored too, with a flag.
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
  -- The remote start that caused it.
  command_id uuid,
  -- Irregularities: unknown_tag, meter_went_back, offline, started_late, ended_without_start ...
  flags text[] not null default '{}',
  -- 2.0.1: the highest number of its processed events, and the missing numbers below it.
  last_seq_no integer,
  missing_seq_nos integer[] not null default '{}',
  -- 2.0.1: the merged state of all events of the session, from which every other column is computed, so that order and
  -- repetition of events change nothing (src/areas/charging/sessions). Null for 1.6.
  merged_state jsonb,
  -- Samples of events that arrived before an event named the EVSE: kept until their connector is known.
  waiting_samples jsonb,
  -- Some stations report no register, only the energy of intervals: their sum, Wh, and the end of the last one; null where a
  -- register is reported, or nothing.
  interval_wh bigint,
  interval_last_at timestamptz,
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
create index charging_session_waiting_idx on charging_session (updated_at) where waiting_samples is not null;
create index charging_session_connector_idx on charging_session (tenant_id, charger_id, connector_id, started_at);
-- A StartTransaction that is sent again: the same connector, tag, instant and reading give the same session.
create unique index charging_session_start_key on charging_session
  (tenant_id, charger_id, connector_id, lower(id_tag), started_at, meter_start_wh) where ocpp_transaction_id is null;

-- Commands to stations and their results.
create table charger_command (
  tenant_id integer not null references tenant (id),
  id uuid not null default gen_random_uuid(),
  -- The order in which they are sent.
  seq bigint generated always as identity,
  charger_id uuid not null,
  -- The service's own name (remote_start, reset, ...), the same for both OCPP versions; see docs/integrate/ocpp.md.
  action text not null,
  -- The request in the terms of the API.
  request jsonb not null,
  state text not null default 'pending' check (state in (
    'pending', 'sent', 'accepted', 'rejected', 'failed', 'timed_out', 'expired', 'cancelled')),
  -- The response of the station.
  answer jsonb,
  -- The OCPP error, or one of the service, where there was no response; its message if it is a text of the service.
  error text,
  error_content jsonb,
  -- The user; null: the service itself.
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
create index charger_command_update_idx on charger_command (tenant_id, (request ->> 'update_id'), seq desc)
  where action in ('update_firmware', 'update_signed_firmware');
create index charger_command_open_idx on charger_command (tenant_id, charger_id, seq) where state in ('pending', 'sent');

-- Reports of stations other than readings: status, security, firmware, diagnostics, refused messages. Never changed.
create table charger_event (
  tenant_id integer not null,
  id uuid not null default gen_random_uuid(),
  seq bigint generated always as identity,
  charger_id uuid not null,
  connector_id integer,
  event_type text not null,
  -- By the station's clock where it sends one.
  occurred_at timestamptz not null,
  details jsonb not null default '{}',
  -- By the server's clock: retention cannot use occurred_at, which may be in the far future.
  received_at timestamptz not null,
  -- Bytes of the details.
  size_bytes integer not null,
  -- Hash of the report: a repeated report is the same event.
  digest bytea not null,
  primary key (tenant_id, id),
  constraint charger_event_charger_fkey foreign key (tenant_id, charger_id) references charger (tenant_id, id),
  constraint charger_event_digest_key unique (tenant_id, charger_id, digest)
);
create index charger_event_charger_idx on charger_event (tenant_id, charger_id, occurred_at desc, seq desc);
create index charger_event_kept_idx on charger_event (tenant_id, charger_id, seq desc);

-- How many events of a type a charger has reported on a day (UTC, by the server's clock); only the last day with an event.
create table charger_event_day (
  tenant_id integer not null,
  charger_id uuid not null,
  event_type text not null,
  day date not null,
  kept integer not null,
  kept_bytes bigint not null,
  -- Counted and not stored, because of the daily limit.
  left_out integer not null default 0,
  primary key (tenant_id, charger_id, event_type),
  constraint charger_event_day_charger_fkey foreign key (tenant_id, charger_id) references charger (tenant_id, id)
);

-- Reservations, local lists of id tags, charging profiles, and groups of chargers that share the power of a site.

create table charger_reservation (
  tenant_id integer not null references tenant (id),
  id uuid not null default gen_random_uuid(),
  -- Its id in OCPP; never reused.
  reservation_number integer generated always as identity,
  charger_id uuid not null,
  -- 0: any free connector.
  connector_id integer not null check (connector_id between 0 and 255),
  id_tag text not null,
  -- The tag of its group, as it was when the reservation was made: tags of the same group may use it.
  parent_tag text,
  state text not null default 'pending' check (state in (
    'pending', 'active', 'rejected', 'used', 'expired', 'cancelled')),
  -- Why it was rejected: the station's status in lower case, or not_delivered.
  reason text,
  expires_at timestamptz not null,
  -- The command that sends it to the station; it carries the number, so it is created a moment later.
  command_id uuid,
  -- The charging that used it.
  session_id uuid,
  requested_by uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- When it stopped reserving the connector.
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

-- The list of id tags that a station stores, to authorize charging while it is offline.
create table charger_local_list (
  tenant_id integer not null,
  charger_id uuid not null,
  -- Only the tags of charger_local_list_tag; otherwise all of the tenant.
  is_chosen boolean not null default false,
  -- The entries that the station has accepted, by the tag in lower case. Their version is charger.local_list_version.
  held_entries jsonb not null default '{}',
  -- The highest version that was ever sent, with or without a response.
  sent_version integer not null default 0,
  state text not null default 'never_sent' check (state in (
    'never_sent', 'syncing', 'synced', 'failed', 'not_supported')),
  reason text,
  -- The command of the part that is being sent, while it is syncing; otherwise of the last part.
  command_id uuid,
  -- The station's list may differ from `held_entries`: the next sync sends all of it.
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
  -- Its id in OCPP. The numbers below 100 are reserved for profiles of the service, see charging_group.
  profile_number integer generated always as identity (start with 100),
  charger_id uuid not null,
  -- 0: the whole station.
  connector_id integer not null check (connector_id between 0 and 255),
  purpose text not null check (purpose in ('charge_point_max', 'tx_default', 'tx')),
  stack_level integer not null check (stack_level >= 0),
  -- As requested: kind, recurrency, validity and schedule.
  profile jsonb not null,
  -- Of a tx profile, which is for one session.
  session_id uuid,
  state text not null default 'pending' check (state in ('pending', 'active', 'rejected', 'replaced', 'cleared')),
  -- Why it was rejected: the station's status in lower case, or how its command ended.
  reason text,
  -- The command that sends it to the station; it carries the number, so it is created a moment later.
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
  -- Below this a connector is paused: vehicles need at least 6 A.
  min_w_per_connector integer not null check (min_w_per_connector > 0),
  split text not null default 'equal' check (split in ('equal', 'by_need')),
  -- When it is balanced next: at once after a change that affects its shares.
  due_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  constraint charging_group_name_key unique (tenant_id, name),
  constraint charging_group_subregion_fkey foreign key (tenant_id, subregion_id) references subregion (tenant_id, id)
);
create index charging_group_created_idx on charging_group (tenant_id, created_at desc, id);
create index charging_group_due_idx on charging_group (due_at);

-- The share of power sent to each charger of a group. A profile has a share until an instant and a fallback
-- after it, in one message: a station that is offline falls back by itself.
create table charging_group_member (
  tenant_id integer not null,
  charger_id uuid not null,
  group_id uuid not null,
  -- The most it can draw, all connectors together: its exposure until it has accepted its first limit.
  max_w integer not null check (max_w > 0),
  -- The unit in which it is sent; amperes are per phase.
  unit text not null default 'W' check (unit in ('W', 'A')),
  phases smallint not null default 3 check (phases between 1 and 3),
  -- The profile that the station has accepted; null: none yet.
  accepted_profile jsonb,
  -- The profile that was sent and has no response yet, with its command.
  pending_profile jsonb,
  pending_command_id uuid,
  -- The highest share of the profiles without a known outcome since the last accepted one.
  doubtful_w integer,
  -- The last time that it refused; nothing is sent again for some minutes.
  refused_at timestamptz,
  -- When its share was last raised.
  raised_at timestamptz,
  primary key (tenant_id, charger_id),
  constraint charging_group_member_charger_fkey foreign key (tenant_id, charger_id) references charger (tenant_id, id),
  constraint charging_group_member_group_fkey foreign key (tenant_id, group_id) references charging_group (tenant_id, id),
  constraint charging_group_member_pending check ((pending_profile is null) = (pending_command_id is null))
);
create index charging_group_member_group_idx on charging_group_member (tenant_id, group_id);

-- OCPP 2.0.1: the device model of a station and its reports.

-- The device model of a station: a value for each attribute of each variable of each of its components.
create table charger_variable (
  tenant_id integer not null,
  id uuid not null default gen_random_uuid(),
  charger_id uuid not null,
  component text not null,
  component_instance text,
  evse_id integer,
  connector_id integer,
  variable text not null,
  variable_instance text,
  attribute_type text not null default 'Actual' check (attribute_type in ('Actual', 'Target', 'MinSet', 'MaxSet')),
  -- Null where the station reports none, and always where it can only be written.
  value text,
  mutability text check (mutability in ('ReadOnly', 'WriteOnly', 'ReadWrite')),
  is_persistent boolean,
  is_constant boolean,
  data_type text,
  unit text,
  min_limit double precision,
  max_limit double precision,
  values_list text,
  supports_monitoring boolean,
  -- When the station reported the value: an older report does not replace a newer one.
  reported_at timestamptz not null,
  primary key (tenant_id, id),
  constraint charger_variable_charger_fkey foreign key (tenant_id, charger_id) references charger (tenant_id, id)
);
-- Names are compared without regard to case, as the specification asks.
create unique index charger_variable_key on charger_variable (
  tenant_id, charger_id, lower(component), lower(component_instance), evse_id, connector_id, lower(variable),
  lower(variable_instance), attribute_type) nulls not distinct;

-- A report that was requested from a station arrives in numbered parts.
create table charger_report (
  tenant_id integer not null,
  id uuid not null default gen_random_uuid(),
  charger_id uuid not null,
  -- Of the command that requested it: charger_command.seq, unless the station sends it unrequested.
  request_id bigint not null,
  -- The numbers of the received parts; the number of the last part, once it was received.
  parts integer[] not null default '{}',
  last_part integer,
  kind text not null default 'variables' check (kind in (
    'variables', 'monitoring', 'customer_information', 'charging_profiles')),
  -- By the station's clock; null until the first part was received, and for reports of charging profiles.
  generated_at timestamptz,
  -- By the server's clock: when the last part was received, or when the station accepted the request.
  received_at timestamptz not null,
  primary key (tenant_id, id),
  constraint charger_report_charger_fkey foreign key (tenant_id, charger_id) references charger (tenant_id, id),
  constraint charger_report_key unique (tenant_id, charger_id, kind, request_id)
);

-- The certificate authority of this installation, which signs the certificates of charging stations (security profile 3):
-- one, for all tenants, because the listener that asks for them knows no tenant yet.
create table charger_authority (
  id smallint primary key default 1 check (id = 1),
  certificate_pem text not null,
  -- Sealed (src/platform/auth/sealer.ts), never in clear.
  private_key_sealed text not null,
  created_at timestamptz not null
);

-- The certificates that it has signed. Their validity is given by their dates.
create table charger_certificate (
  tenant_id integer not null,
  id uuid not null default gen_random_uuid(),
  charger_id uuid not null,
  -- Hexadecimal; unique for the authority, being random.
  serial text not null,
  -- Of the DER, hexadecimal.
  sha256 text not null,
  certificate_pem text not null,
  not_before timestamptz not null,
  not_after timestamptz not null,
  -- Hash of the signing request: the same request gives the same certificate again.
  csr_sha256 bytea not null,
  -- The command that sends it to the station.
  command_id uuid,
  created_at timestamptz not null,
  primary key (tenant_id, id),
  constraint charger_certificate_charger_fkey foreign key (tenant_id, charger_id) references charger (tenant_id, id),
  constraint charger_certificate_csr_key unique (tenant_id, charger_id, csr_sha256)
);
create index charger_certificate_charger_idx on charger_certificate (tenant_id, charger_id, created_at desc, id);

-- Files that stations upload on request: diagnostics and security logs. The file is in the data folder.
create table charger_file (
  tenant_id integer not null,
  id uuid not null default gen_random_uuid(),
  charger_id uuid not null,
  -- The command that requested it.
  command_id uuid,
  kind text not null check (kind in ('diagnostics', 'security')),
  -- SHA-256 of the token in the upload's address, which is valid for one file.
  token_hash bytea not null,
  state text not null default 'waiting' check (state in ('waiting', 'received', 'failed', 'expired')),
  -- The name given by the station.
  file_name text,
  size_bytes bigint,
  sha256 text,
  created_at timestamptz not null,
  received_at timestamptz,
  -- Nothing is received after this.
  expires_at timestamptz not null,
  primary key (tenant_id, id),
  constraint charger_file_charger_fkey foreign key (tenant_id, charger_id) references charger (tenant_id, id),
  constraint charger_file_received check ((state = 'received') = (received_at is not null))
);
create index charger_file_token_idx on charger_file (token_hash) where state = 'waiting';
create index charger_file_charger_idx on charger_file (tenant_id, charger_id, created_at desc, id);

-- ==== Updates: firmware and updates over the air ====

-- Firmware and updates over the air. The files are in DATA_DIR/firmware.

create table firmware_version (
  tenant_id integer not null references tenant (id),
  id uuid not null default gen_random_uuid(),
  version text not null,
  device_model text not null,
  file_name text not null,
  size_bytes integer not null check (size_bytes > 0),
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  -- Ed25519 over the 32 bytes of the hash, base64.
  signature text,
  -- For OCPP stations: the manufacturer's certificate (PEM) and its signature of the file, base64.
  signing_certificate text,
  certificate_signature text,
  release_notes text,
  status text not null default 'draft' check (status in ('draft', 'released', 'deprecated')),
  -- The user who uploaded it; no foreign key: firmware outlives its user.
  created_by uuid,
  created_at timestamptz not null,
  released_at timestamptz,
  deprecated_at timestamptz,
  primary key (tenant_id, id),
  constraint firmware_version_key unique (tenant_id, device_model, version),
  constraint firmware_version_certified check ((signing_certificate is null) = (certificate_signature is null)),
  check ((status = 'draft') = (released_at is null)),
  check ((status = 'deprecated') = (deprecated_at is not null))
);
create index firmware_version_created_idx on firmware_version (tenant_id, created_at desc, id);

-- An update of many devices to one version, wave by wave.
create table ota_batch (
  tenant_id integer not null references tenant (id),
  id uuid not null default gen_random_uuid(),
  firmware_version_id uuid not null,
  status text not null default 'running' check (status in ('running', 'completed', 'stopped', 'cancelled')),
  -- How many updates each wave has; counted from 1 in `wave`.
  wave_sizes integer[] not null,
  wave integer not null default 1 check (wave > 0),
  success_threshold_pct integer not null check (success_threshold_pct between 0 and 100),
  error_threshold_pct integer not null check (error_threshold_pct between 1 and 100),
  rollback_on_error boolean not null,
  -- Why it stopped, for people.
  reason jsonb,
  created_by uuid,
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (tenant_id, id),
  constraint ota_batch_firmware_fkey foreign key (tenant_id, firmware_version_id)
    references firmware_version (tenant_id, id)
);
create index ota_batch_created_idx on ota_batch (tenant_id, created_at desc, id);

create table ota_update (
  tenant_id integer not null references tenant (id),
  id uuid not null default gen_random_uuid(),
  device_id uuid,
  gateway_id uuid,
  -- The gateway whose topics are used for the device; the gateway itself when it is the one to be updated.
  via_gateway_id uuid,
  -- The charger that is updated over its own socket; one of the two is set.
  via_charger_id uuid,
  firmware_version_id uuid not null,
  batch_id uuid,
  wave integer not null default 1,
  -- Its wave has started: the device may be notified, and its deadline counts.
  is_due boolean not null,
  status text not null default 'queued' check (status in (
    'queued', 'notified', 'downloading', 'downloaded', 'installing', 'succeeded', 'failed', 'cancelled')),
  progress_pct integer not null default 0 check (progress_pct between 0 and 100),
  attempt integer not null default 1,
  -- How often it is retried automatically after a missed deadline.
  retries integer not null check (retries >= 0),
  retries_left integer not null check (retries_left >= 0),
  -- When it fails after the installation started, an update back to the former version is created.
  rolls_back boolean not null,
  -- Why it failed, for people.
  error jsonb,
  timeout_s integer not null check (timeout_s > 0),
  deadline_at timestamptz,
  -- When the attempt started: its deadline is extended by the time in which its device was locked out.
  attempt_started_at timestamptz,
  -- The version before the update, as far as it is known.
  from_version text,
  -- The update that this one undoes.
  rollback_of uuid,
  created_by uuid,
  created_at timestamptz not null,
  notified_at timestamptz,
  changed_at timestamptz not null,
  finished_at timestamptz,
  primary key (tenant_id, id),
  constraint ota_update_device_fkey foreign key (tenant_id, device_id)
    references device (tenant_id, id) on delete cascade,
  constraint ota_update_gateway_fkey foreign key (tenant_id, gateway_id)
    references gateway (tenant_id, id) on delete cascade,
  constraint ota_update_via_fkey foreign key (tenant_id, via_gateway_id)
    references gateway (tenant_id, id) on delete cascade,
  constraint ota_update_charger_fkey foreign key (tenant_id, via_charger_id) references charger (tenant_id, id),
  constraint ota_update_via check ((via_gateway_id is null) <> (via_charger_id is null)),
  constraint ota_update_firmware_fkey foreign key (tenant_id, firmware_version_id)
    references firmware_version (tenant_id, id),
  constraint ota_update_batch_fkey foreign key (tenant_id, batch_id) references ota_batch (tenant_id, id),
  check ((device_id is null) <> (gateway_id is null)),
  check ((finished_at is null) = (status in ('queued', 'notified', 'downloading', 'downloaded', 'installing')))
);
create unique index ota_update_open_device_key on ota_update (tenant_id, device_id) where finished_at is null;
create unique index ota_update_open_gateway_key on ota_update (tenant_id, gateway_id) where finished_at is null;
create index ota_update_created_idx on ota_update (tenant_id, created_at desc, id);
create index ota_update_device_idx on ota_update (tenant_id, device_id, finished_at) where device_id is not null;
create index ota_update_gateway_idx on ota_update (tenant_id, gateway_id, finished_at) where gateway_id is not null;
create index ota_update_via_idx on ota_update (tenant_id, via_gateway_id) where finished_at is null;
create index ota_update_charger_idx on ota_update (tenant_id, via_charger_id, created_at desc)
  where via_charger_id is not null;
create index ota_update_batch_idx on ota_update (tenant_id, batch_id, wave) where batch_id is not null;
create index ota_update_firmware_idx on ota_update (tenant_id, firmware_version_id);
create index ota_update_deadline_idx on ota_update (deadline_at) where finished_at is null;
create index ota_update_waiting_idx on ota_update (notified_at) where status in ('queued', 'notified') and is_due;

-- Every change of a status, in order; deleted only together with its update.
create table ota_event (
  tenant_id integer not null,
  update_id uuid not null,
  seq bigint generated always as identity,
  transition text not null,
  status text not null,
  by text not null check (by in ('operator', 'device', 'service')),
  user_id uuid,
  detail jsonb,
  at timestamptz not null,
  primary key (tenant_id, update_id, seq),
  constraint ota_event_update_fkey foreign key (tenant_id, update_id)
    references ota_update (tenant_id, id) on delete cascade
);
revoke update, truncate on ota_event from current_user;

-- The change log (ADR 0077): who changed which record of a tenant's configuration, with the old and the new values.
-- A trigger writes it in the transaction of the change, so neither exists without the other. That holds
-- for changes by jobs and commands too.
create table change_log (
  tenant_id integer not null references tenant (id),
  id bigint generated always as identity,
  at timestamptz not null,
  actor_kind text not null check (actor_kind in ('user', 'anonymous', 'job', 'command', 'service')),
  -- The record stays when the user or the key is deleted.
  user_id uuid,
  api_key_id uuid,
  -- The operation of the API, the job, or the command.
  operation text,
  request_id text,
  ip text,
  action text not null check (action in ('create', 'update', 'delete')),
  resource_type text not null,
  resource_id text not null,
  resource_name text,
  -- By column: {"from": …, "to": …}; of a secret only {"is_hidden": true}.
  changes jsonb not null,
  primary key (tenant_id, id)
);
create index change_log_at_idx on change_log (tenant_id, at desc, id desc);
create index change_log_resource_idx on change_log (tenant_id, resource_type, resource_id, id);
create index change_log_user_idx on change_log (tenant_id, user_id, id) where user_id is not null;
revoke update, delete, truncate on change_log from current_user;

-- A value as the change log holds it: the size in place of a long one.
create function change_log_value(value jsonb) returns jsonb language sql immutable as $$
  select case when length(value::text) > 4000 then jsonb_build_object('omitted_characters', length(value::text))
    else value end
$$;

-- Arguments: type of the resource, column of its id, column of its name, recorded columns, secret columns. Changes of
-- other columns are not recorded. `netsaat.actor` is set by the transaction (platform/db/tenant.ts).
create function record_change() returns trigger language plpgsql as $$
declare
  before jsonb := case when tg_op = 'INSERT' then '{}' else to_jsonb(old) end;
  after jsonb := case when tg_op = 'DELETE' then '{}' else to_jsonb(new) end;
  present jsonb := case when tg_op = 'DELETE' then before else after end;
  actor jsonb := coalesce(nullif(current_setting('netsaat.actor', true), ''), '{}')::jsonb;
  changes jsonb := '{}';
  name text;
begin
  -- The deletion of a tenant deletes its change log as well.
  if tg_op = 'DELETE' and exists (
    select from tenant_deletion
    where tenant_key = coalesce(present ->> 'tenant_id', present ->> 'id')::integer and finished_at is null) then
    return null;
  end if;
  foreach name in array tg_argv[3]::text[] loop
    if before -> name is distinct from after -> name
      and not (tg_op <> 'UPDATE' and coalesce(before -> name, after -> name) = 'null') then
      changes := changes || jsonb_build_object(name, jsonb_strip_nulls(jsonb_build_object(
        'from', change_log_value(before -> name), 'to', change_log_value(after -> name))));
    end if;
  end loop;
  foreach name in array tg_argv[4]::text[] loop
    if before -> name is distinct from after -> name
      and (tg_op = 'UPDATE' or coalesce(after -> name, 'null') <> 'null') then
      changes := changes || jsonb_build_object(name, jsonb_build_object('is_hidden', true));
    end if;
  end loop;
  if tg_op = 'UPDATE' and changes = '{}' then
    return null;
  end if;
  insert into change_log (tenant_id, at, actor_kind, user_id, api_key_id, operation, request_id, ip, action,
    resource_type, resource_id, resource_name, changes)
  values (coalesce(present ->> 'tenant_id', present ->> 'id')::integer, coalesce((actor ->> 'at')::timestamptz, now()),
    coalesce(actor ->> 'kind', 'service'), (actor ->> 'user_id')::uuid, (actor ->> 'api_key_id')::uuid,
    actor ->> 'operation', actor ->> 'request_id', actor ->> 'ip',
    case tg_op when 'INSERT' then 'create' when 'UPDATE' then 'update' else 'delete' end,
    tg_argv[0], present ->> tg_argv[1], left(present ->> tg_argv[2], 200), changes);
  return null;
end
$$;

do $$
declare
  recorded record;
begin
  for recorded in select * from (values
    ('tenant', 'tenant', 'uid', 'name', 'name,slug,is_active,require_totp', ''),
    ('app_user', 'user', 'id', 'email', 'email,full_name,is_active,is_superuser,is_email_verified,language',
      'password_hash'),
    ('role', 'role', 'id', 'name', 'name,permissions', ''),
    ('user_role', 'user_role', 'user_id', '', 'role_id', ''),
    ('tenant_quota', 'tenant_quota', 'tenant_id', '', 'quotas', ''),
    ('user_totp', 'user_totp', 'user_id', '', 'confirmed_at', 'secret_sealed'),
    ('api_key', 'api_key', 'id', 'name', 'name,kind,user_id,prefix,permissions,expires_at', 'secret_hash'),
    ('oidc_provider', 'oidc_provider', 'tenant_id', 'issuer', 'issuer,client_id,scopes,allowed_domains,creates_users,'
      'role_id,is_enabled,allows_password', 'client_secret_sealed'),
    ('oidc_identity', 'oidc_identity', 'user_id', '', 'issuer,subject', ''),
    ('invitation', 'invitation', 'id', 'email', 'email,role_ids,language,accepted_at,revoked_at', 'token_hash'),
    ('region', 'region', 'id', 'name', 'name,code,description', ''),
    ('subregion', 'subregion', 'id', 'name',
      'region_id,name,address,city,latitude,longitude,contracted_power_kw', ''),
    ('gateway', 'gateway', 'id', 'name',
      'name,gateway_type,subregion_id,host,port,serial_number,client_id,poll_interval_s,config', ''),
    ('device_template', 'device_template', 'id', 'name',
      'name,vendor,model,device_type,protocols,register_map', ''),
    ('device', 'device', 'id', 'name', 'name,device_type,device_role,device_source,gateway_id,mqtt_gateway_id,slave_id,'
      'template_id,parent_id,subregion_id,inverter_type,reporting_interval_s,offline_threshold_s,extra_metadata', ''),
    ('collector_mapping', 'collector_mapping', 'id', 'name', 'name,device_labels,metrics,ignore_unknown', ''),
    ('gateway_credential', 'gateway_credential', 'gateway_id', '', 'key_id', 'secret_hash'),
    ('zigbee_claim', 'zigbee_claim', 'id', 'gateway_name',
      'code_ending,gateway_name,subregion_id,claimed_at,gateway_id', 'code_hash'),
    ('escalation_policy', 'escalation_policy', 'id', 'name',
      'name,language,levels,repeat_minutes,repeat_count,default_severities,is_active', ''),
    ('alarm_policy', 'alarm_policy', 'id', 'name', 'name,alarm_type,device_id,subregion_id,metric,operator,threshold,'
      'clear_threshold,delay_on_s,delay_off_s,severity,schedule,notify,is_active,rate_per,escalation_policy_id,'
      'deleted_at', ''),
    ('maintenance_window', 'maintenance_window', 'id', 'note',
      'policy_id,device_id,subregion_id,from_at,to_at,note', ''),
    ('notification_webhook', 'webhook', 'id', 'name', 'name,min_severity,is_active,disabled_at', 'url,secret_sealed'),
    ('notification_channel', 'notification_channel', 'id', 'name',
      'name,type,language,server_url,min_severity,is_active,disabled_at', 'chat_id,topic,secret_sealed'),
    ('notification_preference', 'notification_preference', 'user_id', '',
      'email_enabled,email_min_severity,quiet_from,quiet_to,language', ''),
    ('scope', 'scope', 'id', 'name',
      'name,external_party_ref,notes,declaration_source,declared_by,declared_at,origin', ''),
    ('organization', 'organization', 'id', 'name', 'org_type,name,is_active', ''),
    ('facility', 'facility', 'id', 'name', 'subregion_id,scope_id,name,valid_from,valid_to,producer_tariff_group,'
      'grid_operator_id,distribution_company_id,retail_or_zone_operator_id,meter_reading_org_id,supplier_id,'
      'abone_grubu,source_type,tariff_supply_type,is_multi_time,voltage_level,installed_power_kw,contracted_power_kw,'
      'has_ess,ess_capacity_kwh,ess_power_kw,origin', ''),
    ('osos_installation', 'osos_installation', 'id', 'installation_no',
      'installation_no,facility_id,distribution_company_id,multiplier,measurement_role,fact_source', ''),
    ('metering_point', 'metering_point', 'id', 'meter_no',
      'facility_id,meter_no,valid_from,valid_to,meter_reading_org_id,osos_installation_id,notes,origin', ''),
    ('meter_assignment', 'meter_assignment', 'id', '',
      'subregion_id,device_id,facility_id,metering_point_id,measurement_role,valid_from,valid_to,origin', ''),
    ('meter_change', 'meter_change', 'id', '', 'device_id,osos_installation_id,register,changed_at,old_end_kwh,'
      'new_start_kwh,old_serial_no,new_serial_no,note,origin,voided_at,void_reason', ''),
    ('netting_group', 'netting_group', 'id', 'name', 'name,scope_id,responsible_supplier_id,is_active,notes,'
      'correction_mode,correction_quiet_minutes,origin', ''),
    ('netting_setting', 'netting_setting', 'tenant_id', '', 'strict_storage_export', ''),
    ('group_member', 'group_member', 'id', '',
      'group_id,facility_id,member_role,valid_from,valid_to,declared_by,origin', ''),
    ('limit_account', 'limit_account', 'id', '', 'facility_id,year,initial_limit_kwh,limit_source,origin', ''),
    ('widget', 'widget', 'id', 'title', 'subregion_id,widget_type,title,position,config,is_active', ''),
    ('loto_point', 'loto_point', 'id', 'name',
      'name,subregion_id,device_id,energy_type,isolation_method,location,deleted_at', ''),
    ('charger', 'charger', 'id', 'name',
      'cpid,name,vendor,model,serial_number,subregion_id,security_profile,deleted_at', 'password_hash'),
    ('id_tag', 'id_tag', 'id', 'tag', 'tag,name,status,parent_id,expires_at,allows_concurrent', ''),
    ('charging_profile', 'charging_profile', 'id', 'purpose', 'charger_id,connector_id,purpose,stack_level,profile', ''),
    ('charging_group', 'charging_group', 'id', 'name', 'name,subregion_id,limit_w,min_w_per_connector,split', ''),
    ('charging_group_member', 'charging_group_member', 'charger_id', '', 'group_id,max_w', ''),
    ('charger_local_list', 'charger_local_list', 'charger_id', '', 'is_chosen', ''),
    ('firmware_version', 'firmware_version', 'id', 'version',
      'version,device_model,file_name,sha256,status,release_notes', ''),
    ('ota_batch', 'ota_batch', 'id', '', 'firmware_version_id,wave_sizes,success_threshold_pct,error_threshold_pct,'
      'rollback_on_error,status,reason', '')
  ) as t (table_name, type, id_column, name_column, columns, secrets) loop
    execute format('create trigger record_change after insert or update or delete on %I
      for each row execute function record_change(%L, %L, %L, %L, %L)', recorded.table_name, recorded.type,
      recorded.id_column, recorded.name_column, '{' || recorded.columns || '}', '{' || recorded.secrets || '}');
  end loop;
end
$$;
