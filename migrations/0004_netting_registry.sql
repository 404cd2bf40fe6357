-- Who nets with whom: scopes, organizations, facilities, meters, groups, limits.
create extension if not exists btree_gist;

create table scope (
  tenant_id integer not null references tenant (id),
  id uuid not null default gen_random_uuid(),
  name text not null,
  external_party_ref text,
  notes text,
  declaration_source text check (declaration_source in ('customer_declaration', 'official_document', 'lum_report', 'gts_report')),
  declared_by uuid,
  declared_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint scope_name_key unique (tenant_id, name),
  check ((declaration_source is null) = (declared_at is null))
);

-- System-wide organizations stand in every tenant under the same id (is_system), so that a reference to one is a
-- composite key like every other; this small table is where they come from.
create table system_organization (
  id uuid primary key default gen_random_uuid(),
  org_type text not null,
  name text not null,
  is_active boolean not null default true,
  constraint system_organization_name_key unique (org_type, name)
);

create table organization (
  tenant_id integer not null references tenant (id),
  id uuid not null default gen_random_uuid(),
  org_type text not null check (org_type in ('grid_operator', 'distribution_company', 'retail_company', 'zone_operator', 'meter_reading_org', 'supplier')),
  name text not null,
  is_active boolean not null default true,
  is_system boolean not null default false,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint organization_name_key unique (tenant_id, org_type, name)
);

