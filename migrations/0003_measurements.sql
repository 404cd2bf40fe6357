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

-- Samples that could not be data (from the future, from an unset clock, contradicting a stored one): kept, with the reason.
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

-- Hours whose roll-up no longer agrees with the samples. Append-only for writers: a row per late batch and device,
-- taken away by the one who has rolled it up, so a mark can never be lost between a reader and a writer.
create table rollup_mark (
  tenant_id integer not null,
  id bigint generated always as identity,
  device_key integer not null,
  from_hour timestamptz not null,
  to_hour timestamptz not null,
  primary key (tenant_id, id)
);
create index rollup_mark_device_idx on rollup_mark (tenant_id, device_key);

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
  -- Bits: which energies are a linear share without a reading, and which are touched by a reset (module measurements).
  estimated_bits smallint not null default 0,
  suspect_bits smallint not null default 0,
  primary key (tenant_id, device_key, hour)
) partition by range (hour);

-- Until when a device's hours have been rolled up; what lies after is read from the samples themselves. `registers`
-- has a bit for each cumulative register that the device has ever sent, so that nobody searches for the others.
create table rollup_state (
  tenant_id integer not null,
  device_key integer not null,
  rolled_to timestamptz not null,
  registers smallint not null,
  primary key (tenant_id, device_key)
);
