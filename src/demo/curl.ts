import { HOUR_MS, iso, periodStart } from '../kernel/time.ts'
import type { DemoLogin } from './client.ts'

export interface CurlInput {
  readonly url: string
  readonly login: DemoLogin
  readonly month: string
  readonly groupId: string
  readonly deviceId: string
  readonly accountId: string
}

/** Returns lines for any POSIX shell with curl and sed. */
export function curlLines({ url, login, month, groupId, deviceId, accountId }: CurlInput): string[] {
  const noon = periodStart(month) + 9 * HOUR_MS
  const hours = `from=${seconds(noon)}&to=${seconds(noon + 6 * HOUR_MS)}`
  const days = `start=${month}&end=${month.slice(0, 8)}08&interval=daily`
  const get = (comment: string, address: string): readonly string[] => [
    `# ${comment}`,
    `curl -s -H "$AUTH" "${address}"`,
  ]
  return [
    '# Sign in; the token is valid for half an hour.',
    `URL=${url}`,
    `TOKEN=$(curl -s "$URL/api/auth/login" -H 'content-type: application/json' \\`,
    `  -d '${JSON.stringify(login)}' | sed -E 's/.*"access_token":"([^"]+)".*/\\1/')`,
    'AUTH="Authorization: Bearer $TOKEN"',
    `GROUP=$URL/api/mahsuplasma/groups/${groupId}`,
    ...get(
      'Six hours of the group: production, consumption, matched energy and surplus.',
      `$GROUP/hourly?${hours}`,
    ),
    ...get('The money of these hours; each amount names its price.', `$GROUP/amounts?${hours}&limit=20`),
    ...get('The months of the year.', `$GROUP/monthly-summary?year=${month.slice(0, 4)}`),
    ...get('The month netted by the hour and by the month.', `$GROUP/comparison?billing_period=${month}`),
    ...get(
      'The limit of a plant, as an account.',
      `$URL/api/mahsuplasma/limits/accounts/${accountId}/movements?limit=5`,
    ),
    ...get('A week of a meter by the day.', `$URL/api/measurements/devices/${deviceId}/aggregated?${days}`),
  ]
}

/** An instant without fractions of a second. */
const seconds = (at: number): string => iso(at).replace('.000Z', 'Z')
