-- Forecasts by hour (ADR 0124). They are never mixed with measured energy: nothing refers to them.
create table hourly_forecast (
  tenant_id integer not null references tenant (id),
  id uuid not null default gen_random_uuid(),
  from_hour timestamptz not null,
  hours integer not null check (hours > 0),
  state text not null default 'waiting' check (state in ('waiting', 'done', 'failed', 'cancelled')),
  -- Increased by each computation that begins, and by a cancellation: an earlier computation may not write any more.
  attempt integer not null default 0,
  facilities_total integer not null,
  facilities_done integer not null default 0,
  error jsonb,
  -- Of the hours before, and of what the method is.
  input_hash text,
  requested_by uuid,
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (tenant_id, id),
  check ((state = 'waiting') = (finished_at is null))
);
create index hourly_forecast_waiting_idx on hourly_forecast (tenant_id, created_at, id) where state = 'waiting';
create index hourly_forecast_created_idx on hourly_forecast (tenant_id, created_at desc, id);

create table hourly_forecast_facility (
  tenant_id integer not null,
  forecast_id uuid not null,
  facility_id uuid not null,
  primary key (tenant_id, forecast_id, facility_id),
  constraint hourly_forecast_facility_forecast_fkey foreign key (tenant_id, forecast_id)
    references hourly_forecast (tenant_id, id) on delete cascade,
  constraint hourly_forecast_facility_facility_fkey foreign key (tenant_id, facility_id)
    references facility (tenant_id, id) on delete cascade
);
create index hourly_forecast_facility_facility_idx on hourly_forecast_facility (tenant_id, facility_id);

-- The consumption or the production of a facility; absent where nothing is known of it.
create table hourly_forecast_series (
  tenant_id integer not null,
  forecast_id uuid not null,
  facility_id uuid not null,
  kind text not null check (kind in ('consumption', 'production')),
  -- The first known hour, and the number of known ones.
  history_from timestamptz not null,
  history_hours integer not null,
  -- Quantiles in Wh by hour.
  quantiles jsonb not null,
  calibration jsonb not null,
  score jsonb not null,
  primary key (tenant_id, forecast_id, facility_id, kind),
  constraint hourly_forecast_series_facility_fkey foreign key (tenant_id, forecast_id, facility_id)
    references hourly_forecast_facility (tenant_id, forecast_id, facility_id) on delete cascade
);
