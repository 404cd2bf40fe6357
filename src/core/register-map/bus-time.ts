import type { Message } from '../../kernel/messages.ts'
import { MODBUS_LATENCY_MS, MODBUS_SLAVE_LATENCY_MS } from './limits.ts'
import { LINE_PROBLEMS } from './messages.ts'
import { type Block, type GroupPlan, splitFully } from './plan.ts'
import type { BusRules, RegisterMap } from './types.ts'

/** The line settings that determine the duration of a request, besides the bytes of its response. */
export type LineSpeed = Pick<BusRules, 'baudRate' | 'interRequestMs'>

/** Start bit, eight data bits, parity or second stop bit, stop bit (Modbus over serial line 1.02, 2.5.1). */
const BITS_PER_CHARACTER = 11
/** Unit, function, address, count and checksum. */
const REQUEST_BYTES = 8
/** Unit, function, length and checksum. */
const RESPONSE_BYTES = 5
/**
 * Frames are separated by two silences of 3.5 characters each; above 19200 baud the silence is fixed
 * (2.5.1.1).
 */
const SILENT_CHARACTERS = 7
const FIXED_SILENCE_BAUD = 19_200
const FIXED_SILENCE_MS = 3.5

function serialLineMs(bytes: number, baudRate: number): number {
  const characterMs = (BITS_PER_CHARACTER * 1000) / baudRate
  const silenceMs = baudRate > FIXED_SILENCE_BAUD ? FIXED_SILENCE_MS : SILENT_CHARACTERS * characterMs
  return bytes * characterMs + silenceMs
}

/**
 * Expected time of a block on the line, ms: network and device latency by a rule of thumb, plus the
 * transmission time of the bytes when a serial line lies behind the gateway.
 */
export function expectedMs({ function: fn, count }: Block, { baudRate, interRequestMs }: LineSpeed): number {
  if (baudRate === null) return MODBUS_LATENCY_MS + interRequestMs
  const data = fn <= 2 ? Math.ceil(count / 8) : count * 2
  const wireMs = serialLineMs(REQUEST_BYTES + RESPONSE_BYTES + data, baudRate)
  return MODBUS_LATENCY_MS + MODBUS_SLAVE_LATENCY_MS + wireMs + interRequestMs
}

export interface WorstCase {
  readonly requests: number
  readonly ms: number
}

/**
 * The requests and the time of a block when the device refuses every request of several registers: the poller
 * splits each of them until the registers stand alone. An exception has no data.
 */
export function worstCase(map: RegisterMap, block: Block): WorstCase {
  const { refused, parts } = splitFully(map, block)
  const refusedMs = refused * expectedMs({ ...block, count: 0 }, map.bus)
  const ms = parts.reduce((sum, part) => sum + expectedMs(part, map.bus), refusedMs)
  return { requests: refused + parts.length, ms }
}

/** The time of one poll group, summed over all devices of a line. */
export interface GroupBudget {
  readonly name: string
  readonly periodMs: number
  readonly neededMs: number
  /** Time of the round after a start in which the devices refuse every request of several registers. */
  readonly worstCaseMs: number
  readonly isPossible: boolean
}

export interface BusBudget {
  readonly groups: readonly GroupBudget[]
  /** Share of the line's time that all groups need together; above 1 they cannot all keep their periods. */
  readonly load: number
  /** Empty when every period can be kept. */
  readonly problems: readonly Message[]
}

/** Seconds with two significant digits, as text. */
const seconds = (ms: number): string => String(Number((ms / 1000).toPrecision(2)))

/** Compares the time that the devices of one line need, per poll group, with the periods of the groups. */
export function busBudget(
  devices: readonly { readonly map: RegisterMap; readonly groups: readonly GroupPlan[] }[],
): BusBudget {
  const needs = new Map<string, Omit<GroupBudget, 'isPossible'>>()
  for (const { groups, map } of devices) {
    for (const { group, blocks } of groups) {
      const { name, periodMs } = group
      const id = JSON.stringify([name, periodMs])
      let { neededMs, worstCaseMs } = needs.get(id) ?? { neededMs: 0, worstCaseMs: 0 }
      for (const block of blocks) {
        neededMs += expectedMs(block, map.bus)
        worstCaseMs += worstCase(map, block).ms
      }
      needs.set(id, { name, periodMs, neededMs, worstCaseMs })
    }
  }
  const groups = [...needs.values()]
    .sort((a, b) => a.periodMs - b.periodMs || (a.name < b.name ? -1 : 1))
    .map((need) => ({ ...need, isPossible: need.neededMs <= need.periodMs }))
  const load = groups.reduce((sum, { neededMs, periodMs }) => sum + neededMs / periodMs, 0)
  return { groups, load, problems: problemsOf(groups, load) }
}

function problemsOf(groups: readonly GroupBudget[], load: number): Message[] {
  const problems = groups
    .filter(({ isPossible }) => !isPossible)
    .map(({ name, neededMs, periodMs }) =>
      LINE_PROBLEMS.LINE_GROUP_TOO_SLOW({
        group: name,
        needed_s: seconds(neededMs),
        period_s: seconds(periodMs),
      }),
    )
  if (problems.length === 0 && load > 1)
    problems.push(LINE_PROBLEMS.LINE_OVERLOADED({ load_pct: Math.round(load * 100) }))
  return problems
}
