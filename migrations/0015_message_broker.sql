-- Gateways on a message broker: how they log in, what could not be used of what they sent, how they number their
-- messages, how their clocks go.

-- The gateway's clock against ours, milliseconds, positive when it is ahead: median of the last messages.
alter table gateway add column clock_skew_ms double precision;

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
create index gateway_credential_key_idx on gateway_credential (key_id);

-- Messages that could not be used, whole, so that they can be used once the cause is mended. They outlive their
-- gateway: gateway_id refers to nothing, and is null for a gateway that nobody knows.
create table dead_letter (
  tenant_id integer not null references tenant (id),
  id uuid not null default gen_random_uuid(),
  gateway_id uuid,
  -- Below the gateway's root.
  topic text not null,
  payload bytea not null,
  reason text not null,
  detail text not null,
  received_at timestamptz not null,
  attempts integer not null default 0,
  retried_at timestamptz,
  primary key (tenant_id, id)
);
create index dead_letter_received_idx on dead_letter (tenant_id, received_at desc, id);
create index dead_letter_gateway_idx on dead_letter (tenant_id, gateway_id, received_at desc);

-- How many dead letters a tenant has lost to the limits of the list.
create table dead_letter_tally (
  tenant_id integer primary key references tenant (id),
  dropped bigint not null default 0,
  dropped_at timestamptz
);

-- The numbers (seq) that a gateway's messages bore and that are stored, as ranges [[from, to], ...], both ends included.
create table gateway_sequence (
  tenant_id integer not null references tenant (id),
  gateway_id uuid not null,
  received jsonb not null,
  last_seq bigint not null,
  -- The newest sent_at of this numbering, by the gateway's clock.
  newest_sent_at timestamptz,
  begun_at timestamptz not null,
  -- How often the numbering began again.
  restarts integer not null default 0,
  -- Missing numbers that are no longer waited for.
  given_up bigint not null default 0,
  gap_since timestamptz,
  updated_at timestamptz not null,
  primary key (tenant_id, gateway_id),
  constraint gateway_sequence_gateway_fkey foreign key (tenant_id, gateway_id)
    references gateway (tenant_id, id) on delete cascade
);

-- What the service itself has published with the retain flag through the embedded broker, whose memory ends with the
-- process. An outside broker keeps its own.
create table broker_retained (
  topic text primary key,
  payload bytea not null,
  updated_at timestamptz not null default now()
);

-- Client ids under which processes share the messages of an outside broker. The broker keeps messages for each of them,
-- so once used one has to be served for ever, by whichever process lives.
create table broker_slot (
  slot integer primary key check (slot > 0),
  first_used_at timestamptz not null default now()
);
