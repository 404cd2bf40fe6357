import { setTimeout as sleep } from 'node:timers/promises'
import { hasLogin, readAnnouncedDevices } from '../../../areas/equipment/gateway-link/index.ts'
import { tenantDb } from '../../../platform/db/tenant.ts'
import type { EmbeddedBroker } from '../../../platform/mqtt/broker-hooks.ts'
import { type GatewayIdentity, rootOf } from '../../../platform/mqtt/gateway-root.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import {
  HOME_ASSISTANT_DEVICES_MAX,
  HOME_ASSISTANT_REFRESH_MS,
  HOME_ASSISTANT_SAMPLE_AGE_MAX_MS,
  HOME_ASSISTANT_SAMPLES_READ,
  HOME_ASSISTANT_WITHDRAWAL_MS,
} from '../limits.ts'
import { announcementsOf } from './entities.ts'

/** A connected Home Assistant with what is retained for it. */
interface Link {
  readonly identity: GatewayIdentity
  readonly retained: Map<string, string>
}

export interface HomeAssistants {
  /** The first session of a Home Assistant has begun, or its last one has ended. */
  present(identity: GatewayIdentity, isPresent: boolean): void
  /** Whether the gateway is a connected Home Assistant. */
  has(gatewayId: string): boolean
  /** Withdraws the sensors if the login was removed. */
  withdraw(gatewayId: string): Promise<void>
}

type AnnouncerDeps = Pick<Deps, 'database' | 'clock' | 'log'>

/**
 * Announces the devices of a tenant to its connected Home Assistants. Values are read from the database at an
 * interval, which bounds the number of messages and finds new, renamed and deleted devices too. Messages are
 * retained in memory only: a Home Assistant that connects gets them published again.
 */
export function announceToHomeAssistants(
  { database, clock, log }: AnnouncerDeps,
  broker: EmbeddedBroker,
): HomeAssistants {
  const links = new Map<string, Link>()

  async function publish({ identity, retained }: Link, topic: string, payload: string): Promise<void> {
    if (payload === '') retained.delete(topic)
    else retained.set(topic, payload)
    await broker.publish(rootOf(identity) + topic, payload, { retain: 'in_memory' })
  }

  async function clear(link: Link): Promise<void> {
    for (const topic of [...link.retained.keys()]) await publish(link, topic, '')
  }

  async function refresh(link: Link): Promise<void> {
    const now = clock.now()
    const devices = await readAnnouncedDevices(tenantDb(database.kysely, link.identity.tenantId), {
      devices: HOME_ASSISTANT_DEVICES_MAX,
      samples: HOME_ASSISTANT_SAMPLES_READ,
      from: new Date(now - HOME_ASSISTANT_SAMPLE_AGE_MAX_MS),
      now: new Date(now),
    })
    // The connection may have ended during the query.
    if (links.get(link.identity.gatewayId) !== link) return
    const wanted = announcementsOf(devices)
    for (const topic of [...link.retained.keys()]) if (!wanted.has(topic)) await publish(link, topic, '')
    for (const [topic, payload] of wanted)
      if (link.retained.get(topic) !== payload) await publish(link, topic, payload)
  }

  const report = (error: Error): void =>
    log.warn({ reason: error.message }, 'values were not announced to Home Assistant')

  let isRefreshing = false
  async function refreshAll(): Promise<void> {
    if (isRefreshing || !broker.isListening()) return
    isRefreshing = true
    for (const link of [...links.values()]) await refresh(link).catch(report)
    isRefreshing = false
  }
  setInterval(() => void refreshAll(), HOME_ASSISTANT_REFRESH_MS).unref()

  return {
    present(identity, isPresent) {
      const known = links.get(identity.gatewayId)
      if (isPresent && !known) {
        const link = { identity, retained: new Map<string, string>() }
        links.set(identity.gatewayId, link)
        refresh(link).catch(report)
      } else if (!isPresent && known) {
        links.delete(identity.gatewayId)
        clear(known).catch(report)
      }
    },
    has: (gatewayId) => links.has(gatewayId),
    async withdraw(gatewayId) {
      const link = links.get(gatewayId)
      if (!link || (await hasLogin(tenantDb(database.kysely, link.identity.tenantId), gatewayId))) return
      links.delete(gatewayId)
      await clear(link)
      // The broker delivers messages asynchronously; the session ends after this function.
      await sleep(HOME_ASSISTANT_WITHDRAWAL_MS)
    },
  }
}
