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

  of(gatewayId: string): readonly Session[] {
    return [...(this.gateways.get(gatewayId) ?? [])]
  }

  /** The clients of a gateway besides one, which takes the place of its own session. */
  countOthers(gatewayId: string, clientId: string): number {
    return new Set(this.of(gatewayId).flatMap((one) => (one.clientId === clientId ? [] : [one.clientId])))
      .size
  }

  /** Whether the same client has been let in once more since. */
  isSuperseded(session: Session): boolean {
    const { mount, clientId, number } = session
    if (!mount) return false
    return this.of(mount.gatewayId).some((one) => one.clientId === clientId && one.number > number)
  }
}
