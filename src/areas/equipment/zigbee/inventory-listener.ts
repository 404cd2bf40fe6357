import { setTimeout } from 'node:timers/promises'
import type { Deps } from '../../../platform/runtime/deps.ts'
import type { GatewayReport } from '../gateways/index.ts'
import { applyUpdate, mergeMessage, type PendingUpdate } from './inventory.ts'
import { ZIGBEE_UPDATE_ATTEMPTS, ZIGBEE_UPDATE_RETRY_MS, ZIGBEE_UPDATES_WAITING_MAX } from './limits.ts'

export interface ZigbeeListener {
  /** Resolves when all received reports are stored or given up. */
  idle(): Promise<void>
  stop(): Promise<void>
}

/**
 * Reports without Zigbee data are ignored. Gateways of other dialects are filtered out when the update is
 * applied.
 */
const isRelevant = ({ status, availability, inventory }: GatewayReport): boolean =>
  status?.ieeeAddress !== undefined || inventory !== undefined || (availability?.length ?? 0) > 0

/**
 * Stores what Zigbee gateways report about their devices, one gateway at a time. Reports that arrive
 * meanwhile are merged per gateway. A failed write is repeated a few times; after that, zigbee2mqtt reports
 * everything again at its next start or change.
 */
export function startZigbeeListener(deps: Deps): ZigbeeListener {
  const { bus, log } = deps
  const waiting = new Map<string, PendingUpdate>()
  let isStopped = false
  let processing: Promise<void> | undefined

  async function applyWithRetries(update: PendingUpdate): Promise<void> {
    for (let attempt = 1; !isStopped; attempt += 1) {
      try {
        await applyUpdate(deps, update)
        return
      } catch (error) {
        const { gatewayId } = update
        log.warn(
          { reason: (error as Error).message, gatewayId, attempt },
          'the devices of a Zigbee gateway could not be stored',
        )
        if (attempt >= ZIGBEE_UPDATE_ATTEMPTS) return
        await setTimeout(ZIGBEE_UPDATE_RETRY_MS)
      }
    }
  }

  async function processWaiting(): Promise<void> {
    for (;;) {
      const [first] = waiting
      if (!first || isStopped) break
      const [key, update] = first
      waiting.delete(key)
      await applyWithRetries(update)
    }
    processing = undefined
  }

  const unsubscribe = bus.on('gateway_reported', (message) => {
    if (!isRelevant(message)) return
    const { tenantId, gatewayId } = message
    const key = `${tenantId}/${gatewayId}`
    const known = waiting.get(key)
    if (!known && waiting.size >= ZIGBEE_UPDATES_WAITING_MAX) {
      log.warn({ gatewayId }, 'too many Zigbee gateways report devices at once; this report is dropped')
      return
    }
    const update = known ?? { tenantId, gatewayId, availability: new Map<string, boolean>() }
    mergeMessage(update, message)
    waiting.set(key, update)
    processing ??= processWaiting()
  })

  return {
    async idle() {
      while (processing !== undefined) await processing
    },
    async stop() {
      unsubscribe()
      isStopped = true
      await processing
    },
  }
}
