-- Firmware and updates over the air. A file lies in DATA_DIR/firmware; the row says what it is.

-- Which firmware fits a gateway; a device has the model of its template, or its own among extra_metadata.
alter table gateway add column model text;

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
  release_notes text,
  status text not null default 'draft' check (status in ('draft', 'released', 'deprecated')),
  -- Whoever uploaded it; an account that is gone leaves its firmware behind.
  created_by uuid,
  created_at timestamptz not null,
  released_at timestamptz,
  deprecated_at timestamptz,
  primary key (tenant_id, id),
  constraint firmware_version_key unique (tenant_id, device_model, version),
  check ((status = 'draft') = (released_at is null)),
  check ((status = 'deprecated') = (deprecated_at is not null))
);
create index firmware_version_created_idx on firmware_version (tenant_id, created_at desc, id);

-- One version for many, wave by wave.
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
  reason text,
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
  -- The gateway whose topics the device is spoken to on; the gateway itself when it is the one to be updated.
  via_gateway_id uuid not null,
  firmware_version_id uuid not null,
  batch_id uuid,
  wave integer not null default 1,
  -- Its wave has begun: it may be notified, and its deadline runs.
  is_due boolean not null,
  status text not null default 'queued' check (status in (
    'queued', 'notified', 'downloading', 'downloaded', 'installing', 'succeeded', 'failed', 'cancelled')),
  progress_pct integer not null default 0 check (progress_pct between 0 and 100),
  attempt integer not null default 1,
  -- After a deadline that passed it is tried again by itself, so often.
  retries integer not null check (retries >= 0),
  retries_left integer not null check (retries_left >= 0),
  -- When it has failed after the installation began, an update back is made.
  rolls_back boolean not null,
  -- Why it failed, for people.
  error text,
  timeout_s integer not null check (timeout_s > 0),
  deadline_at timestamptz,
  -- What was on the device before, as far as it is known.
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
create index ota_update_batch_idx on ota_update (tenant_id, batch_id, wave) where batch_id is not null;
create index ota_update_firmware_idx on ota_update (tenant_id, firmware_version_id);
create index ota_update_deadline_idx on ota_update (deadline_at) where finished_at is null;
create index ota_update_waiting_idx on ota_update (notified_at) where status in ('queued', 'notified') and is_due;

-- Every change of a status, in order; goes only with its update.
create table ota_event (
  tenant_id integer not null,
  update_id uuid not null,
  seq bigint generated always as identity,
  move text not null,
  status text not null,
  by text not null check (by in ('operator', 'device', 'service')),
  user_id uuid,
  detail text,
  at timestamptz not null,
  primary key (tenant_id, update_id, seq),
  constraint ota_event_update_fkey foreign key (tenant_id, update_id)
    references ota_update (tenant_id, id) on delete cascade
);
revoke update, truncate on ota_event from current_user;
