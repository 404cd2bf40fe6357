import { iso } from '../../../kernel/time.ts'
import type { Arrival } from './batch.ts'

/** Stands for every device of the tenant. */
export const EVERY_DEVICE = 0

// Two questions, each by its index: one with both keys would be asked of every watched device for every staged one.
const OF_WATCHED = `
  exists (select from sample_watch w where w.tenant_id = s.tenant_id and w.device_key = ${EVERY_DEVICE})
  or exists (select from sample_watch w where w.tenant_id = s.tenant_id and w.device_key = s.device_key)`
const INTO_MARKS = 'insert into sample_mark (tenant_id, device_keys, from_at)'

/** For a connection that stores batches: a function of its session, so that the question is planned once. */
export const DEFINE_MARKING = `
  create or replace function pg_temp.mark_arrived(tenants int[], keys int[], froms timestamptz[])
  returns void language plpgsql as $$
  begin
    if exists (select from sample_watch) then
      ${INTO_MARKS}
      select s.tenant_id, array_agg(s.device_key), array_agg(s.from_at)
      from unnest(tenants, keys, froms) as s (tenant_id, device_key, from_at)
      where ${OF_WATCHED} group by s.tenant_id;
    end if;
  end $$`

/**
 * Marks those of the arrivals whose devices are watched, and commits, in one message. While nothing is watched anywhere
 * the arrivals are not looked at. Numbers and instants of our own, so they may stand in the text.
 */
export function commitMarking(arrivals: readonly Arrival[]): string {
  if (arrivals.length === 0) return 'commit'
  const tenants = arrivals.map(({ tenantId }) => tenantId)
  const keys = arrivals.map(({ deviceKey }) => deviceKey)
  const froms = arrivals.map(({ from }) => iso(from))
  return `select pg_temp.mark_arrived('{${tenants}}', '{${keys}}', '{${froms}}'); commit`
}
