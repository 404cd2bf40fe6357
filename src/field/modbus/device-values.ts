import type { SampleValues } from '../../areas/metering/intake-contract/index.ts'
import { decodeRegisters, makeWordReader, type WordBlock } from '../../core/register-map/decode.ts'
import type { RegisterDef, RegisterMap } from '../../core/register-map/types.ts'
import { MODBUS_DEADBAND_MAX_MS } from './limits.ts'
import type { SlaveConfig } from './slave.ts'

interface LastValue {
  readonly value: number
  readonly at: number
}

/** Decodes the words of one device into sample values, and applies the deadbands of gauges. */
export class DeviceValues {
  private readonly map: RegisterMap
  private readonly byGroup = new Map<string, readonly RegisterDef[]>()
  private readonly deadbands = new Map<string, number>()
  private readonly last = new Map<string, LastValue>()
  private readonly withholdMaxMs: number

  constructor({ map, groups, offlineThresholdS }: Pick<SlaveConfig, 'map' | 'groups' | 'offlineThresholdS'>) {
    this.map = map
    for (const { group } of groups) {
      const registers = map.registers.filter(
        ({ metric, modbusRange, pollGroup }) =>
          metric !== null && modbusRange !== null && pollGroup === group.name,
      )
      this.byGroup.set(group.name, registers)
    }
    for (const { metric, kind, deadband } of map.registers)
      if (metric !== null && kind === 'gauge' && deadband > 0) this.deadbands.set(metric, deadband)
    this.withholdMaxMs = Math.min(MODBUS_DEADBAND_MAX_MS, (offlineThresholdS * 1000) / 3)
  }

  /**
   * The values of a poll group; unavailable values are left out. A gauge that moved by less than its
   * deadband is left out too, but not for so long that the device would seem silent. States are stored when
   * they are numbers or flags.
   */
  decode(group: string, words: readonly WordBlock[], at: number): SampleValues {
    const { values, states } = decodeRegisters(this.map, makeWordReader(words), this.byGroup.get(group) ?? [])
    const stored: Record<string, number> = this.deadbands.size === 0 ? values : {}
    if (stored !== values)
      for (const [metric, value] of Object.entries(values))
        if (this.isChanged(metric, value, at)) stored[metric] = value
    for (const [metric, state] of Object.entries(states)) {
      if (typeof state !== 'string') stored[metric] = Number(state)
    }
    return stored
  }

  private isChanged(metric: string, value: number, at: number): boolean {
    const deadband = this.deadbands.get(metric)
    if (deadband === undefined) return true
    const last = this.last.get(metric)
    const isNear = last && Math.abs(value - last.value) < deadband
    if (isNear && at >= last.at && at - last.at < this.withholdMaxMs) return false
    this.last.set(metric, { value, at })
    return true
  }
}
