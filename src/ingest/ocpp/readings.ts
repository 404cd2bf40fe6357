import { parseAnyInstant } from '../../kernel/time.ts'
import type { SampleValues } from '../../platform/ingest.ts'
import { timesTen, ValueList } from '../dialects/values.ts'
import {
  type Conversion,
  DEFAULT_MEASURAND,
  EXPORTED,
  METRICS,
  ofTable,
  quantityOf,
  UNITS,
} from './measurands.ts'

/** One value of a meter, as OCPP 1.6 (text, `unit`) or 2.0.1 (number, `unitOfMeasure`) sends it. */
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
  /** By the names and in the units of kernel/metrics; at least one. */
  readonly values: SampleValues
  /** Why it was taken, such as Transaction.Begin, where one of its values says so. */
  readonly context: string | undefined
}

export interface MeterReadings {
  readonly readings: readonly MeterReading[]
  readonly refused: readonly RefusedValue[]
}

/** What could not be read: the same kind of value again and again has the same `what`. */
export interface RefusedValue {
  readonly what: string
  readonly value: string
}

const SHOWN_LENGTH = 40

/** Epoch milliseconds of a station's timestamp. One without an offset is UTC, as OCPP wants times to be. */
export function stationInstant(text: string): number | undefined {
  const read = parseAnyInstant(text)
  return read?.hasOffset === false ? parseAnyInstant(`${text}Z`)?.at : read?.at
}

/** Meter values as samples of our metrics, in their order; the same instant told twice in a message is one reading. */
export function readMeterValues(meterValues: readonly MeterValue[]): MeterReadings {
  const refused: RefusedValue[] = []
  const byInstant = new Map<number, SampledValue[]>()
  for (const { timestamp, sampledValue } of meterValues) {
    const at = stationInstant(timestamp)
    if (at === undefined) refused.push({ what: 'timestamp', value: timestamp.slice(0, SHOWN_LENGTH) })
    else addTo(byInstant, at, sampledValue)
  }
  const readings: MeterReading[] = []
  for (const [at, sampled] of byInstant) {
    const values = valuesOf(sampled, refused)
    const context = sampled.find((one) => one.context !== undefined)?.context
    if (Object.keys(values).length > 0) readings.push({ at, values, context })
  }
  return { readings, refused }
}

function addTo<K, T>(lists: Map<K, T[]>, key: K, items: readonly T[]): void {
  const list = lists.get(key)
  if (list) for (const item of items) list.push(item)
  else lists.set(key, [...items])
}

/** A value in our unit, with where it was measured. */
interface Measured {
  readonly measurand: string
  /** `_l1`, `_l1_l2`, `_n`; empty for the whole. */
  readonly phase: string
  /** `_inlet`; empty for the outlet, which is meant where nothing is said. */
  readonly location: string
  readonly value: number
}

function valuesOf(sampled: readonly SampledValue[], refused: RefusedValue[]): SampleValues {
  const places = new Map<string, Measured[]>()
  for (const one of sampled) {
    const measured = measuredOf(one, refused)
    if (!measured) continue
    const key = `${measured.measurand}${measured.phase}`
    addTo(places, key, [measured])
  }
  const list = new ValueList()
  const chosen = new Map<string, number>()
  const others: Measured[] = []
  for (const [key, candidates] of places) {
    const best = bestOf(candidates)
    if (best) chosen.set(key, best.value)
    others.push(...candidates.filter((candidate) => candidate !== best))
  }
  putMetrics(chosen, list)
  for (const other of others) list.put(extraName(other), other.value)
  for (const { detail } of list.refused) refused.push({ what: detail, value: '' })
  return list.toValues()
}

/** The nearest to what is charged first. What the vehicle measures itself is no reading of the station's meter. */
const LOCATIONS = ['', '_inlet', '_body', '_cable']
const OF_THE_VEHICLE = '_ev'

/** The value that stands for the whole measurand; undefined where none may. */
function bestOf(candidates: readonly Measured[]): Measured | undefined {
  const { measurand = '', phase = '' } = candidates[0] ?? {}
  const isOurs = ofTable(METRICS, measurand) ?? ofTable(EXPORTED, measurand)
  if (isOurs === undefined || (phase !== '' && !KNOWN_PHASES.includes(phase))) return undefined
  const wanted = measurand === 'SoC' ? [...LOCATIONS, OF_THE_VEHICLE] : LOCATIONS
  return wanted
    .map((location) => candidates.find((candidate) => candidate.location === location))
    .find((candidate) => candidate !== undefined)
}

const PHASES = ['_l1', '_l2', '_l3']
const KNOWN_PHASES = [...PHASES, '_n', '_l1_l2', '_l2_l3', '_l3_l1']

