import type { SampleValues } from '../../areas/metering/intake-contract/index.ts'
import { parseAnyInstant } from '../../kernel/time.ts'
import { scaleByPowerOfTen, ValueCollector } from '../mqtt/dialects/values.ts'
import { KNOWN_PHASES, PHASES, type ResolvedMeasurand, resolveMeasurand } from './measurand-resolution.ts'
import { type Conversion, DEFAULT_MEASURAND, EXPORTED, METRICS } from './measurands.ts'
import { momentsOf, type SessionMoment } from './session-marks.ts'

/** A value of a meter as OCPP 1.6 (text, `unit`) or 2.0.1 (number, `unitOfMeasure`) sends it. */
export interface SampledValue {
  readonly value: string | number
  readonly context?: string
  readonly format?: string
  readonly measurand?: string
  readonly phase?: string
  readonly location?: string
  readonly unit?: string
  readonly unitOfMeasure?: { readonly unit?: string; readonly multiplier?: number }
}

export interface MeterValue {
  readonly timestamp: string
  readonly sampledValue: readonly SampledValue[]
}

export interface MeterReading {
  /** Epoch milliseconds, by the station's clock. */
  readonly at: number
  /** At least one value, with the names and units of kernel/metrics. */
  readonly values: SampleValues
  /** The reason for the reading, such as Transaction.Begin, where one of its values states it. */
  readonly context: string | undefined
  /** The positions in a session that the contexts of its values state. */
  readonly moments: readonly SessionMoment[]
}

export interface MeterReadings {
  readonly readings: readonly MeterReading[]
  readonly refused: readonly RefusedValue[]
}

/** A value that could not be read; values of one kind have the same `what`. */
export interface RefusedValue {
  readonly what: string
  readonly value: string
}

const EXCERPT_LENGTH = 40

/** Epoch milliseconds of a station's timestamp. One without an offset is UTC, as OCPP wants times to be. */
export function stationInstant(text: string): number | undefined {
  const read = parseAnyInstant(text)
  return read?.hasOffset === false ? parseAnyInstant(`${text}Z`)?.at : read?.at
}

/**
 * Converts meter values to our metrics, in their order; values of one instant in a message become one
 * reading.
 */
export function readMeterValues(meterValues: readonly MeterValue[]): MeterReadings {
  const refused: RefusedValue[] = []
  const byInstant = new Map<number, SampledValue[]>()
  for (const { timestamp, sampledValue } of meterValues) {
    const at = stationInstant(timestamp)
    if (at === undefined) refused.push({ what: 'timestamp', value: timestamp.slice(0, EXCERPT_LENGTH) })
    else appendTo(byInstant, at, sampledValue)
  }
  const readings: MeterReading[] = []
  for (const [at, sampled] of byInstant) {
    const values = valuesOf(sampled, refused)
    const context = sampled.find((one) => one.context !== undefined)?.context
    if (Object.keys(values).length > 0) readings.push({ at, values, context, moments: momentsOf(sampled) })
  }
  return { readings, refused }
}

function appendTo<K, T>(lists: Map<K, T[]>, key: K, items: readonly T[]): void {
  const list = lists.get(key)
  if (list) for (const item of items) list.push(item)
  else lists.set(key, [...items])
}

/** A value in the unit of our metric. */
interface ConvertedValue {
  readonly measurand: ResolvedMeasurand
  readonly value: number
}

function valuesOf(sampled: readonly SampledValue[], refused: RefusedValue[]): SampleValues {
  const all: ConvertedValue[] = []
  /** By channel, the value measured nearest to the vehicle's supply; it stands for the whole measurand. */
  const chosen = new Map<string, ConvertedValue>()
  const measurands = new Set<string>()
  for (const one of sampled) {
    const converted = convert(one, refused)
    if (!converted) continue
    all.push(converted)
    const { channel, locationRank: distance, measurand } = converted.measurand
    if (distance === undefined || distance >= (chosen.get(channel)?.measurand.locationRank ?? FARTHEST))
      continue
    chosen.set(channel, converted)
    measurands.add(measurand)
  }
  const list = new ValueCollector()
  putMetrics(chosen, measurands, list)
  for (const converted of all) {
    if (chosen.get(converted.measurand.channel) !== converted)
      list.add(converted.measurand.extraName, converted.value)
  }
  for (const { detail } of list.refused) refused.push({ what: detail, value: '' })
  return list.toValues()
}

const FARTHEST = Number.POSITIVE_INFINITY

