import { fieldGuard, type GatewayRef, type PollReport } from '../../areas/equipment/gateways/index.ts'
import type { ConnectGuard } from '../../platform/net/connect-guard.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { Line, type LineConfig } from './line.ts'

export type LineRegistryDeps = Pick<Deps, 'clock' | 'config' | 'ingest' | 'log' | 'metrics' | 'ownEndpoints'>

const keyOf = ({ tenantId, gatewayId }: GatewayRef): string => `${tenantId} ${gatewayId}`

/** The lines that this process polls, by gateway: starts, updates and stops them. */
export class LineRegistry {
  private readonly deps: LineRegistryDeps
  private readonly guard: ConnectGuard
  private readonly lines = new Map<string, Line>()

  constructor(deps: LineRegistryDeps) {
    this.deps = deps
    this.guard = fieldGuard(deps)
  }

  /** True when one of these gateways has no line yet. */
  hasMissing(gateways: readonly GatewayRef[]): boolean {
    return gateways.some((gateway) => !this.lines.has(keyOf(gateway)))
  }

  /** Starts missing lines and updates existing ones. */
  apply(configs: readonly LineConfig[]): void {
    for (const config of configs) {
      const line = this.lines.get(keyOf(config))
      if (line) line.update(config)
      else this.lines.set(keyOf(config), this.startLine(config))
    }
  }

  private startLine(config: LineConfig): Line {
    const { clock, ingest, log, metrics } = this.deps
    return new Line(config, {
      clock,
      log,
      metrics: metrics.modbus,
      guard: this.guard,
      submit: (samples) => ingest.offer(config.tenantId, samples),
    })
  }

  /** Stops all lines except those of these gateways, and stores what they have read. */
  async retainOnly(gateways: readonly GatewayRef[]): Promise<void> {
    const retained = new Set(gateways.map(keyOf))
    const stopped = [...this.lines].filter(([key]) => !retained.has(key))
    for (const [key] of stopped) this.lines.delete(key)
    await Promise.all(stopped.map(([, line]) => line.stop()))
  }

  /** Reports of all lines; also sets the gauge of devices by state. */
  report(): PollReport[] {
    const states = { good: 0, refused: 0, down: 0, unproven: 0 }
    const reports = [...this.lines.values()].map((line) => {
      for (const { state } of line.slaves) states[line.isProven ? state : 'unproven'] += 1
      return line.report()
    })
    for (const [state, count] of Object.entries(states))
      this.deps.metrics.modbus.devices.set({ state }, count)
    return reports
  }
}