/** Names what was chosen as kernel/metrics does; what flows back counts against what flows in. */
function putMetrics(chosen: ReadonlyMap<string, number>, list: ValueList): void {
  for (const [measurand, metric] of Object.entries(METRICS)) {
    const exported = Object.keys(EXPORTED).find((name) => EXPORTED[name] === measurand)
    const valueAt = (phase: string): number | undefined => {
      const taken = chosen.get(measurand + phase)
      const given = exported === undefined ? undefined : chosen.get(exported + phase)
      return given === undefined ? taken : (taken ?? 0) - given
    }
    const whole = valueAt('') ?? sumOfPhases(measurand, PHASES.map(valueAt))
    if (whole !== undefined) list.put(metric, whole)
    for (const phase of KNOWN_PHASES) {
      const value = valueAt(phase)
      if (value !== undefined) list.put(metric + phase, value)
    }
  }
}

/**
 * The whole where only phases are told. A power may leave out a phase that carries none; a register that were the sum
 * of now two phases and now three would look as if it ran back, so there it is all three, or the one of a single-phase
 * station.
 */
function sumOfPhases(measurand: string, phases: readonly (number | undefined)[]): number | undefined {
  const known = phases.filter((value) => value !== undefined)
  const [first, ...others] = phases
  const isPower = measurand.startsWith('Power.Active') || measurand.startsWith('Power.Reactive')
  const isRegister = measurand.endsWith('.Register')
  const isWhole =
    known.length === phases.length || (first !== undefined && others.every((one) => one === undefined))
  if (known.length === 0 || !(isPower || (isRegister && isWhole))) return undefined
  // Phases are told in W and Wh: whole thousandths of ours, which are added as such.
  return known.reduce((sum, value) => sum + Math.round(value * 1e6), 0) / 1e6
}

function measuredOf(sampled: SampledValue, refused: RefusedValue[]): Measured | undefined {
  // What is signed is for the customer's own check of the meter, and is no number.
  if (sampled.format === 'SignedData') return undefined
  const { measurand = DEFAULT_MEASURAND, unitOfMeasure } = sampled
  const sent = numberOf(sampled.value)
  const number = sent === undefined ? Number.NaN : timesTen(sent, unitOfMeasure?.multiplier ?? 0)
  const value = inOurUnit(number, conversionOf(measurand, sampled))
  if (!Number.isFinite(value)) {
    const unit = sampled.unit ?? unitOfMeasure?.unit ?? ''
    refused.push({
      what: `${measurand} ${unit}`.trim().slice(0, SHOWN_LENGTH),
      value: String(sampled.value).slice(0, SHOWN_LENGTH),
    })
    return undefined
  }
  return {
    measurand,
    phase: snake(sampled.phase?.replace(/^(L\d)-N$/, '$1')),
    location: sampled.location === 'Outlet' ? '' : snake(sampled.location),
    value,
  }
}

const DECIMAL = /^[+-]?(\d+([.,]\d*)?|[.,]\d+)([eE][+-]?\d{1,3})?$/

/** Text with a point, or the comma of a station with a wrong locale. */
function numberOf(value: string | number): number | undefined {
  if (typeof value === 'number') return value
  const text = value.trim()
  return DECIMAL.test(text) ? Number(text.replace(',', '.')) : undefined
}

/** Undefined where the unit does not fit what is measured. Without a unit it is the measurand's own of OCPP. */
function conversionOf(measurand: string, { unit, unitOfMeasure }: SampledValue): Conversion | undefined {
  const quantity = quantityOf(measurand)
  if (quantity === 'other') return 0
  const units = UNITS[quantity]
  const named = (unit ?? unitOfMeasure?.unit)?.toLowerCase()
  // In 2.0.1 Wh stands where a station has filled in nothing else, whatever it measures.
  const isFilledIn = unit === undefined && named === 'wh' && ofTable(units, named) === undefined
  return named === undefined || isFilledIn ? Object.values(units)[0] : ofTable(units, named)
}

function inOurUnit(value: number, conversion: Conversion | undefined): number {
  if (conversion === undefined) return Number.NaN
  return typeof conversion === 'number' ? timesTen(value, conversion) : conversion(value)
}

const snake = (word: string | undefined): string =>
  word === undefined || word === '' ? '' : `_${word.toLowerCase().replaceAll('-', '_')}`

/** `power_offered`, `current_import_l1_inlet`: what no metric of ours stands for, under its OCPP name. */
const extraName = ({ measurand, phase, location }: Measured): string =>
  measurand.toLowerCase().replaceAll('.', '_') + phase + location
