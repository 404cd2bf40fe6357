import { sql } from 'kysely'
import {
  GATEWAY_OFFLINE_GRACE_MS,
  GATEWAY_ONLINE_AFTER_MESSAGE_MS,
  GATEWAY_SILENCE_MAX_MS,
  MODBUS_GATEWAY_SILENCE_MAX_MS,
} from '../limits.ts'

const ms = (count: number) => sql`${count}::float8 * interval '1 millisecond'`

/**
 * SQL expression for is_online. It is derived on read, so it is never stale. The state that a broker or
 * poller reported last counts until the gateway has been silent for too long. Without such a state, or after
 * the end of a session, a recent message shows that the gateway is online (ADR 0028).
 */
export const isOnline = (now: Date) => sql<boolean>`coalesce(case
  when gateway_type = 'modbus' then is_online
    and last_seen > ${now}::timestamptz - ${ms(MODBUS_GATEWAY_SILENCE_MAX_MS)}
  when is_online then last_seen > ${now}::timestamptz - ${ms(GATEWAY_SILENCE_MAX_MS)}
  else last_seen > ${now}::timestamptz - ${ms(GATEWAY_ONLINE_AFTER_MESSAGE_MS)}
    and (offline_at is null or last_seen > offline_at + ${ms(GATEWAY_OFFLINE_GRACE_MS)})
  end, false)`
