-- OCPP 2.0.1: sessions that are told by numbered events in any order, and the device model of a station.

alter table charging_session
  -- What the events of the session have told so far, joined: every other column is computed from it, so that their order
  -- and their repeats change nothing. Null for 1.6.
  add column told jsonb,
  -- Samples of events that came before any event had named the EVSE: kept until it is known whose they are.
  add column waiting_samples jsonb;
create index charging_session_waiting_idx on charging_session (updated_at) where waiting_samples is not null;
create index charging_session_connector_idx on charging_session (tenant_id, charger_id, connector_id, started_at);

-- What a station says of itself: a value for each attribute of each variable of each of its components.
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
  -- Null where the station tells none, and always where it can only be written.
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
  -- When the value was told: an older word does not replace a newer one.
  told_at timestamptz not null,
  primary key (tenant_id, id),
  constraint charger_variable_charger_fkey foreign key (tenant_id, charger_id) references charger (tenant_id, id)
);
-- Names are compared without regard to case, as the specification asks.
create unique index charger_variable_key on charger_variable (
  tenant_id, charger_id, lower(component), lower(component_instance), evse_id, connector_id, lower(variable),
  lower(variable_instance), attribute_type) nulls not distinct;

-- A report of variables that a station was asked for comes in numbered parts.
create table charger_report (
  tenant_id integer not null,
  id uuid not null default gen_random_uuid(),
  charger_id uuid not null,
  -- Of the command that asked for it: charger_command.seq, unless the station sends what nobody has asked for.
  request_id bigint not null,
  -- The parts that have come; the number of the last one, as soon as that has come.
  parts integer[] not null default '{}',
  last_part integer,
  generated_at timestamptz not null,
  primary key (tenant_id, id),
  constraint charger_report_charger_fkey foreign key (tenant_id, charger_id) references charger (tenant_id, id),
  constraint charger_report_key unique (tenant_id, charger_id, request_id)
);
