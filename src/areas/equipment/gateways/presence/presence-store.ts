import { sql } from 'kysely'
import {
  GATEWAY_OFFLINE_GRACE_MS,
  GATEWAY_ONLINE_AFTER_MESSAGE_MS,
  GATEWAY_SILENCE_MAX_MS,
  MODBUS_GATEWAY_SILENCE_MAX_MS,
} from '../limits.ts'

const since = (now: Date, ms: number) => sql`${new Date(now.getTime() - ms)}::timestamptz`

/**
 * SQL expression for is_online. It is derived on read, so it is never stale. The state that a broker or
 * poller reported last counts until the gateway has been silent for too long. Without such a state, or after
 * the end of a session, a recent message shows that the gateway is online (ADR 0028). All of it is IMMUTABLE, because
 * it is in RETURNING, where a distributed database accepts nothing else.
 */
export const isOnline = (now: Date) => sql<boolean>`coalesce(case
  when gateway_type = 'modbus' then is_online
    and last_seen > ${since(now, MODBUS_GATEWAY_SILENCE_MAX_MS)}
  when is_online then last_seen > ${since(now, GATEWAY_SILENCE_MAX_MS)}
  else last_seen > ${since(now, GATEWAY_ONLINE_AFTER_MESSAGE_MS)}
    and (offline_at is null
      or last_seen - offline_at > ${GATEWAY_OFFLINE_GRACE_MS}::float8 * interval '1 millisecond')
  end, false)`
