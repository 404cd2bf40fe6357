-- What was measured per facility and hour, what was computed from it, and the ledger.
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
  primary key (tenant_id, facility_id, hour, source, measurement_role),
  constraint hourly_energy_facility_fkey foreign key (tenant_id, facility_id) references facility (tenant_id, id)
) partition by range (hour);

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
  started_by uuid,
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
  production_kwh numeric(18, 3) not null,
  consumption_kwh numeric(18, 3) not null,
  matched_kwh numeric(18, 3) not null,
  surplus_kwh numeric(18, 3) not null,
  net_import_kwh numeric(18, 3) not null,
  bedelli_kwh numeric(18, 3) not null,
  skb_kwh numeric(18, 3) not null,
  bedelsiz_kwh numeric(18, 3) not null,
  matched_over_limit_kwh numeric(18, 3) not null,
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

-- Who used how much of which account in which hour: so that a balance can be read as of any hour.
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
  production_kwh numeric(18, 3) not null,
  consumption_kwh numeric(18, 3) not null,
  matched_kwh numeric(18, 3) not null,
  net_import_kwh numeric(18, 3) not null,
  surplus_kwh numeric(18, 3) not null,
  bedelli_kwh numeric(18, 3) not null,
  skb_kwh numeric(18, 3) not null,
  bedelsiz_kwh numeric(18, 3) not null,
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

-- Append-only is a matter of privilege: the role that serves, which owns these tables, gives its own rights away.
revoke update, delete, truncate on limit_movement, limit_usage_hour, facility_history, eligibility_run from current_user;
