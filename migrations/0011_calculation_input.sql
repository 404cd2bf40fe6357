-- What a run was computed from, as it was then: facts are corrected and balances move later (ADR 0020). One gzipped
-- text a run, in the format that netting-core/input-pack.ts writes.
create table calculation_input (
  tenant_id integer not null,
  calculation_run_id uuid not null,
  input bytea not null,
  primary key (tenant_id, calculation_run_id),
  constraint calculation_input_run_fkey foreign key (tenant_id, calculation_run_id) references calculation_run (tenant_id, id)
);
-- It is compressed already.
alter table calculation_input alter column input set storage external;
-- Append-only is a matter of privilege (0006).
revoke update, delete, truncate on calculation_input from current_user;
