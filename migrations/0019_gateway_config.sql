-- What gateways are told, what they answer, and who polls those that speak Modbus.

-- Each configuration that was pushed, append-only. It outlives its gateway: gateway_id refers to nothing.
create table gateway_config (
  tenant_id integer not null references tenant (id),
  gateway_id uuid not null,
  -- Counts the pushed configurations of a gateway; gateway.config_version counts the changes of its settings.
  version integer not null check (version > 0),
  -- Of the bytes of document.
  sha256 text not null,
  document text not null,
  -- Pushed although the line cannot keep the periods.
  is_forced boolean not null,
  created_at timestamptz not null,
  created_by uuid,
  primary key (tenant_id, gateway_id, version)
);
-- Append-only is a matter of privilege (0006).
revoke update, delete, truncate on gateway_config from current_user;

alter table gateway
  -- Null: nothing was pushed yet. pending: not answered yet; drift: it has something else than was pushed.
  add column config_state text check (config_state in ('in_sync', 'pending', 'drift', 'rejected')),
  add column synced_version integer,
  add column synced_sha256 text,
  -- What the gateway last said about the configuration that it has, and why it refused it.
  add column reported_version integer,
  add column reported_sha256 text,
  add column reported_reason text,
  add column reported_at timestamptz;

-- Of several processes one polls a gateway: the one that holds its row until then and lives.
create table modbus_lease (
  tenant_id integer not null,
  gateway_id uuid not null,
  holder uuid not null,
  claimed_at timestamptz not null,
  expires_at timestamptz not null,
  -- How polling goes: slaves that are silent, registers that are refused.
  report jsonb,
  reported_at timestamptz,
  primary key (tenant_id, gateway_id),
  constraint modbus_lease_gateway_fkey foreign key (tenant_id, gateway_id)
    references gateway (tenant_id, id) on delete cascade
);
create index modbus_lease_holder_idx on modbus_lease (holder);