create table facility (
  tenant_id integer not null,
  id uuid not null default gen_random_uuid(),
  subregion_id uuid not null,
  scope_id uuid,
  name text not null,
  valid_from date not null,
  valid_to date,
  producer_tariff_group text check (producer_tariff_group in ('lisanssiz_uretici_1', 'lisanssiz_uretici_2')),
  grid_operator_id uuid,
  distribution_company_id uuid,
  retail_or_zone_operator_id uuid,
  meter_reading_org_id uuid,
  supplier_id uuid,
  abone_grubu text check (abone_grubu in ('mesken', 'ticarethane', 'sanayi', 'tarimsal_sulama', 'aydinlatma', 'other')),
  source_type text check (source_type in ('solar', 'wind', 'hydro', 'biomass', 'geothermal', 'cogeneration', 'hybrid', 'unknown')),
  tariff_supply_type text check (tariff_supply_type in ('regulated', 'sktt', 'bilateral')),
  is_multi_time boolean not null default false,
  voltage_level text check (voltage_level in ('AG', 'OG', 'YG')),
  installed_power_kw numeric(18, 6) check (installed_power_kw >= 0),
  contracted_power_kw numeric(18, 6) check (contracted_power_kw >= 0),
  has_ess boolean not null default false,
  ess_capacity_kwh numeric(18, 3) check (ess_capacity_kwh > 0),
  ess_power_kw numeric(18, 6) check (ess_power_kw > 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint facility_subregion_fkey foreign key (tenant_id, subregion_id) references subregion (tenant_id, id),
  constraint facility_scope_fkey foreign key (tenant_id, scope_id) references scope (tenant_id, id),
  constraint facility_grid_operator_fkey foreign key (tenant_id, grid_operator_id) references organization (tenant_id, id),
  constraint facility_distribution_company_fkey foreign key (tenant_id, distribution_company_id) references organization (tenant_id, id),
  constraint facility_retail_or_zone_operator_fkey foreign key (tenant_id, retail_or_zone_operator_id) references organization (tenant_id, id),
  constraint facility_meter_reading_org_fkey foreign key (tenant_id, meter_reading_org_id) references organization (tenant_id, id),
  constraint facility_supplier_fkey foreign key (tenant_id, supplier_id) references organization (tenant_id, id),
  constraint facility_valid_range check (valid_from <= valid_to),
  constraint facility_ess_consistency check (has_ess = (ess_capacity_kwh is not null) and has_ess = (ess_power_kw is not null))
);
create index facility_subregion_idx on facility (tenant_id, subregion_id);
create index facility_scope_idx on facility (tenant_id, scope_id);

-- What a facility looked like before each change; written by the service in the same transaction. Append-only.
create table facility_history (
  tenant_id integer not null,
  id uuid not null default gen_random_uuid(),
  facility_id uuid not null,
  -- Null for a loader that acts for nobody.
  changed_by uuid,
  changed_at timestamptz not null,
  operation text not null check (operation in ('create', 'update', 'delete')),
  before jsonb,
  after jsonb,
  primary key (tenant_id, id)
);
create index facility_history_facility_idx on facility_history (tenant_id, facility_id, changed_at desc);

create table osos_installation (
  tenant_id integer not null,
  id uuid not null default gen_random_uuid(),
  installation_no text not null,
  facility_id uuid,
  distribution_company_id uuid,
  multiplier numeric(18, 6) not null default 1 check (multiplier > 0),
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint osos_installation_no_key unique (tenant_id, installation_no),
  constraint osos_installation_facility_fkey foreign key (tenant_id, facility_id) references facility (tenant_id, id),
  constraint osos_installation_distribution_company_fkey foreign key (tenant_id, distribution_company_id) references organization (tenant_id, id)
);

create table metering_point (
  tenant_id integer not null,
  id uuid not null default gen_random_uuid(),
  facility_id uuid not null,
  meter_no text,
  valid_from timestamptz not null,
  valid_to timestamptz,
  meter_reading_org_id uuid,
  osos_installation_id uuid,
  notes text,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint metering_point_facility_fkey foreign key (tenant_id, facility_id) references facility (tenant_id, id),
  constraint metering_point_meter_reading_org_fkey foreign key (tenant_id, meter_reading_org_id) references organization (tenant_id, id),
  constraint metering_point_osos_installation_fkey foreign key (tenant_id, osos_installation_id) references osos_installation (tenant_id, id),
  constraint metering_point_valid_range check (valid_from <= valid_to)
);
create index metering_point_facility_idx on metering_point (tenant_id, facility_id);

create table meter_assignment (
  tenant_id integer not null,
  id uuid not null default gen_random_uuid(),
  subregion_id uuid not null,
  device_id uuid not null,
  facility_id uuid,
  metering_point_id uuid,
  measurement_role text not null check (measurement_role in (
    'main_production', 'main_consumption', 'pcc_import_export', 'osb_eb_consumption',
    'battery', 'self_consumption', 'aux_production', 'aux_consumption', 'check_meter')),
  valid_from timestamptz not null,
  valid_to timestamptz,
  -- How the record came here when not through the API, whose rules forbid it ('demo', 'import: …').
  origin text,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint meter_assignment_subregion_fkey foreign key (tenant_id, subregion_id) references subregion (tenant_id, id),
  constraint meter_assignment_device_fkey foreign key (tenant_id, device_id) references device (tenant_id, id),
  constraint meter_assignment_facility_fkey foreign key (tenant_id, facility_id) references facility (tenant_id, id),
  constraint meter_assignment_metering_point_fkey foreign key (tenant_id, metering_point_id) references metering_point (tenant_id, id),
  constraint meter_assignment_valid_range check (valid_from < valid_to),
  constraint meter_assignment_main_role_overlap exclude using gist (
    tenant_id with =, subregion_id with =, measurement_role with =, tstzrange(valid_from, valid_to) with &&)
    where (measurement_role in ('main_production', 'main_consumption', 'pcc_import_export', 'osb_eb_consumption'))
);
create index meter_assignment_facility_idx on meter_assignment (tenant_id, facility_id);
create index meter_assignment_device_idx on meter_assignment (tenant_id, device_id);

create table netting_group (
  tenant_id integer not null references tenant (id),
  id uuid not null default gen_random_uuid(),
  name text not null,
  scope_id uuid,
  responsible_supplier_id uuid,
  is_active boolean not null default true,
  group_status text not null default 'customer_defined' check (group_status in ('customer_defined', 'ek1_submitted', 'grid_operator_confirmed', 'lum_reported', 'inactive')),
  eligibility_status text not null default 'not_checked' check (eligibility_status in ('not_checked', 'valid', 'blocked')),
  notes text,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint netting_group_name_key unique (tenant_id, name),
  constraint netting_group_scope_fkey foreign key (tenant_id, scope_id) references scope (tenant_id, id),
  constraint netting_group_supplier_fkey foreign key (tenant_id, responsible_supplier_id) references organization (tenant_id, id),
  constraint netting_group_active_status check (is_active = (group_status <> 'inactive'))
);

create table group_member (
  tenant_id integer not null,
  id uuid not null default gen_random_uuid(),
  group_id uuid not null,
  facility_id uuid not null,
  member_role text not null check (member_role in ('production', 'consumption', 'mixed')),
  valid_from date not null,
  valid_to date,
  declared_by uuid,
  origin text,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint group_member_group_fkey foreign key (tenant_id, group_id) references netting_group (tenant_id, id),
  constraint group_member_facility_fkey foreign key (tenant_id, facility_id) references facility (tenant_id, id),
  constraint group_member_valid_range check (valid_from <= valid_to),
  constraint group_member_single_group exclude using gist (
    tenant_id with =, facility_id with =, daterange(valid_from, valid_to) with &&)
);
create index group_member_group_idx on group_member (tenant_id, group_id);

create table limit_account (
  tenant_id integer not null,
  id uuid not null default gen_random_uuid(),
  facility_id uuid not null,
  year integer not null check (year between 2000 and 2100),
  initial_limit_kwh numeric(18, 3) not null check (initial_limit_kwh >= 0),
  limit_source text not null check (limit_source in ('previous_year_consumption', 'customer_declaration', 'official_document', 'lum_report', 'gts_report', 'manual')),
  origin text,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint limit_account_facility_year_key unique (tenant_id, facility_id, year),
  constraint limit_account_facility_fkey foreign key (tenant_id, facility_id) references facility (tenant_id, id)
);

-- What each evaluation of a group found; the group carries the status of the latest. Append-only (0006).
create table eligibility_run (
  tenant_id integer not null,
  id uuid not null default gen_random_uuid(),
  group_id uuid not null,
  -- The order of evaluation: two of one instant still have an order.
  seq bigint generated always as identity,
  eligibility_status text not null check (eligibility_status in ('not_checked', 'valid', 'blocked')),
  rules jsonb not null check (jsonb_typeof(rules) = 'array'),
  evaluated_by uuid,
  evaluated_at timestamptz not null,
  primary key (tenant_id, id),
  constraint eligibility_run_group_fkey foreign key (tenant_id, group_id) references netting_group (tenant_id, id)
);
create index eligibility_run_group_idx on eligibility_run (tenant_id, group_id, seq desc);
