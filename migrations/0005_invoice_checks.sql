-- Invoice checks (ADR 0122, 0123): stored checks of invoices, corrected fields of suppliers, objections and their dates.

-- How the invoices of a supplier are read, for one layout of its files.
create table invoice_mapping (
  tenant_id integer not null references tenant (id),
  id uuid not null default gen_random_uuid(),
  -- Tax number or name; the key is its normalized text.
  supplier text not null,
  supplier_key text not null,
  -- Fingerprint of the headers of a table, or of the elements of an e-Fatura.
  layout text not null,
  columns jsonb not null,
  lines jsonb not null,
  label text check (label in ('hour_ending', 'hour_starting')),
  updated_by uuid not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  constraint invoice_mapping_supplier_key unique (tenant_id, supplier_key, layout)
);

-- The files of the checks, each content once.
create table invoice_file (
  tenant_id integer not null references tenant (id),
  sha256 text not null,
  size_bytes integer not null,
  -- Gzipped.
  content bytea not null,
  created_at timestamptz not null,
  primary key (tenant_id, sha256)
);

-- One check of a file with the results that were current then. Append-only: a repeated check is a new row. Its group and
-- file are no foreign keys, because the check that a delete of them makes needs the UPDATE that is revoked below.
create table invoice_check (
  tenant_id integer not null,
  id uuid not null default gen_random_uuid(),
  group_id uuid not null,
  billing_period date not null check (extract(day from billing_period) = 1),
  -- The check that this one repeats.
  repeats uuid,
  file_name text not null,
  file_sha256 text not null,
  format text not null check (format in ('table', 'invoice_table', 'e_fatura', 'pdf')),
  supplier text,
  invoice_number text,
  -- Hash of the file, of the way in which it is read, and of the inputs of the runs.
  input_hash text not null,
  run_ids uuid[] not null,
  agreeing integer not null,
  differing integer not null,
  undecidable integer not null,
  claim_try numeric(18, 6) not null,
  -- The whole report with the settings and the mapping, as gzipped JSON.
  report bytea not null,
  created_by uuid not null,
  created_at timestamptz not null,
  primary key (tenant_id, id)
);
create index invoice_check_created_idx on invoice_check (tenant_id, created_at desc, id);
create index invoice_check_file_idx on invoice_check (tenant_id, group_id, billing_period, file_sha256, created_at desc);

-- The objection to an invoice: one for all checks of a file with the results of a group and month.
create table invoice_objection (
  tenant_id integer not null,
  id uuid not null default gen_random_uuid(),
  group_id uuid not null,
  billing_period date not null,
  file_sha256 text not null,
  file_name text not null,
  received_on date not null,
  -- Stated by a user, the date of the invoice, or the day of the first check.
  received_from text not null check (received_from in ('user', 'invoice', 'check')),
  objection_days integer not null check (objection_days between 1 and 365),
  due_on date not null,
  status text not null default 'open' check (status in ('open', 'sent', 'answered', 'settled')),
  updated_by uuid not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  constraint invoice_objection_file_key unique (tenant_id, group_id, billing_period, file_sha256),
  constraint invoice_objection_group_fkey foreign key (tenant_id, group_id) references netting_group (tenant_id, id)
);
create index invoice_objection_due_idx on invoice_objection (tenant_id, due_on) where status = 'open';

-- What happened with an objection, in order.
create table invoice_objection_step (
  tenant_id integer not null,
  id uuid not null default gen_random_uuid(),
  objection_id uuid not null,
  -- From 1, in the order of the records.
  seq integer not null,
  status text not null check (status in ('sent', 'answered', 'settled', 'open')),
  on_date date not null,
  amount_try numeric(18, 6),
  note text,
  created_by uuid not null,
  created_at timestamptz not null,
  primary key (tenant_id, id),
  constraint invoice_objection_step_objection_fkey foreign key (tenant_id, objection_id)
    references invoice_objection (tenant_id, id) on delete cascade,
  constraint invoice_objection_step_seq_key unique (tenant_id, objection_id, seq)
);

-- Append-only is enforced by privileges: the service's role revokes its own rights.
revoke update, truncate on invoice_check, invoice_objection_step from current_user;

-- Days from the receipt of an invoice to the last day of an objection (Law 6102, article 21(2)), and days before it on
-- which the reminder begins.
alter table netting_setting add column objection_days integer not null default 8
  check (objection_days between 1 and 365);
alter table netting_setting add column objection_reminder_days integer not null default 3
  check (objection_reminder_days between 0 and 365);

drop trigger record_change on netting_setting;
create trigger record_change after insert or update or delete on netting_setting for each row execute function
  record_change('netting_setting', 'tenant_id', '', '{strict_storage_export,objection_days,objection_reminder_days}', '{}');
create trigger record_change after insert or update or delete on invoice_mapping for each row execute function
  record_change('invoice_mapping', 'id', 'supplier', '{supplier,layout,columns,lines,label}', '{}');
create trigger record_change after insert or update or delete on invoice_objection for each row execute function
  record_change('invoice_objection', 'id', 'file_name',
    '{group_id,billing_period,received_on,objection_days,due_on,status}', '{}');
