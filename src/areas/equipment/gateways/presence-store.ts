import { sql } from 'kysely'
import {
  GATEWAY_OFFLINE_GRACE_MS,
  GATEWAY_ONLINE_AFTER_MESSAGE_MS,
  GATEWAY_SILENCE_MAX_MS,
  MODBUS_GATEWAY_SILENCE_MAX_MS,
} from './limits.ts'

const ms = (count: number) => sql`${count}::float8 * interval '1 millisecond'`

/**
 * Derived when it is asked, so that it is never stale. What a broker or poller said last counts while something was
 * heard of the gateway. A message that came after its end, or when no broker tells of sessions, shows that it is there.
 */
export const isOnline = (now: Date) => sql<boolean>`coalesce(case
  when gateway_type = 'modbus' then is_online and last_seen > ${now}::timestamptz - ${ms(MODBUS_GATEWAY_SILENCE_MAX_MS)}
  when is_online then last_seen > ${now}::timestamptz - ${ms(GATEWAY_SILENCE_MAX_MS)}
  else last_seen > ${now}::timestamptz - ${ms(GATEWAY_ONLINE_AFTER_MESSAGE_MS)}
    and (offline_at is null or last_seen > offline_at + ${ms(GATEWAY_OFFLINE_GRACE_MS)})
  end, false)`
