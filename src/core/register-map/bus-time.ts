import { MODBUS_LATENCY_MS, MODBUS_SLAVE_LATENCY_MS } from './limits.ts'
import type { Block, GroupPlan } from './plan.ts'
import type { BusRules } from './types.ts'

/** What a request costs beside the bytes of its answer. */
export type LineSpeed = Pick<BusRules, 'baudRate' | 'interRequestMs'>

/** Start, eight data, parity or second stop, and stop bit (Modbus over serial line 1.02, 2.5.1). */
const BITS_PER_CHARACTER = 11
/** Unit, function, address, count and checksum. */
const REQUEST_BYTES = 8
/** Unit, function, length and checksum. */
const RESPONSE_BYTES = 5
/** Two silences of three and a half characters keep messages apart; from 19200 baud on they are fixed (2.5.1.1). */
const SILENT_CHARACTERS = 7
const FIXED_SILENCE_BAUD = 19_200
const FIXED_SILENCE_MS = 3.5

function serialLineMs(bytes: number, baudRate: number): number {
  const characterMs = (BITS_PER_CHARACTER * 1000) / baudRate
  const silenceMs = baudRate > FIXED_SILENCE_BAUD ? FIXED_SILENCE_MS : SILENT_CHARACTERS * characterMs
  return bytes * characterMs + silenceMs
}

/**
 * How long a block occupies the line, milliseconds: the network and the device's thinking by a rule of thumb, and
 * behind a gateway the bytes at the speed of its serial line.
 */
export function expectedMs({ function: fn, count }: Block, { baudRate, interRequestMs }: LineSpeed): number {
  if (baudRate === null) return MODBUS_LATENCY_MS + interRequestMs
  const data = fn <= 2 ? Math.ceil(count / 8) : count * 2
  const wireMs = serialLineMs(REQUEST_BYTES + RESPONSE_BYTES + data, baudRate)
  return MODBUS_LATENCY_MS + MODBUS_SLAVE_LATENCY_MS + wireMs + interRequestMs
}

/** A poll group of all devices of one line. */
export interface GroupBudget {
  readonly name: string
  readonly periodMs: number
  readonly neededMs: number
  readonly isPossible: boolean
}

export interface BusBudget {
  readonly groups: readonly GroupBudget[]
  /** The share of the time that all groups together need; beyond 1 they cannot all keep their periods. */
  readonly load: number
  /** One sentence each; empty when every period can be kept. */
  readonly problems: readonly string[]
}

const seconds = (ms: number): string => `${Number((ms / 1000).toPrecision(2))} s`

/** The time that the devices of one line need, poll group by poll group, against the periods they are to keep. */
export function busBudget(
  devices: readonly { readonly groups: readonly GroupPlan[]; readonly line: LineSpeed }[],
): BusBudget {
  const needs = new Map<string, { name: string; periodMs: number; neededMs: number }>()
  for (const { groups, line } of devices) {
    for (const { group, blocks } of groups) {
      const id = JSON.stringify([group.name, group.periodMs])
      const need = needs.get(id) ?? { name: group.name, periodMs: group.periodMs, neededMs: 0 }
      for (const block of blocks) need.neededMs += expectedMs(block, line)
      needs.set(id, need)
    }
  }
  const groups = [...needs.values()]
    .sort((a, b) => a.periodMs - b.periodMs || (a.name < b.name ? -1 : 1))
    .map((need) => ({ ...need, isPossible: need.neededMs <= need.periodMs }))
  const load = groups.reduce((sum, { neededMs, periodMs }) => sum + neededMs / periodMs, 0)
  return { groups, load, problems: problemsOf(groups, load) }
}

function problemsOf(groups: readonly GroupBudget[], load: number): string[] {
  const problems = groups
    .filter(({ isPossible }) => !isPossible)
    .map(
      ({ name, neededMs, periodMs }) =>
        `poll group ${name} needs ${seconds(neededMs)}, period ${seconds(periodMs)}`,
    )
  if (problems.length === 0 && load > 1)
    problems.push(`the poll groups together need ${Math.round(load * 100)} % of the time of the line`)
  return problems
}
