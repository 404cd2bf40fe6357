import { isRecord } from '../../kernel/checked.ts'
import type { Message } from '../../kernel/messages.ts'
import {
  BUS_FIELDS,
  GROUP_FIELDS,
  MAP_FIELDS,
  REGISTER_FIELDS,
  SOURCE_FIELDS,
  TEST_FIELDS,
} from './document-fields.ts'
import { type Fault, type Path, readFields } from './fields.ts'
import { REGISTER_MAP_GROUPS_MAX, REGISTER_MAP_REGISTERS_MAX, REGISTER_MAP_TESTS_MAX } from './limits.ts'
import { VALUE_FAULTS } from './messages.ts'
import type { Endianness, RegisterKind, RegisterType, ResetPolicy, Transport } from './types.ts'

/** The document of a template in its full form: every attribute is present, absent ones are null. */
export interface MapDocument {
  readonly format: string
  readonly vendor: string | null
  readonly model: string | null
  readonly version: string | null
  readonly notes: string | null
  readonly source: SourceDocument | null
  readonly transports: readonly Transport[]
  readonly defaults: BusDocument
  readonly poll_groups: Readonly<Record<string, { readonly period_ms: number }>>
  readonly registers: readonly RegisterDocument[]
  readonly tests: readonly TestDocument[]
}

/** The source of the addresses, for later verification. */
export interface SourceDocument {
  readonly title: string
  readonly version: string | null
  readonly url: string | null
  readonly checked_against: string | null
}

export interface BusDocument {
  readonly unit_id: number
  readonly word_order: Endianness
  readonly byte_order: Endianness
  readonly max_block: number
  readonly max_gap: number
  readonly timeout_ms: number
  readonly retries: number
  readonly inter_request_ms: number
  readonly connect_delay_ms: number
  readonly keep_connection: boolean
  readonly baud_rate: number | null
}

export interface RegisterDocument {
  readonly key: string
  readonly label: string | null
  readonly metric: string | null
  readonly phase: string | null
  readonly direction: string | null
  readonly quadrant: number | null
  readonly address: number | null
  readonly function: number | null
  readonly type: RegisterType
  readonly count: number | null
  readonly byte_order: Endianness | null
  readonly word_order: Endianness | null
  readonly scale: number
  readonly offset: number
  readonly scale_factor_ref: string | null
  readonly unit: string | null
  readonly kind: RegisterKind
  readonly counter_max: number | null
  readonly reset_policy: ResetPolicy
  readonly na_values: readonly (string | number)[]
  readonly min: number | null
  readonly max: number | null
  readonly bit: number | null
  readonly mask: string | null
  readonly enum: Readonly<Record<string, string>> | null
  readonly poll_group: string
  readonly access: 'r' | 'w' | 'rw'
  readonly deadband: number
  readonly precision: number | null
  readonly mqtt_path: string | null
}

/** A golden frame: bytes or a message of a device, and the values that they mean. */
export interface TestDocument {
  readonly name: string | null
  /** Hex of responses or of bare registers; several frames are separated by blanks. */
  readonly frame: string | null
  /** The registers in each frame: `72+2`, or `3:72+2` with the function. */
  readonly registers: string | null
  readonly topic: string | null
  readonly message: unknown
  readonly expect: Readonly<Record<string, string | number | boolean | null>>
}

interface Context {
  readonly path: Path
  readonly faults: Fault[]
}

const fault = ({ path, faults }: Context, content: Message, type = 'value_error') =>
  faults.push({ path, content, type })

function readList<T>(
  value: unknown,
  max: number,
  { path, faults }: Context,
  read: (item: unknown, context: Context) => T,
) {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) {
    fault({ path, faults }, VALUE_FAULTS.MAP_NOT_ARRAY(), 'type')
    return []
  }
  if (value.length > max) {
    fault({ path, faults }, VALUE_FAULTS.MAP_TOO_MANY_ITEMS({ max }), 'maxItems')
    return []
  }
  return value.map((item, index) => read(item, { path: [...path, index], faults }))
}

const DEFAULT_GROUPS = { normal: { period_ms: 10_000 } }
const GROUP_NAME = /^[A-Za-z]\w{0,31}$/

function readGroups(value: unknown, context: Context): MapDocument['poll_groups'] {
  if (value === undefined || value === null) return DEFAULT_GROUPS
  if (!isRecord(value)) {
    fault(context, VALUE_FAULTS.MAP_NOT_OBJECT(), 'type')
    return DEFAULT_GROUPS
  }
  const entries = Object.entries(value)
  if (entries.length === 0) fault(context, VALUE_FAULTS.MAP_NO_GROUP(), 'minProperties')
  if (entries.length > REGISTER_MAP_GROUPS_MAX) {
    fault(context, VALUE_FAULTS.MAP_TOO_MANY_GROUPS({ max: REGISTER_MAP_GROUPS_MAX }), 'maxProperties')
    return DEFAULT_GROUPS
  }
  for (const [name] of entries)
    if (!GROUP_NAME.test(name))
      fault({ ...context, path: [...context.path, name] }, VALUE_FAULTS.MAP_GROUP_NAME(), 'propertyNames')
  return Object.fromEntries(
    entries.map(([name, group]) => [
      name,
      readFields(group, GROUP_FIELDS, { ...context, path: [...context.path, name] }) as unknown as {
        period_ms: number
      },
    ]),
  )
}

/** Reads golden frames; `fields` are `FRAME_FIELDS` where expected values may be absent. */
export const readTests = (value: unknown, faults: Fault[], fields = TEST_FIELDS): readonly TestDocument[] =>
  readList(value, REGISTER_MAP_TESTS_MAX, { path: ['tests'], faults }, (item, at) =>
    readFields(item, fields, at),
  ) as unknown as readonly TestDocument[]

const SECTIONS = ['source', 'defaults', 'poll_groups', 'registers', 'tests']

/**
 * Reads a document, with aliases and omitted attributes, into its full form. The result is valid only when
 * `faults` stays empty. Rules across attributes are checked separately (register-rules, map-rules).
 */
export function readDocument(input: unknown, faults: Fault[]): MapDocument {
  if (!isRecord(input)) {
    fault({ path: [], faults }, VALUE_FAULTS.MAP_NOT_OBJECT(), 'type')
    return readDocument({}, [])
  }
  const inSection = (name: string): Context => ({ path: [name], faults })
  const head = Object.fromEntries(Object.entries(input).filter(([name]) => !SECTIONS.includes(name)))
  const { source, defaults, poll_groups, registers, tests } = input
  return {
    ...readFields(head, MAP_FIELDS, { path: [], faults }),
    source: isAbsent(source) ? null : readFields(source, SOURCE_FIELDS, inSection('source')),
    defaults: readFields(isAbsent(defaults) ? {} : defaults, BUS_FIELDS, inSection('defaults')),
    poll_groups: readGroups(poll_groups, inSection('poll_groups')),
    registers: readList(registers, REGISTER_MAP_REGISTERS_MAX, inSection('registers'), (item, context) =>
      readFields(item, REGISTER_FIELDS, context),
    ),
    tests: readTests(tests, faults),
  } as unknown as MapDocument
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null
