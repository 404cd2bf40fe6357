import { findTenantId, recordReportedConfig } from '../../areas/equipment/gateways/index.ts'
import { makeThrottledLog } from '../../platform/observability/throttled-log.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { CONFIG_REPORT_BYTES_MAX, CONFIG_REPORTS_WAITING_MAX } from './limits.ts'

const FILTER = 'ems/v1/+/+/config/reported'
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

type ReportDeps = Pick<Deps, 'broker' | 'clock' | 'database' | 'log'>

/**
 * Records the replies of gateways to the configurations sent to them. When several replies of one gateway wait,
 * the newest counts. Returns a function that stops it.
 */
export function followConfigReports({ broker, clock, database, log }: ReportDeps): () => Promise<void> {
  const waiting = new Map<string, Buffer>()
  let working: Promise<void> | undefined
  const calm = makeThrottledLog(log, clock)

  async function record(topic: string, payload: Buffer): Promise<void> {
    const [, , tenantUid = '', gatewayId = ''] = topic.split('/')
    if (!UUID.test(gatewayId)) return
    const tenantId = await findTenantId(database, tenantUid)
    if (tenantId === undefined) return
    const report = { tenantId, gatewayId, payload, at: clock.now() }
    const fault = await recordReportedConfig(database, report)
    if (fault !== undefined) calm.warn({ gateway: gatewayId }, `a reported configuration ${fault}`)
  }

  async function work(): Promise<void> {
    for (const [topic, payload] of waiting) {
      waiting.delete(topic)
      await record(topic, payload).catch((error: unknown) =>
        calm.warn({ reason: (error as Error).message, topic }, 'a reported configuration was not recorded'),
      )
    }
    working = undefined
  }

  const subscribed = broker.subscribe(FILTER, ({ topic, payload }) => {
    const isRoom = waiting.size < CONFIG_REPORTS_WAITING_MAX || waiting.has(topic)
    if (!isRoom || payload.length === 0 || payload.length > CONFIG_REPORT_BYTES_MAX) return
    waiting.set(topic, payload)
    working ??= work()
  })
  subscribed.catch((error: unknown) =>
    log.warn({ reason: (error as Error).message }, 'reported configurations are not followed'),
  )
  return async () => {
    await (await subscribed.catch(() => undefined))?.()
    await working
  }
}
