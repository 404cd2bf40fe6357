-- The functions of the triggers name their tables so that they also work on a node of a distributed database (Citus,
-- ADR 0109). There a trigger belongs to a shard, and may read and write the shards beside it only. What they write is
-- unchanged.

-- Replaces {table} in a statement by the table; on a node of a distributed database by the shard of the table that has the
-- rows of the tenant, or the only one of a reference table. Null where another node has the rows.
create function on_node(statement text, tenant integer default null) returns text language plpgsql as $$
declare
  name text;
  shard bigint;
begin
  if to_regclass('pg_catalog.pg_dist_placement') is null then
    return regexp_replace(statement, '\{([a-z_]+)\}', '\1', 'g');
  end if;
  for name in select distinct (regexp_matches(statement, '\{([a-z_]+)\}', 'g'))[1] loop
    if exists (select 1 from pg_dist_partition where logicalrelid = to_regclass(name)) then
      shard := get_shard_id_for_distribution_column(name::regclass, tenant);
      if not exists (select 1 from pg_dist_placement join pg_dist_local_group using (groupid) where shardid = shard) then
        return null;
      end if;
      statement := replace(statement, '{' || name || '}', name || '_' || shard);
    else
      statement := replace(statement, '{' || name || '}', name);
    end if;
  end loop;
  return statement;
end
$$;

-- As on_node, once for each pair of shards of netting_group and stale_mark that the node has, for a statement about all
-- tenants.
create function on_each_shard(statement text) returns setof text language plpgsql as $$
begin
  if to_regclass('pg_catalog.pg_dist_placement') is null then
    return next regexp_replace(statement, '\{([a-z_]+)\}', '\1', 'g');
    return;
  end if;
  if not exists (select 1 from pg_dist_partition where logicalrelid = 'netting_group'::regclass) then
    return next regexp_replace(statement, '\{([a-z_]+)\}', '\1', 'g');
    return;
  end if;
  return query
    select replace(replace(statement, '{netting_group}', 'netting_group_' || g.shardid),
      '{stale_mark}', 'stale_mark_' || m.shardid)
    from pg_dist_shard g
    join pg_dist_placement p on p.shardid = g.shardid
    join pg_dist_local_group using (groupid)
    join pg_dist_shard m on m.logicalrelid = 'stale_mark'::regclass and m.shardminvalue = g.shardminvalue
    where g.logicalrelid = 'netting_group'::regclass;
end
$$;

-- Marks the groups of a facility, within its memberships.
create or replace function mark_facility_stale(tenant integer, facility uuid, changed tstzmultirange, reason text)
  returns void language plpgsql as $$
