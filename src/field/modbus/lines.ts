import type { GatewayRef, PollReport } from '../../areas/equipment/gateways/index.ts'
import type { Deps } from '../../platform/deps.ts'
import { Line, type LineOrder } from './line.ts'

export type LinesDeps = Pick<Deps, 'clock' | 'ingest' | 'log' | 'metrics'>

const keyOf = ({ tenantId, gatewayId }: GatewayRef): string => `${tenantId} ${gatewayId}`

/** The lines that this process polls, by gateway. */
export class Lines {
  private readonly deps: LinesDeps
  private readonly lines = new Map<string, Line>()

  constructor(deps: LinesDeps) {
    this.deps = deps
  }

  /** Whether one of these gateways has no line yet. */
  lacks(gateways: readonly GatewayRef[]): boolean {
    return gateways.some((gateway) => !this.lines.has(keyOf(gateway)))
  }

  /** Begins lines, and lets those that are there go on with what has changed. */
  take(orders: readonly LineOrder[]): void {
    for (const order of orders) {
      const line = this.lines.get(keyOf(order))
      if (line) line.update(order)
      else this.lines.set(keyOf(order), this.begin(order))
    }
  }

  private begin(order: LineOrder): Line {
    const { clock, ingest, log, metrics } = this.deps
    return new Line(order, {
      clock,
      log,
      metrics: metrics.modbus,
      submit: (samples) => ingest.submit(order.tenantId, samples),
    })
  }

  /** Ends all lines but those of these gateways, and stores what they have read. */
  async keepOnly(gateways: readonly GatewayRef[]): Promise<void> {
    const kept = new Set(gateways.map(keyOf))
    const over = [...this.lines].filter(([key]) => !kept.has(key))
    for (const [key] of over) this.lines.delete(key)
    await Promise.all(over.map(([, line]) => line.stop()))
  }

  /** How each line goes; counts the devices by state on the way. */
  report(): PollReport[] {
    const states = { good: 0, down: 0, unproven: 0 }
    const reports = [...this.lines.values()].map((line) => {
      for (const { health } of line.slaves) states[health] += 1
      return line.report()
    })
    for (const [state, count] of Object.entries(states))
      this.deps.metrics.modbus.devices.set({ state }, count)
    return reports
  }
}
