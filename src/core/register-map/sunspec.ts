import { isRecord } from '../../kernel/checked.ts'
import type { Fault } from './fields.ts'
import { IMPORT_FAULTS, MAP_NOTES } from './file-messages.ts'
import { type Imported, type ImportNote, makeUnique, toKey } from './import-names.ts'
import { metricOfPoint } from './sunspec-metrics.ts'
import { FORMAT } from './types.ts'
import { canonicalUnit } from './units.ts'

/** A SunSpec data type: our type, and the raw values that mean "not implemented". */
interface PointType {
  readonly type: string
  readonly absent: readonly string[]
  readonly kind?: 'cumulative_counter' | 'state'
  readonly counterBits?: number
}

const TYPES: ReadonlyMap<string, PointType> = new Map<string, PointType>(
  Object.entries({
    int16: { type: 'i16', absent: ['0x8000'] },
    uint16: { type: 'u16', absent: ['0xffff'] },
    count: { type: 'u16', absent: ['0xffff'] },
    int32: { type: 'i32', absent: ['0x80000000'] },
    uint32: { type: 'u32', absent: ['0xffffffff'] },
    int64: { type: 'i64', absent: ['0x8000000000000000'] },
    uint64: { type: 'u64', absent: ['0xffffffffffffffff'] },
    float32: { type: 'f32', absent: ['nan'] },
    float64: { type: 'f64', absent: ['nan'] },
    acc16: { type: 'u16', absent: ['0x0000'], kind: 'cumulative_counter', counterBits: 16 },
    acc32: { type: 'u32', absent: ['0x00000000'], kind: 'cumulative_counter', counterBits: 32 },
    acc64: { type: 'u64', absent: ['0x0000000000000000'], kind: 'cumulative_counter' },
    sunssf: { type: 'i16', absent: ['0x8000'] },
    enum16: { type: 'enum', absent: ['0xffff'], kind: 'state' },
    enum32: { type: 'enum', absent: ['0xffffffff'], kind: 'state' },
    bitfield16: { type: 'bitfield', absent: ['0xffff'], kind: 'state' },
    bitfield32: { type: 'bitfield', absent: ['0xffffffff'], kind: 'state' },
    string: { type: 'string', absent: [], kind: 'state' },
  }),
)

type Json = Readonly<Record<string, unknown>>
const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isRecord) : [])
const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

const POINTS_MAX = 2_000
const ENUM_LABEL_LENGTH_MAX = 100
const LABEL_LENGTH_MAX = 200
/** The first address after the marker SunS at the usual base 40000. */
const DEFAULT_BASE_ADDRESS = 40_002

/**
 * Converts SunSpec models (JSON, one or a list in the order of the device) to a register map document.
 * Addresses continue from model to model, and scale factors stay references.
 */
export function importSunspec(
  input: unknown,
  faults: Fault[],
  { baseAddress = DEFAULT_BASE_ADDRESS }: { readonly baseAddress?: number | undefined } = {},
): Imported {
  const models = listOf(Array.isArray(input) ? input : [input])
  const importer = new SunspecImporter(baseAddress)
  for (const [index, model] of models.entries()) {
    if (typeof model['id'] === 'number' && isRecord(model['group']))
      importer.addModel(model['id'], model['group'])
    else faults.push({ path: [index], content: IMPORT_FAULTS.MAP_SUNSPEC_NOT_MODEL(), type: 'value_error' })
  }
  if (models.length === 0)
    faults.push({ path: [], content: IMPORT_FAULTS.MAP_SUNSPEC_EMPTY(), type: 'value_error' })
  const ids = models.map((model) => model['id']).join(', ')
  return {
    document: {
      format: FORMAT,
      model: `SunSpec ${ids}`,
      notes: `Made from the SunSpec models ${ids}.`,
      transports: ['modbus_tcp', 'modbus_rtu'],
      defaults: { max_block: 100, max_gap: 20, timeout_ms: 2000 },
      registers: importer.registers,
    },
    notes: importer.notes,
  }
}

class SunspecImporter {
  readonly registers: object[] = []
  readonly notes: ImportNote[] = []
  readonly #unique = makeUnique()
  readonly #metrics = makeUnique()
  #address: number

  constructor(baseAddress: number) {
    this.#address = baseAddress
  }

