import type { GatewayIdentity } from './gateway-root.ts'
import { MQTT_OFFLINE_AFTER_MS } from './limits.ts'
import type { Session } from './session.ts'

export interface Presence {
  enter(mount: GatewayIdentity, session: Session): void
  leave(mount: GatewayIdentity, session: Session): void
  stop(): void
}

/**
 * Which gateways have a session. A gateway counts as gone a moment after its last session: the newest session of a
 * client takes the place of the one before, and in between there is none.
 */
export function makePresence(notify: (mount: GatewayIdentity, isPresent: boolean) => void): Presence {
  const sessions = new Map<string, Set<Session>>()
  const leaving = new Map<string, NodeJS.Timeout>()
  return {
    enter(mount, session) {
      const { gatewayId } = mount
      const own = sessions.get(gatewayId) ?? new Set<Session>()
      sessions.set(gatewayId, own.add(session))
      clearTimeout(leaving.get(gatewayId))
      const wasLeaving = leaving.delete(gatewayId)
      if (own.size === 1 && !wasLeaving) notify(mount, true)
    },
    leave(mount, session) {
      const { gatewayId } = mount
      const own = sessions.get(gatewayId)
      if (!own?.delete(session) || own.size > 0) return
      sessions.delete(gatewayId)
      const timer = setTimeout(() => {
        leaving.delete(gatewayId)
        notify(mount, false)
      }, MQTT_OFFLINE_AFTER_MS)
      leaving.set(gatewayId, timer.unref())
    },
    stop() {
      for (const timer of leaving.values()) clearTimeout(timer)
      leaving.clear()
    },
  }
}
