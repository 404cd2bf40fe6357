-- Until when the writes of a user are committed, by the clock of the database: a read of the user needs a replica that is
-- as current as that. Written only when there are read replicas (ADR 0142).
create table user_last_write (
  tenant_id integer not null references tenant (id),
  user_id uuid not null,
  until timestamptz not null,
  primary key (tenant_id, user_id),
  constraint user_last_write_user_fkey foreign key (tenant_id, user_id)
    references app_user (tenant_id, id) on delete cascade
) with (fillfactor = 50);
