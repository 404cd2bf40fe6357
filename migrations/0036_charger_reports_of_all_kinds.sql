-- A report is awaited from the moment at which a station agrees to send it, whatever it is about; one that never becomes
-- whole shows by its own record.

alter table charger_report
  add column kind text not null default 'variables' check (kind in (
    'variables', 'monitoring', 'customer_information', 'charging_profiles')),
  -- By our clock: when the last part came, or when the station agreed to send it.
  add column heard_at timestamptz;
update charger_report set heard_at = generated_at;
alter table charger_report
  alter column heard_at set not null,
  -- Null until the first part has come; reports of charging profiles tell no time.
  alter column generated_at drop not null,
  drop constraint charger_report_key,
  add constraint charger_report_key unique (tenant_id, charger_id, kind, request_id);