  addModel(id: number, group: Json): void {
    const scaleFactors = new Map<string, string>()
    const points = listOf(group['points'])
    for (const point of points)
      if (point['type'] === 'sunssf')
        scaleFactors.set(String(point['name']), this.#unique(toKey(String(point['name']))))
    const used = new Set(points.map((point) => point['sf']).filter((sf) => typeof sf === 'string'))
    for (const point of points.slice(0, POINTS_MAX)) {
      const address = this.#address
      this.#address += sizeOf(point)
      const isUnusedFactor = point['type'] === 'sunssf' && !used.has(String(point['name']))
      if (!isUnusedFactor) this.#addPoint(id, point, { address, scaleFactors })
    }
    for (const inner of listOf(group['groups']))
      this.notes.push({
        key: null,
        note: MAP_NOTES.MAP_NOTE_GROUP_REPEATS({ group: String(inner['name']), model: id }),
      })
  }

  #addPoint(
    model: number,
    point: Json,
    {
      address,
      scaleFactors,
    }: { readonly address: number; readonly scaleFactors: ReadonlyMap<string, string> },
  ): void {
    const name = String(point['name'])
    const known = TYPES.get(String(point['type']))
    if (!known || name === 'ID' || name === 'L' || name === 'Pad') return
    const factor = scaleFactors.get(name)
    const key = factor ?? this.#unique(toKey(name))
    const common = {
      key,
      label: textOf(point['label'])?.slice(0, LABEL_LENGTH_MAX) ?? null,
      address,
      function: 3,
    }
    if (point['type'] === 'sunssf') {
      this.registers.push({ ...common, type: 'i16', kind: 'gauge', na_values: known.absent })
      return
    }
    this.registers.push({
      ...common,
      ...valueOfPoint(point, known, scaleFactors),
      ...this.#meaningOf(model, point, known),
    })
  }

  /** Metric, unit and kind of a point: ours if the product has a metric for it, else those of the model. */
  #meaningOf(model: number, point: Json, { kind }: PointType): object {
    const name = String(point['name'])
    const meant = metricOfPoint(model, name)
    const metric = this.#metrics(meant?.metric ?? toKey(name))
    if (kind === 'state') return { metric, kind }
    const unit = meant?.unit ?? textOf(point['units'])
    const fits = unit !== null && unit.length <= 20 && canonicalUnit(metric, unit) !== undefined
    const isCounter = kind === 'cumulative_counter' || meant?.isCounter === true
    return {
      metric,
      kind: isCounter ? 'cumulative_counter' : 'gauge',
      unit: fits ? unit : null,
      ...(meant?.scale !== undefined && { scale: meant.scale }),
      poll_group: 'normal',
    }
  }
}

/** Number of registers of a point; 1 when the model does not specify it. */
const sizeOf = ({ size }: Json): number => (typeof size === 'number' && size >= 1 ? size : 1)

function valueOfPoint(point: Json, known: PointType, scaleFactors: ReadonlyMap<string, string>): object {
  const { type, absent, counterBits } = known
  const sf = point['sf']
  const labels = enumLabelsOf(point, type)
  const isState = known.kind === 'state'
  return {
    type,
    count: type === 'string' || type === 'enum' || type === 'bitfield' ? sizeOf(point) : null,
    na_values: absent,
    ...(labels && { enum: labels }),
    ...(!isState && typeof sf === 'string' && { scale_factor_ref: scaleFactors.get(sf) ?? toKey(sf) }),
    ...(!isState && typeof sf === 'number' && { scale: Number(`1e${sf}`) }),
    // A 16-bit counter needs its maximum. A wider one wraps at a value that depends on its scale factor,
    // which is not known here.
    ...(counterBits === 16 && { reset_policy: 'wrap', counter_max: 65_536 }),
  }
}

function enumLabelsOf(point: Json, type: string): Record<string, string> | null {
  if (type !== 'enum' && type !== 'bitfield') return null
  const symbols = listOf(point['symbols']).filter(
    ({ value }) => Number.isInteger(value) && Number(value) >= 0,
  )
  if (symbols.length === 0 || symbols.length > 100) return null
  return Object.fromEntries(
    symbols.map(({ name, value }) => [
      String(value),
      String(name).slice(0, ENUM_LABEL_LENGTH_MAX) || String(value),
    ]),
  )
}
