-- What a subregion's dashboard shows. A widget names its devices inside config, by id and without a reference: a meter
-- that is taken away must not be held by a picture of it.
create table widget (
  tenant_id integer not null,
  id uuid not null default gen_random_uuid(),
  subregion_id uuid not null,
  widget_type text not null check (widget_type in (
    'device_read_rate', 'consumption_chart', 'consumption_numeric', 'cost_chart', 'cost_numeric', 'reactive_ratio',
    'realtime_value', 'realtime_gauge', 'realtime_3phase', 'realtime_power', 'alarm_summary',
    'osos_consumption_chart', 'mahsuplasma_balance')),
  title text not null,
  position jsonb,
  config jsonb not null default '{}' check (jsonb_typeof(config) = 'object'),
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint widget_subregion_fkey foreign key (tenant_id, subregion_id) references subregion (tenant_id, id) on delete cascade
);
create index widget_subregion_idx on widget (tenant_id, subregion_id, created_at, id);