begin
  execute on_node('
    insert into {stale_mark} (tenant_id, id, group_id, reason, hours, changed_at) overriding system value
    select m.tenant_id, nextval(''stale_mark_id_seq''), m.group_id, $4, m.hours, now()
    from (
      select m.tenant_id, m.group_id,
        range_agg($3 * tstzmultirange(tstzrange(local_midnight(m.valid_from), local_midnight(m.valid_to)))) as hours
      from {group_member} m
      where m.tenant_id = $1 and m.facility_id = $2
        and $3 && tstzrange(local_midnight(m.valid_from), local_midnight(m.valid_to))
      group by m.tenant_id, m.group_id
    ) m', tenant) using tenant, facility, changed, reason;
end
$$;

create function mark_group_stale(tenant integer, group_id uuid, hours tstzmultirange, reason text)
  returns void language plpgsql as $$
begin
  execute on_node('
    insert into {stale_mark} (tenant_id, id, group_id, reason, hours, changed_at) overriding system value
    values ($1, nextval(''stale_mark_id_seq''), $2, $4, $3, now())', tenant) using tenant, group_id, hours, reason;
end
$$;

create or replace function mark_stale_energy() returns trigger language plpgsql as $$
declare
  -- The rows of a statement on a shard are of tenants of this shard.
  tenant integer := (select tenant_id from changed limit 1);
begin
  if tenant is null then return null; end if;
  execute on_node('
    insert into {stale_mark} (tenant_id, id, group_id, reason, hours, changed_at) overriding system value
    select m.tenant_id, nextval(''stale_mark_id_seq''), m.group_id, m.reason, m.hours, now()
    from (
      select c.tenant_id, m.group_id,
        case when c.source = ''osos_official_meter'' then ''OFFICIAL_ENERGY_CHANGED'' else ''ENERGY_CHANGED'' end as reason,
        range_agg(tstzrange(c.hour, c.hour + interval ''1 hour'')) as hours
      from changed c
      join {group_member} m on m.tenant_id = c.tenant_id and m.facility_id = c.facility_id
        and c.hour >= local_midnight(m.valid_from)
        and (m.valid_to is null or c.hour < local_midnight(m.valid_to))
      where c.source <> ''missing''
      group by c.tenant_id, m.group_id, reason
    ) m', tenant);
  return null;
end $$;

create or replace function mark_stale_member() returns trigger language plpgsql as $$
declare
  before tstzmultirange := case when tg_op = 'INSERT' then '{}' else
    tstzmultirange(tstzrange(local_midnight(old.valid_from), local_midnight(old.valid_to))) end;
  after tstzmultirange := case when tg_op = 'DELETE' then '{}' else
    tstzmultirange(tstzrange(local_midnight(new.valid_from), local_midnight(new.valid_to))) end;
  changed tstzmultirange := (before - after) + (after - before);
begin
  if tg_op = 'UPDATE' then
    if old.member_role <> new.member_role then changed := before + after; end if;
  end if;
  if not isempty(changed) then
    perform mark_group_stale(coalesce(new.tenant_id, old.tenant_id), coalesce(new.group_id, old.group_id), changed,
      'MEMBERS_CHANGED');
  end if;
  return null;
end $$;

-- A device of the type ess_inverter makes a facility one with storage, also at a metering point or in its subregion.
create or replace function mark_stale_device() returns trigger language plpgsql as $$
begin
  execute on_node('
    select count(mark_facility_stale($1, f.id, ''{(,)}'', ''FACILITY_CHANGED''))
    from {meter_assignment} a
    left join {metering_point} p on p.tenant_id = $1 and p.id = a.metering_point_id
    join {facility} f on f.tenant_id = $1 and (f.id = coalesce(a.facility_id, p.facility_id)
      or (a.facility_id is null and p.facility_id is null and f.subregion_id = a.subregion_id))
    where a.tenant_id = $1 and a.device_id = $2', new.tenant_id) using new.tenant_id, new.id;
  return null;
end $$;

-- The facility of an assignment is its own, that of its metering point, or every one of its subregion.
create function mark_assigned_stale(tenant integer, facility uuid, metering_point uuid, subregion uuid, hours tstzrange)
  returns void language plpgsql as $$
begin
  execute on_node('
    select count(mark_facility_stale($1, f.id, tstzmultirange($5), ''METERS_CHANGED''))
    from {facility} f
    left join {metering_point} p on p.tenant_id = $1 and p.id = $3
    where f.tenant_id = $1
      and (f.id = coalesce($2, p.facility_id)
        or ($2 is null and p.facility_id is null and f.subregion_id = $4))', tenant)
    using tenant, facility, metering_point, subregion, hours;
end
$$;
create or replace function mark_stale_assignment() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    perform mark_assigned_stale(old.tenant_id, old.facility_id, old.metering_point_id, old.subregion_id,
      tstzrange(old.valid_from, old.valid_to));
  end if;
  if tg_op <> 'DELETE' then
    perform mark_assigned_stale(new.tenant_id, new.facility_id, new.metering_point_id, new.subregion_id,
      tstzrange(new.valid_from, new.valid_to));
  end if;
  return null;
end $$;
drop function mark_assignment_stale(meter_assignment);

-- Adjustments and transfers count from the start of the year, whatever their time.
create function mark_limit_stale(tenant integer, facility uuid, year integer) returns void language plpgsql as $$
begin
  perform mark_facility_stale(tenant, facility,
    tstzmultirange(tstzrange(local_midnight(make_date(year, 1, 1)), local_midnight(make_date(year + 1, 1, 1)))),
    'LIMIT_CHANGED');
end
$$;
create or replace function mark_stale_limit() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform mark_limit_stale(old.tenant_id, old.facility_id, old.year);
  else
    perform mark_limit_stale(new.tenant_id, new.facility_id, new.year);
  end if;
  return null;
end $$;
create or replace function mark_stale_movement() returns trigger language plpgsql as $$
begin
  execute on_node('
    select count(mark_limit_stale(a.tenant_id, a.facility_id, a.year)) from {limit_account} a
    where a.tenant_id = $1 and a.id = $2', new.tenant_id) using new.tenant_id, new.account_id;
  return null;
end $$;
drop function mark_account_stale(limit_account);

-- Prices are national: the groups of all tenants are marked, for the time in which the rows are valid. A distributed
-- database has the prices on every node, and each node marks the groups that it has itself.
create or replace function mark_prices_stale(hours tstzmultirange) returns void language plpgsql as $$
declare
  statement text;
begin
  if hours is null or isempty(hours) then return; end if;
  for statement in select on_each_shard('
    insert into {stale_mark} (tenant_id, id, group_id, reason, hours, changed_at) overriding system value
    select g.tenant_id, nextval(''stale_mark_id_seq''), g.id, ''PRICES_CHANGED'', $1, now() from {netting_group} g') loop
    execute statement using hours;
  end loop;
end
$$;
create or replace function mark_stale_price_set() returns trigger language plpgsql as $$
begin
  execute on_node('
    select mark_prices_stale(range_agg(tstzrange(local_midnight(greatest(p.valid_from, p.billing_period)),
      local_midnight(p.valid_to + 1))))
    from {tariff_price} p where p.price_set_id = $1 and (p.valid_to is null or p.valid_to >= p.billing_period)')
    using new.id;
  return null;
end $$;
create or replace function mark_stale_price() returns trigger language plpgsql as $$
begin
  execute on_node('
    select mark_prices_stale(range_agg(tstzrange(local_midnight(greatest(p.valid_from, p.billing_period)),
      local_midnight(p.valid_to + 1))))
    from changed p join {tariff_price_set} s on s.id = p.price_set_id and s.approval_status <> ''draft''
    where p.valid_to is null or p.valid_to >= p.billing_period');
  return null;
end $$;

-- The scope and the supplier of a group decide its eligibility, also that of past periods.
create or replace function mark_stale_group() returns trigger language plpgsql as $$
begin
  perform mark_group_stale(new.tenant_id, new.id, '{(,)}', 'ELIGIBILITY_CHANGED');
  return null;
end $$;

-- The settings of a tenant concern all its groups. Without a row the default holds: strict.
create or replace function mark_stale_setting() returns trigger language plpgsql as $$
begin
  execute on_node('
    select count(mark_group_stale(tenant_id, id, ''{(,)}'', ''SETTINGS_CHANGED'')) from {netting_group}
    where tenant_id = $1', new.tenant_id) using new.tenant_id;
  return null;
end $$;

-- An evaluation counts where it turns a group from blocked to not blocked or back. Periods before the first evaluation
-- use the present status of the group. Evaluations that a calculation makes for itself are part of its result.
create or replace function mark_stale_eligibility() returns trigger language plpgsql as $$
declare
  first_at timestamptz;
  before text;
begin
  if new.billing_period is not null then
    if new.triggered_by = 'period_request' then
      perform mark_group_stale(new.tenant_id, new.group_id,
        tstzmultirange(tstzrange(local_midnight(new.billing_period),
          local_midnight((new.billing_period + interval '1 month')::date))), 'ELIGIBILITY_CHANGED');
    end if;
    return null;
  end if;
  execute on_node('
    select min(evaluated_at), (array_agg(eligibility_status order by seq desc))[1] from {eligibility_run}
    where tenant_id = $1 and group_id = $2 and id <> $3 and billing_period is null', new.tenant_id)
    into first_at, before using new.tenant_id, new.group_id, new.id;
  if (before is not distinct from 'blocked') = (new.eligibility_status = 'blocked') then return null; end if;
  perform mark_group_stale(new.tenant_id, new.group_id,
    case when first_at is null then '{(,)}'::tstzmultirange else
      tstzmultirange(tstzrange(local_midnight(date_trunc('month', new.evaluated_at at time zone interval '3 hours')::date), null),
        tstzrange(null, local_midnight(date_trunc('month', first_at at time zone interval '3 hours')::date))) end,
    'ELIGIBILITY_CHANGED');
  return null;
end $$;

-- Arguments: type of the resource, column of its id, column of its name, recorded columns, secret columns. Changes of
-- other columns are not recorded. `netsaat.actor` is set by the transaction (platform/db/tenant.ts).
create or replace function record_change() returns trigger language plpgsql as $$
declare
  before jsonb := case when tg_op = 'INSERT' then '{}' else to_jsonb(old) end;
  after jsonb := case when tg_op = 'DELETE' then '{}' else to_jsonb(new) end;
  present jsonb := case when tg_op = 'DELETE' then before else after end;
  actor jsonb := coalesce(nullif(current_setting('netsaat.actor', true), ''), '{}')::jsonb;
  changes jsonb := '{}';
  name text;
  tenant integer := coalesce(present ->> 'tenant_id', present ->> 'id')::integer;
  statement text;
  is_deleted boolean := false;
begin
  -- The deletion of a tenant deletes its change log as well.
  if tg_op = 'DELETE' then
    execute on_node('select exists (select 1 from {tenant_deletion} where tenant_key = $1 and finished_at is null)')
      into is_deleted using tenant;
    if is_deleted then
      return null;
    end if;
  end if;
  foreach name in array tg_argv[3]::text[] loop
    if before -> name is distinct from after -> name
      and not (tg_op <> 'UPDATE' and coalesce(before -> name, after -> name) = 'null') then
      changes := changes || jsonb_build_object(name, jsonb_strip_nulls(jsonb_build_object(
        'from', change_log_value(before -> name), 'to', change_log_value(after -> name))));
    end if;
  end loop;
  foreach name in array tg_argv[4]::text[] loop
    if before -> name is distinct from after -> name
      and (tg_op = 'UPDATE' or coalesce(after -> name, 'null') <> 'null') then
      changes := changes || jsonb_build_object(name, jsonb_build_object('is_hidden', true));
    end if;
  end loop;
  if tg_op = 'UPDATE' and changes = '{}' then
    return null;
  end if;
  -- The tenant itself is on every node of a distributed database; the node that has its change log writes it.
  statement := on_node('
    insert into {change_log} (tenant_id, id, at, actor_kind, user_id, api_key_id, operation, request_id, ip, action,
      resource_type, resource_id, resource_name, changes) overriding system value
    values ($1, nextval(''change_log_id_seq''), coalesce(($2 ->> ''at'')::timestamptz, now()),
      coalesce($2 ->> ''kind'', ''service''), ($2 ->> ''user_id'')::uuid, ($2 ->> ''api_key_id'')::uuid,
      $2 ->> ''operation'', $2 ->> ''request_id'', $2 ->> ''ip'', $3, $4, $5, left($6, 200), $7)', tenant);
  if statement is null then
    return null;
  end if;
  execute statement using tenant, actor,
    case tg_op when 'INSERT' then 'create' when 'UPDATE' then 'update' else 'delete' end,
    tg_argv[0], present ->> tg_argv[1], present ->> tg_argv[2], changes;
  return null;
end
$$;

-- Passes the actor of a transaction to the triggers: with SET LOCAL, which Citus repeats on the nodes of the transaction
-- (citus.propagate_set_commands), and not with set_config.
create function set_actor(actor text) returns void language plpgsql as $$
begin
  execute format('set local netsaat.actor to %L', actor);
end
$$;
