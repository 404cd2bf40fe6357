import type { ConnectPacket } from 'aedes'
import { type GatewayIdentity, isReserved } from './gateway-root.ts'
import { MQTT_CLIENT_ID_LENGTH_MAX, MQTT_OFFLINE_AFTER_MS, MQTT_SESSIONS_PER_GATEWAY_MAX } from './limits.ts'
import type { LoginOutcome } from './logins.ts'
import type { Session } from './session.ts'

/** The sessions of each gateway, from the moment in which their login is right until their socket is closed. */
export class GatewaySessions {
  private readonly gateways = new Map<string, Set<Session>>()

  add(gatewayId: string, session: Session): void {
    const own = this.gateways.get(gatewayId) ?? new Set<Session>()
    this.gateways.set(gatewayId, own.add(session))
  }

  remove(session: Session): void {
    const { mount } = session
    const own = mount && this.gateways.get(mount.gatewayId)
    if (mount && own?.delete(session) && own.size === 0) this.gateways.delete(mount.gatewayId)
  }

  sessionsOf(gatewayId: string): readonly Session[] {
    return [...(this.gateways.get(gatewayId) ?? [])]
  }

  /** The clients of a gateway besides one, which takes the place of its own session. */
  countOthers(gatewayId: string, clientId: string): number {
    return new Set(
      this.sessionsOf(gatewayId).flatMap((one) => (one.clientId === clientId ? [] : [one.clientId])),
    ).size
  }

  /** Whether a session may begin whose login is right; `clientId` is the one within all gateways. */
  check(mount: GatewayIdentity, clientId: string, { will }: ConnectPacket): LoginOutcome {
    const { gatewayId } = mount
    if (this.countOthers(gatewayId, clientId) >= MQTT_SESSIONS_PER_GATEWAY_MAX) return 'unavailable'
    if (clientId.length > gatewayId.length + 1 + MQTT_CLIENT_ID_LENGTH_MAX) return 'refused'
    if (will && (isReserved(will.topic) || /[#+]/.test(will.topic) || will.topic.length === 0))
      return 'refused'
    return mount
  }

  /** Whether the same client has been let in once more since. */
  isSuperseded(session: Session): boolean {
    const { mount, clientId, number } = session
    if (!mount) return false
    return this.sessionsOf(mount.gatewayId).some((one) => one.clientId === clientId && one.number > number)
  }
}

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
