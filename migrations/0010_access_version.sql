-- What a tenant's users and API keys may do changes its access version, in the same transaction. A process keeps the user
-- of a request together with the version that it read in the same snapshot, and reads only the version with the next one
-- (ADR 0164). Random versions are unique also after a restore and on another node. A tenant without a row has not changed
-- anything since the migration.
create table access_version (
  tenant_id integer primary key references tenant (id),
  version uuid not null default gen_random_uuid()
) with (fillfactor = 50);

-- Argument: the column of the tenant. The second change of a transaction finds a version that no other one has seen yet.
create function renew_access_version() returns trigger language plpgsql as $$
declare
  present jsonb := case when tg_op = 'DELETE' then to_jsonb(old) else to_jsonb(new) end;
  tenant integer := present ->> tg_argv[0];
  statement text;
  is_deleted boolean := false;
begin
  -- While a distributed database is migrated, its workers do not have the table yet, nor does any process use it.
  if to_regclass('access_version') is null then
    return null;
  end if;
  -- The deletion of a tenant deletes its version as well.
  if tg_op = 'DELETE' then
    execute on_node('select exists (select 1 from {tenant_deletion} where tenant_key = $1 and finished_at is null)')
      into is_deleted using tenant;
    if is_deleted then
      return null;
    end if;
  end if;
  -- The tenant itself is on every node of a distributed database; the node that has its version renews it.
  statement := on_node('
    insert into {access_version} as present (tenant_id) values ($1)
    on conflict (tenant_id) do update set version = gen_random_uuid()
    where present.xmin <> pg_current_xact_id()::xid', tenant);
  if statement is not null then
    execute statement using tenant;
  end if;
  return null;
end
$$;

create trigger renew_access_version after update of is_active, require_totp on tenant for each row
  when (old.is_active <> new.is_active or old.require_totp <> new.require_totp)
  execute function renew_access_version('id');
create trigger renew_access_version after update of is_active, is_superuser on app_user for each row
  when (old.is_active <> new.is_active or old.is_superuser <> new.is_superuser)
  execute function renew_access_version('tenant_id');
create trigger renew_access_version_of_deleted after delete on app_user for each row
  execute function renew_access_version('tenant_id');
create trigger renew_access_version after update of permissions on role for each row
  when (old.permissions <> new.permissions)
  execute function renew_access_version('tenant_id');
create trigger renew_access_version after insert or update or delete on user_role for each row
  execute function renew_access_version('tenant_id');
create trigger renew_access_version after insert or delete or update of confirmed_at on user_totp for each row
  execute function renew_access_version('tenant_id');
create trigger renew_access_version after update of user_id, permissions, expires_at on api_key for each row
  execute function renew_access_version('tenant_id');
create trigger renew_access_version_of_deleted after delete on api_key for each row
  execute function renew_access_version('tenant_id');
