-- Where things stand, and the things: regions, subregions, gateways, templates, devices.
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
  gateway_type text not null check (gateway_type in ('modbus', 'mqtt', 'zigbee')),
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
  primary key (tenant_id, id),
  constraint device_template_name_key unique (tenant_id, name)
);

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
