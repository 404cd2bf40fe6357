import { isRecord } from '../../kernel/checked.ts'
import type { Fault } from './fields.ts'
import { IMPORT_FAULTS, MAP_NOTES } from './file-messages.ts'
import { type Imported, type ImportNote, makeUnique, toKey } from './import-names.ts'
import { FORMAT } from './types.ts'
import { canonicalUnit } from './units.ts'

type Json = Readonly<Record<string, unknown>>
const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isRecord) : [])
const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

const phase = (stem: string, metric: string) => ({
  [`${stem}_phase_a`]: `${metric}_l1`,
  [`${stem}_phase_b`]: `${metric}_l2`,
  [`${stem}_phase_c`]: `${metric}_l3`,
})

/** Our metric for each property name of zigbee2mqtt. */
const METRICS: Readonly<Record<string, string>> = {
  power: 'active_power',
  voltage: 'voltage',
  current: 'current',
  energy: 'import_active_energy',
  produced_energy: 'export_active_energy',
  power_factor: 'power_factor',
  power_reactive: 'reactive_power',
  power_apparent: 'apparent_power',
  ac_frequency: 'frequency',
  temperature: 'temperature',
  ...phase('power', 'active_power'),
  ...phase('voltage', 'voltage'),
  ...phase('current', 'current'),
}
const COUNTERS: ReadonlySet<string> = new Set(['import_active_energy', 'export_active_energy'])
/** Totals of a day or month restart each period; they are no cumulative counters and are omitted. */
const PERIODIC = /(today|yesterday|daily|month|year)/i
const EXPOSES_MAX = 300

/**
 * Converts the exposes of a device (`definition` in bridge/devices, or its `exposes` alone) to a register map
 * document whose values are found by `mqtt_path`.
 */
export function importZigbee(input: unknown, faults: Fault[]): Imported {
  const whole = isRecord(input) && isRecord(input['definition']) ? input['definition'] : input
  const definition = isRecord(whole) ? whole : {}
  const exposes = Array.isArray(whole) ? whole : definition['exposes']
  if (!Array.isArray(exposes) || exposes.length > EXPOSES_MAX) {
    faults.push({
      path: ['exposes'],
      content: IMPORT_FAULTS.MAP_EXPOSES_FORM({ max: EXPOSES_MAX }),
      type: 'value_error',
    })
  }
  const notes: ImportNote[] = []
  const unique = makeUnique()
  const registers = flatten(listOf(exposes)).flatMap((exposed) => {
    const register = registerOf(exposed, notes)
    return register ? [{ ...register, key: unique(register.key) }] : []
  })
  return {
    document: {
      format: FORMAT,
      vendor: textOf(definition['vendor'])?.slice(0, 100) ?? null,
      model: textOf(definition['model'])?.slice(0, 100) ?? null,
      notes: textOf(definition['description'])?.slice(0, 1_000) ?? null,
      transports: ['mqtt', 'zigbee'],
      registers: withoutRepeats(registers),
    },
    notes,
  }
}

/** Switches, lights and similar entries list their values as features. */
const flatten = (exposes: readonly Json[]): Json[] =>
  exposes.flatMap((exposed) =>
    Array.isArray(exposed['features']) && exposed['type'] !== 'composite'
      ? listOf(exposed['features'])
      : [exposed],
  )

/** Bit 0 of `access` in zigbee2mqtt: the value is part of the published state. */
const isPublished = ({ access }: Json): boolean => typeof access !== 'number' || (access & 1) === 1

function registerOf(exposed: Json, notes: ImportNote[]) {
  const property = textOf(exposed['property'])
  if (!property || !isPublished(exposed)) return undefined
  const key = toKey(property)
  const mqtt_path = /^[A-Za-z_][\w-]*$/.test(property)
    ? `$.${property}`
    : `$['${property.replaceAll("'", '')}']`
  const base = { key, mqtt_path, metric: Object.hasOwn(METRICS, property) ? (METRICS[property] ?? key) : key }
  switch (exposed['type']) {
    case 'numeric':
      return numericOf(base, exposed, notes)
    case 'binary':
      return { ...base, type: 'bool', kind: 'state' }
    case 'enum':
    case 'text':
      return { ...base, type: 'string', kind: 'state' }
    default:
      notes.push({ key, note: MAP_NOTES.MAP_NOTE_TYPE_LEFT_OUT({ property, type: String(exposed['type']) }) })
      return undefined
  }
}

function numericOf(
  base: { readonly key: string; readonly metric: string; readonly mqtt_path: string },
  exposed: Json,
  notes: ImportNote[],
) {
  const unit = textOf(exposed['unit'])?.slice(0, 20) ?? null
  const isEnergy = unit !== null && canonicalUnit(null, unit)?.unit === 'kWh'
  if (isEnergy && PERIODIC.test(base.key)) {
    notes.push({ key: base.key, note: MAP_NOTES.MAP_NOTE_PERIODIC() })
    return undefined
  }
  const isFitting = unit !== null && canonicalUnit(base.metric, unit) !== undefined
  if (unit !== null && !isFitting)
    notes.push({ key: base.key, note: MAP_NOTES.MAP_NOTE_UNIT_TAKEN({ unit, metric: base.metric }) })
  return {
    ...base,
    type: 'f64',
    unit: isFitting ? unit : null,
    kind: COUNTERS.has(base.metric) || isEnergy ? 'cumulative_counter' : 'gauge',
  }
}

/** Several endpoints may have the same property; the first one counts. */
function withoutRepeats<T extends { readonly metric: string }>(registers: readonly T[]): T[] {
  const seen = new Set<string>()
  return registers.filter(({ metric }) => !seen.has(metric) && seen.add(metric))
}
