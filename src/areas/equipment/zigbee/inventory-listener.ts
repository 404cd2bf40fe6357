import { setTimeout } from 'node:timers/promises'
import type { Deps } from '../../../platform/deps.ts'
import type { GatewayTold } from '../../../platform/messaging/bus.ts'
import { addNews, type GatewayNews, takeNews } from './inventory.ts'
import { ZIGBEE_NEWS_RETRY_MS, ZIGBEE_NEWS_TRIES, ZIGBEE_NEWS_WAITING_MAX } from './limits.ts'

export interface ZigbeeListener {
  /** Resolves when all that was told is written down, or given up. */
  idle(): Promise<void>
  stop(): Promise<void>
}

/** What the Zigbee side wants to hear; any other dialect's gateways are sorted out when it is written. */
const isOurs = ({ status, availability, inventory }: GatewayTold): boolean =>
  status?.ieeeAddress !== undefined || inventory !== undefined || (availability?.length ?? 0) > 0

/**
 * Follows what Zigbee gateways tell of their devices: one gateway after the other, what comes meanwhile is put together.
 * What cannot be written is tried a few times; zigbee2mqtt tells everything again at its next start or change.
 */
export function followZigbee(deps: Deps): ZigbeeListener {
  const { bus, log } = deps
  const waiting = new Map<string, GatewayNews>()
  let isStopped = false
  let working: Promise<void> | undefined

  async function write(news: GatewayNews): Promise<void> {
    for (let tries = 1; !isStopped; tries += 1) {
      try {
        await takeNews(deps, news)
        return
      } catch (error) {
        const { gatewayId } = news
        log.warn(
          { reason: (error as Error).message, gatewayId, tries },
          'the devices of a Zigbee gateway were not written',
        )
        if (tries >= ZIGBEE_NEWS_TRIES) return
        await setTimeout(ZIGBEE_NEWS_RETRY_MS)
      }
    }
  }

  async function work(): Promise<void> {
    for (;;) {
      const [first] = waiting
      if (!first || isStopped) break
      const [key, news] = first
      waiting.delete(key)
      await write(news)
    }
    working = undefined
  }

  const forget = bus.on('gateway_told', (told) => {
    if (!isOurs(told)) return
    const { tenantId, gatewayId } = told
    const key = `${tenantId}/${gatewayId}`
    const known = waiting.get(key)
    if (!known && waiting.size >= ZIGBEE_NEWS_WAITING_MAX) {
      log.warn(
        { gatewayId },
        'too many Zigbee gateways tell of their devices at once; this one has to tell again',
      )
      return
    }
    const news = known ?? { tenantId, gatewayId, availability: new Map<string, boolean>() }
    addNews(news, told)
    waiting.set(key, news)
    working ??= work()
  })

  return {
    async idle() {
      while (working !== undefined) await working
    },
    async stop() {
      forget()
      isStopped = true
      await working
    },
  }
}
