import type { Message } from '../../kernel/messages.ts'
import { LINE_PROBLEMS } from './messages.ts'
import type { PollGroup, RegisterMap } from './types.ts'

/**
 * Settings of a gateway that override those of every map read through it. An absent one keeps the map's
 * value.
 */
export interface LineSettings {
  readonly baudRate?: number
  readonly keepConnection?: boolean
  readonly interRequestMs?: number
  readonly timeoutMs?: number
  /** Minimum polling period; shorter periods of poll groups are raised to it. */
  readonly shortestPeriodMs?: number
}

/** Returns the map with the settings of a gateway applied. */
export function applyLineSettings(map: RegisterMap, settings: LineSettings): RegisterMap {
  const { shortestPeriodMs = 0, ...bus } = settings
  const pollGroups = new Map<string, PollGroup>()
  for (const [name, group] of map.pollGroups)
    pollGroups.set(name, { ...group, periodMs: Math.max(group.periodMs, shortestPeriodMs) })
  return { ...map, bus: { ...map.bus, ...bus }, pollGroups }
}

const RANGES = {
  baud_rate: { min: 300, max: 1_000_000 },
  inter_request_ms: { min: 0, max: 10_000 },
  timeout_ms: { min: 50, max: 60_000 },
} as const

/**
 * Reads line settings from a gateway's free-form config. An invalid one is ignored and returned as a problem.
 */
export function readLineSettings(config: unknown, pollIntervalS: number | null) {
  const record = typeof config === 'object' && config !== null ? (config as Record<string, unknown>) : {}
  const problems: Message[] = []
  const readInteger = (name: keyof typeof RANGES): number | undefined => {
    const value = record[name]
    if (value === undefined || value === null) return undefined
    const { min, max } = RANGES[name]
    if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value
    problems.push(LINE_PROBLEMS.LINE_SETTING_RANGE({ setting: name, min, max }))
    return undefined
  }
  const keepConnection = record['keep_connection']
  if (keepConnection !== undefined && keepConnection !== null && typeof keepConnection !== 'boolean')
    problems.push(LINE_PROBLEMS.LINE_SETTING_NOT_BOOLEAN({ setting: 'keep_connection' }))
  const [baudRate, interRequestMs, timeoutMs] = [
    readInteger('baud_rate'),
    readInteger('inter_request_ms'),
    readInteger('timeout_ms'),
  ]
  const settings: LineSettings = {
    ...(baudRate !== undefined && { baudRate }),
    ...(interRequestMs !== undefined && { interRequestMs }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(typeof keepConnection === 'boolean' && { keepConnection: keepConnection }),
    ...(pollIntervalS !== null && { shortestPeriodMs: pollIntervalS * 1000 }),
  }
  return { settings, problems }
}
