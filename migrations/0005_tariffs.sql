-- Regulated tariffs: national data, no tenant; reference tables.
create table tariff_price_set (
  id uuid primary key default gen_random_uuid(),
  billing_period date not null check (extract(day from billing_period) = 1),
  name text,
  source_note text,
  approval_status text not null default 'draft' check (approval_status in ('draft', 'approved', 'archived')),
  approved_by uuid,
  approved_at timestamptz,
  created_by uuid,
  created_at timestamptz not null default now(),
  check ((approval_status = 'draft') = (approved_at is null))
);
create index tariff_price_set_period_idx on tariff_price_set (billing_period desc, approval_status);

create table tariff_price (
  id uuid primary key default gen_random_uuid(),
  price_set_id uuid not null references tariff_price_set (id) on delete cascade,
  valid_from date not null,
  valid_to date,
  billing_period date not null check (extract(day from billing_period) = 1),
  abone_grubu text not null check (abone_grubu in ('mesken', 'ticarethane', 'sanayi', 'tarimsal_sulama', 'aydinlatma', 'other')),
  gerilim_seviyesi text,
  tariff_code text,
  tariff_class text,
  price_purpose text not null check (price_purpose in (
    'mahsuplasma_related_tariff', 'mahsuplasma_lowest_related_tariff', 'sktt_active_energy',
    'customer_bill_active_energy', 'system_usage', 'distribution', 'other')),
  time_segment text check (time_segment in ('tek', 'gunduz', 'puant', 'gece')),
  step_no integer check (step_no > 0),
  unit text,
  price numeric(18, 6) not null check (price > 0),
  source_note text,
  created_at timestamptz not null default now(),
  constraint tariff_price_natural_key unique nulls not distinct (price_set_id, abone_grubu, price_purpose, time_segment, step_no),
  constraint tariff_price_valid_range check (valid_from <= valid_to)
);
create index tariff_price_period_idx on tariff_price (billing_period);
