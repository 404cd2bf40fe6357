-- The bytes of a table with its indexes. On a distributed database (Citus) the table itself is empty, and its rows are in
-- shards.
create function relation_bytes(relation regclass) returns bigint language plpgsql as $$
begin
  if to_regclass('pg_catalog.pg_dist_partition') is not null then
    if exists (select 1 from pg_dist_partition where logicalrelid = relation) then
      return citus_total_relation_size(relation);
    end if;
  end if;
  return pg_total_relation_size(relation);
end
$$;
