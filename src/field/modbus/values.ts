import { decodeRegisters, makeWordReader, type WordBlock } from '../../core/register-map/decode.ts'
import type { RegisterDef, RegisterMap } from '../../core/register-map/types.ts'
import type { SampleValues } from '../../platform/ingest.ts'
import { MODBUS_DEADBAND_MAX_MS } from './limits.ts'
import type { SlaveOrder } from './slave.ts'

interface Kept {
  readonly value: number
  readonly at: number
}

/** Words of one device to the values of its samples; remembers what was handed on last, for the deadbands. */
export class Values {
  private readonly map: RegisterMap
  private readonly byGroup = new Map<string, readonly RegisterDef[]>()
  private readonly deadbands = new Map<string, number>()
  private readonly last = new Map<string, Kept>()
  private readonly silenceMaxMs: number

  constructor({ map, groups, offlineThresholdS }: Pick<SlaveOrder, 'map' | 'groups' | 'offlineThresholdS'>) {
    this.map = map
    for (const { group } of groups) {
      const registers = map.registers.filter(
        ({ metric, modbusRange: place, pollGroup }) =>
          metric !== null && place !== null && pollGroup === group.name,
      )
      this.byGroup.set(group.name, registers)
    }
    for (const { metric, kind, deadband } of map.registers)
      if (metric !== null && kind === 'gauge' && deadband > 0) this.deadbands.set(metric, deadband)
    this.silenceMaxMs = Math.min(MODBUS_DEADBAND_MAX_MS, (offlineThresholdS * 1000) / 3)
  }

  /**
   * What a poll group's words say, without what is not available. A gauge that has moved by less than its deadband is
   * left out, but not for so long that the device seems silent. States are kept when they are numbers or flags.
   */
  read(group: string, words: readonly WordBlock[], at: number): SampleValues {
    const { values, states } = decodeRegisters(this.map, makeWordReader(words), this.byGroup.get(group) ?? [])
    const kept: Record<string, number> = {}
    for (const [metric, value] of Object.entries(values)) {
      if (this.isNews(metric, value, at)) kept[metric] = value
    }
    for (const [metric, state] of Object.entries(states)) {
      if (typeof state !== 'string') kept[metric] = Number(state)
    }
    return kept
  }

  private isNews(metric: string, value: number, at: number): boolean {
    const deadband = this.deadbands.get(metric)
    if (deadband === undefined) return true
    const last = this.last.get(metric)
    const isNear = last && Math.abs(value - last.value) < deadband
    if (isNear && at >= last.at && at - last.at < this.silenceMaxMs) return false
    this.last.set(metric, { value, at })
    return true
  }
}
