-- Official hourly readings of the grid operators' automatic meter reading (OSOS, ADR 0024).
alter table osos_installation
  -- What the installation measures at its facility; null: derived from the meters there.
  add column measurement_role text check (measurement_role in (
    'main_production', 'main_consumption', 'pcc_import_export', 'osb_eb_consumption'));
create index osos_installation_facility_idx on osos_installation (tenant_id, facility_id);
create index metering_point_osos_installation_idx on metering_point (tenant_id, osos_installation_id)
  where osos_installation_id is not null;

-- What was said in one request or file. Append-only; its installation is no foreign key, because the check that a delete of
-- one makes needs a right on this table that is revoked below.
create table osos_import (
  tenant_id integer not null,
  id uuid not null default gen_random_uuid(),
  -- Null: a file for many installations.
  installation_id uuid,
  file_name text,
  sha256 text,
  label text not null check (label in ('hour_ending', 'hour_starting')),
  multiplied boolean not null,
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

-- The reading in force of each hour. Its import is not a foreign key: the log is written at the end of the transaction
-- that stores the readings, and a check for each of a million rows would cost as much as the row.
create table osos_reading (
  tenant_id integer not null,
  installation_id uuid not null,
  -- The hour's start.
  hour timestamptz not null,
  import_kwh numeric(18, 3) check (import_kwh >= 0),
  export_kwh numeric(18, 3) check (export_kwh >= 0),
  -- A negative energy was read: no value counts, and the text keeps what was read.
  is_suspect boolean not null,
  raw_text text,
  -- Counts the values that the hour has had.
  revision integer not null,
  import_id uuid not null,
  stored_at timestamptz not null,
  primary key (tenant_id, installation_id, hour),
  constraint osos_reading_installation_fkey foreign key (tenant_id, installation_id) references osos_installation (tenant_id, id),
  constraint osos_reading_whole_hour check (extract(epoch from hour) % 3600 = 0),
  constraint osos_reading_value check (is_suspect = (import_kwh is null and export_kwh is null))
);

-- What stood there before a correction. An installation with readings cannot be deleted, so this needs no foreign key either.
create table osos_reading_history (
  tenant_id integer not null,
  installation_id uuid not null,
  hour timestamptz not null,
  revision integer not null,
  import_kwh numeric(18, 3),
  export_kwh numeric(18, 3),
  is_suspect boolean not null,
  raw_text text,
  import_id uuid not null,
  stored_at timestamptz not null,
  replaced_at timestamptz not null,
  replaced_by uuid not null,
  primary key (tenant_id, installation_id, hour, revision)
);
-- Append-only is a matter of privilege (0006).
revoke update, delete, truncate on osos_import, osos_reading_history from current_user;
