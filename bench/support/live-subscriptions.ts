import type { BenchService } from './service.ts'

export const DEVICES_EACH = 10

/** Which devices a socket subscribes to: each device has the same number of sockets. */
export const watchedBy = (socket: number, ids: readonly string[]): string[] =>
  Array.from({ length: DEVICES_EACH }, (_, index) => ids[(socket * DEVICES_EACH + index) % ids.length] ?? '')

/** One for each list of devices. */
export function liveUrls({ url, tenant }: BenchService, watched: readonly (readonly string[])[]): string[] {
  const users = [tenant.admin, tenant.operator, tenant.viewer, tenant.superuser]
  return watched.map((ids, socket) => {
    const token = users[socket % users.length]?.token
    return `${url.replace('http', 'ws')}/ws/telemetry?token=${token}&devices=${ids.join(',')}`
  })
}
