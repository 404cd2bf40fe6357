import { setTimeout } from 'node:timers/promises'
import type { Deps } from '../../../platform/deps.ts'
import type { GatewayReport } from '../gateways/index.ts'
import { applyUpdate, mergeMessage, type PendingUpdate } from './inventory.ts'
import { ZIGBEE_UPDATE_ATTEMPTS, ZIGBEE_UPDATE_RETRY_MS, ZIGBEE_UPDATES_WAITING_MAX } from './limits.ts'

export interface ZigbeeListener {
  /** Resolves when all that was told is written down, or given up. */
  idle(): Promise<void>
  stop(): Promise<void>
}

/** What the Zigbee side wants to hear; any other dialect's gateways are sorted out when it is written. */
const isRelevant = ({ status, availability, inventory }: GatewayReport): boolean =>
  status?.ieeeAddress !== undefined || inventory !== undefined || (availability?.length ?? 0) > 0

/**
 * Follows what Zigbee gateways tell of their devices: one gateway after the other, what comes meanwhile is put together.
 * What cannot be written is tried a few times; zigbee2mqtt tells everything again at its next start or change.
 */
export function startZigbeeListener(deps: Deps): ZigbeeListener {
  const { bus, log } = deps
  const waiting = new Map<string, PendingUpdate>()
  let isStopped = false
  let processing: Promise<void> | undefined

  async function applyWithRetries(update: PendingUpdate): Promise<void> {
    for (let tries = 1; !isStopped; tries += 1) {
      try {
        await applyUpdate(deps, update)
        return
      } catch (error) {
        const { gatewayId } = update
        log.warn(
          { reason: (error as Error).message, gatewayId, tries },
          'the devices of a Zigbee gateway were not written',
        )
        if (tries >= ZIGBEE_UPDATE_ATTEMPTS) return
        await setTimeout(ZIGBEE_UPDATE_RETRY_MS)
      }
    }
  }

  async function processWaiting(): Promise<void> {
    for (;;) {
      const [first] = waiting
      if (!first || isStopped) break
      const [key, news] = first
      waiting.delete(key)
      await applyWithRetries(news)
    }
    processing = undefined
  }

  const unsubscribe = bus.on('gateway_reported', (message) => {
    if (!isRelevant(message)) return
    const { tenantId, gatewayId } = message
    const key = `${tenantId}/${gatewayId}`
    const known = waiting.get(key)
    if (!known && waiting.size >= ZIGBEE_UPDATES_WAITING_MAX) {
      log.warn(
        { gatewayId },
        'too many Zigbee gateways tell of their devices at once; this one has to tell again',
      )
      return
    }
    const news = known ?? { tenantId, gatewayId, availability: new Map<string, boolean>() }
    mergeMessage(news, message)
    waiting.set(key, news)
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