/** A metric of ours and the channels that it is computed from. */
interface Source {
  readonly metric: string
  readonly imported: string
  /** The channel of what flows back. */
  readonly exported: string | undefined
}

const METRIC_SOURCES = Object.entries(METRICS).map(([measurand, metric]) => {
  const exported = Object.keys(EXPORTED).find((name) => EXPORTED[name] === measurand)
  const sourceOf = (phase: string): Source => ({
    metric: metric + phase,
    imported: measurand + phase,
    exported: exported === undefined ? undefined : exported + phase,
  })
  return { measurand, exported, whole: sourceOf(''), phases: KNOWN_PHASES.map(sourceOf) }
})

/** The imported value minus the exported one. */
function valueAt(
  chosen: ReadonlyMap<string, ConvertedValue>,
  { imported: taken, exported: given }: Source,
): number | undefined {
  const out = given === undefined ? undefined : chosen.get(given)?.value
  const into = chosen.get(taken)?.value
  return out === undefined ? into : (into ?? 0) - out
}

/** Writes the chosen values under the names of kernel/metrics. */
function putMetrics(
  chosen: ReadonlyMap<string, ConvertedValue>,
  measurands: ReadonlySet<string>,
  list: ValueCollector,
): void {
  for (const { measurand, exported, whole, phases } of METRIC_SOURCES) {
    if (!measurands.has(measurand) && (exported === undefined || !measurands.has(exported))) continue
    const all = valueAt(chosen, whole) ?? sumOfPhases(measurand, phases, chosen)
    if (all !== undefined) list.add(whole.metric, all)
    for (const phase of phases) {
      const value = valueAt(chosen, phase)
      if (value !== undefined) list.add(phase.metric, value)
    }
  }
}

/**
 * The total where a station sends phases only. A power may lack a phase that carries no current. A register
 * that is the sum of two phases at one time and of three at another would seem to run backwards, so it takes
 * all three, or the one of a single-phase station.
 */
function sumOfPhases(
  measurand: string,
  sources: readonly Source[],
  chosen: ReadonlyMap<string, ConvertedValue>,
): number | undefined {
  const isPower = measurand.startsWith('Power.Active') || measurand.startsWith('Power.Reactive')
  const isRegister = measurand.endsWith('.Register')
  if (!isPower && !isRegister) return undefined
  const phases = sources.slice(0, PHASES.length).map((source) => valueAt(chosen, source))
  const present = phases.filter((value) => value !== undefined)
  const [first, ...others] = phases
  const isWhole =
    present.length === phases.length || (first !== undefined && others.every((one) => one === undefined))
  if (present.length === 0 || !(isPower || (isRegister && isWhole))) return undefined
  // Phases come in W and Wh, which are whole thousandths of our units and are added as integers.
  return present.reduce((sum, value) => sum + Math.round(value * 1e6), 0) / 1e6
}

function convert(sampled: SampledValue, refused: RefusedValue[]): ConvertedValue | undefined {
  // Signed data is for the customer's own verification of the meter and is no number.
  if (sampled.format === 'SignedData') return undefined
  const { measurand = DEFAULT_MEASURAND, phase, location, unit, unitOfMeasure } = sampled
  const kind = resolveMeasurand({ measurand, phase, location, unit, unitOfMeasure: unitOfMeasure?.unit })
  const sent = numberOf(sampled.value)
  const number = sent === undefined ? Number.NaN : scaleByPowerOfTen(sent, unitOfMeasure?.multiplier ?? 0)
  const value = toMetricUnit(number, kind.conversion)
  if (Number.isFinite(value)) return { measurand: kind, value }
  refused.push({
    what: `${measurand} ${unit ?? unitOfMeasure?.unit ?? ''}`.trim().slice(0, EXCERPT_LENGTH),
    value: String(sampled.value).slice(0, EXCERPT_LENGTH),
  })
  return undefined
}

const DECIMAL = /^[+-]?(\d+([.,]\d*)?|[.,]\d+)([eE][+-]?\d{1,3})?$/

/** The number of a text with a decimal point, or with the comma of a station with a wrong locale. */
function numberOf(value: string | number): number | undefined {
  if (typeof value === 'number') return value
  const text = value.trim()
  if (!DECIMAL.test(text)) return undefined
  return Number(text.includes(',') ? text.replace(',', '.') : text)
}

function toMetricUnit(value: number, conversion: Conversion | undefined): number {
  if (conversion === undefined) return Number.NaN
  return typeof conversion === 'number' ? scaleByPowerOfTen(value, conversion) : conversion(value)
}
