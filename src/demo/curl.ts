import { iso, periodStart } from '../kernel/time.ts'
import type { DemoLogin } from './client.ts'

export interface CurlInput {
  readonly url: string
  readonly login: DemoLogin
  readonly month: string
  readonly groupId: string
  readonly deviceId: string
  readonly accountId: string
}

/** Returns lines for any POSIX shell with curl and sed; the token is valid for half an hour. */
export function curlLines({ url, login, month, groupId, deviceId, accountId }: CurlInput): string[] {
  const noon = periodStart(month) + 9 * 3_600_000
  const hours = `from=${iso(noon)}&to=${iso(noon + 6 * 3_600_000)}`
  const days = `start=${month}&end=${month.slice(0, 8)}08&interval=daily`
  const get = (path: string): string => `curl -s -H "Authorization: Bearer $TOKEN" "$URL/api/${path}"`
  const group = `mahsuplasma/groups/${groupId}`
  return [
    `URL=${url}`,
    `TOKEN=$(curl -s "$URL/api/auth/login" -H 'content-type: application/json' \\`,
    `  -d '${JSON.stringify(login)}' | sed -E 's/.*"access_token":"([^"]+)".*/\\1/')`,
    get(`${group}/hourly?${hours}`),
    get(`${group}/amounts?${hours}&limit=20`),
    get(`${group}/monthly-summary?year=${month.slice(0, 4)}`),
    get(`${group}/comparison?billing_period=${month}`),
    get(`mahsuplasma/limits/accounts/${accountId}/movements?limit=5`),
    get(`measurements/devices/${deviceId}/aggregated?${days}`),
  ]
}
