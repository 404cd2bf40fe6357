import type { Message } from '../../kernel/messages.ts'
import type { MapDocument, RegisterDocument } from './document.ts'
import type { Fault } from './fields.ts'
import { MAP_FAULTS, REGISTER_FAULTS } from './messages.ts'
import { checkRegister, countOf } from './register-rules.ts'

/** A register and its index in the list. */
interface Entry {
  readonly register: RegisterDocument
  readonly index: number
}

const faultAt = (index: number, attribute: keyof RegisterDocument, content: Message): Fault => ({
  path: ['registers', index, attribute],
  content,
  type: 'value_error',
})

/**
 * Checks each register by itself. Registers with an index in `except` are skipped because they could not be
 * read.
 */
export const checkRegisters = ({ registers }: MapDocument, except: ReadonlySet<unknown>): Fault[] =>
  registers.flatMap((register, index) =>
    except.has(index)
      ? []
      : checkRegister(register).map(([attribute, content]) => faultAt(index, attribute, content)),
  )

/** Checks the rules across registers. The single attributes must be valid already. */
export function checkMap(document: MapDocument): Fault[] {
  const entries = document.registers.map((register, index) => ({ register, index }))
  return [
    ...checkKeys(entries),
    ...checkMetrics(entries),
    ...checkScaleFactors(entries),
    ...checkGroups(document, entries),
    ...checkOverlaps(entries),
    ...checkTransports(document),
  ]
}

/** Entries whose name an earlier entry has already. */
function findDuplicates(
  entries: readonly Entry[],
  nameOf: (register: RegisterDocument) => string | null,
): Entry[] {
  const seen = new Set<string>()
  return entries.filter(({ register }) => {
    const name = nameOf(register)
    if (name === null) return false
    const isSeen = seen.has(name)
    seen.add(name)
    return isSeen
  })
}

const checkKeys = (entries: readonly Entry[]): Fault[] =>
  findDuplicates(entries, ({ key }) => key).map(({ register, index }) =>
    faultAt(index, 'key', MAP_FAULTS.MAP_KEY_TWICE({ key: register.key })),
  )

/** A metric may have one source over Modbus and one over MQTT, but not two of the same kind. */
function checkMetrics(entries: readonly Entry[]): Fault[] {
  const sources = [
    entries.filter(({ register }) => register.address !== null && register.access !== 'w'),
    entries.filter(({ register }) => register.mqtt_path !== null),
  ]
  const twice = new Set(sources.flatMap((list) => findDuplicates(list, ({ metric }) => metric)))
  return [...twice].map(({ register, index }) =>
    faultAt(index, 'metric', MAP_FAULTS.MAP_METRIC_TWICE({ metric: register.metric })),
  )
}

const INTEGER_TYPES = ['i16', 'u16', 'i8', 'u8']

function checkScaleFactors(entries: readonly Entry[]): Fault[] {
  const byKey = new Map(entries.map(({ register }) => [register.key, register]))
  return entries.flatMap(({ register, index }) => {
    const ref = register.scale_factor_ref
    if (ref === null) return []
    const fault = (content: Message) => [faultAt(index, 'scale_factor_ref', content)]
    const target = byKey.get(ref)
    if (!target) return fault(MAP_FAULTS.MAP_REGISTER_UNKNOWN({ ref }))
    if (register.address === null) return fault(REGISTER_FAULTS.MAP_NEEDS_ADDRESS())
    if (target.address === null || target.access === 'w')
      return fault(MAP_FAULTS.MAP_FACTOR_UNREADABLE({ ref }))
    if (!INTEGER_TYPES.includes(target.type) || target.scale !== 1 || target.offset !== 0)
      return fault(MAP_FAULTS.MAP_FACTOR_TYPE({ ref }))
    return target.scale_factor_ref === null ? [] : fault(MAP_FAULTS.MAP_FACTOR_SCALED({ ref }))
  })
}

function checkGroups({ poll_groups, defaults }: MapDocument, entries: readonly Entry[]): Fault[] {
  return entries.flatMap(({ register, index }) => {
    const { poll_group: group, address } = register
    const faults: Fault[] = []
    if (!Object.hasOwn(poll_groups, group))
      faults.push(faultAt(index, 'poll_group', MAP_FAULTS.MAP_GROUP_UNKNOWN({ group })))
    if (address !== null && countOf(register) > defaults.max_block)
      faults.push(
        faultAt(index, 'count', MAP_FAULTS.MAP_COUNT_ABOVE_BLOCK({ max_block: defaults.max_block })),
      )
    return faults
  })
}

/**
 * Two registers may have the same range (bits of one word, a value and its sign) but must not overlap partly.
 */
function checkOverlaps(entries: readonly Entry[]): Fault[] {
  const ranges = entries
    .flatMap((entry) => {
      const { address: from, access } = entry.register
      return from === null || access === 'w' ? [] : [{ ...entry, from, to: from + countOf(entry.register) }]
    })
    .sort((a, b) => (a.register.function ?? 0) - (b.register.function ?? 0) || a.from - b.from || a.to - b.to)
  const faults: Fault[] = []
  let furthest = ranges[0]
  for (const entry of ranges.slice(1)) {
    if (furthest && furthest.register.function === entry.register.function && entry.from < furthest.to) {
      if (entry.from !== furthest.from || entry.to !== furthest.to)
        faults.push(faultAt(entry.index, 'address', MAP_FAULTS.MAP_OVERLAP({ key: furthest.register.key })))
      if (entry.to <= furthest.to) continue
    }
    furthest = entry
  }
  return faults
}

/** Each transport of a template needs at least one register that can be read over it. */
function checkTransports({ transports, registers }: MapDocument): Fault[] {
  const faults: Fault[] = []
  const require = (isUsed: boolean, isServed: boolean, content: Message) => {
    if (isUsed && !isServed) faults.push({ path: ['transports'], content, type: 'value_error' })
  }
  const overMqtt = transports.some((transport) => transport === 'mqtt' || transport === 'zigbee')
  const overModbus = transports.some((transport) => transport.startsWith('modbus'))
  const readable = registers.filter(({ access, metric }) => access !== 'w' && metric !== null)
  require(overModbus, readable.some(({ address }) => address !== null), MAP_FAULTS.MAP_MODBUS_EMPTY())
  require(overMqtt, readable.some(({ mqtt_path }) => mqtt_path !== null), MAP_FAULTS.MAP_MQTT_EMPTY())
  return faults
}
