-- Who of the gateways is there, as brokers tell it, and the Zigbee networks behind them.

-- A gateway is looked for by what a broker knows of it, which names no tenant.
create index gateway_id_idx on gateway (id);
create index gateway_client_idx on gateway (client_id) where client_id is not null;

-- When it was last told to be gone; what is heard of it later shows that it is back.
alter table gateway add column offline_at timestamptz;

-- What brokers have told of a gateway's sessions, as far as it can still matter.
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

-- Codes by which a Zigbee gateway joins a tenant. The code itself is shown once; code_hash is keyed by SECRET_KEY.
create table zigbee_claim (
  tenant_id integer not null references tenant (id),
  id uuid not null default gen_random_uuid(),
  code_hash bytea not null,
  -- The last characters, so that a person can tell codes apart.
  code_ending text not null,
  gateway_name text not null,
  -- Refers to nothing: a claim must not hold a subregion that is to go.
  subregion_id uuid,
  created_by uuid,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  claimed_at timestamptz,
  -- What it made; refers to nothing, since the gateway may be deleted.
  gateway_id uuid,
  primary key (tenant_id, id)
);
create index zigbee_claim_code_idx on zigbee_claim (code_hash);
create index zigbee_claim_pending_idx on zigbee_claim (tenant_id, expires_at) where claimed_at is null;

create table zigbee_gateway (
  tenant_id integer not null,
  gateway_id uuid not null,
  -- Of its coordinator, as it says itself.
  ieee_address text,
  permit_join_until timestamptz,
  -- The newest list of devices that was taken; an older one changes nothing.
  inventory_at timestamptz,
  primary key (tenant_id, gateway_id),
  constraint zigbee_gateway_gateway_fkey foreign key (tenant_id, gateway_id)
    references gateway (tenant_id, id) on delete cascade
);

-- What zigbee2mqtt says it has paired.
create table zigbee_device (
  tenant_id integer not null,
  gateway_id uuid not null,
  ieee_address text not null,
  friendly_name text not null,
  vendor text,
  model text,
  is_supported boolean not null,
  exposes jsonb,
  -- Null until it is told.
  is_available boolean,
  first_seen timestamptz not null,
  -- Its record among the devices; refers to nothing: one that was deleted there is not made again.
  device_id uuid,
  primary key (tenant_id, gateway_id, ieee_address),
  constraint zigbee_device_gateway_fkey foreign key (tenant_id, gateway_id)
    references gateway (tenant_id, id) on delete cascade
);
create index zigbee_device_name_idx on zigbee_device (tenant_id, gateway_id, friendly_name);
