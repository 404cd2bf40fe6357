import assert from 'node:assert/strict'
import { at } from '../../kernel/checked.ts'
import { type Kwh, wh } from '../../kernel/decimal.ts'
import { HOUR_MS, type Range } from '../../kernel/time.ts'
import type { DataQuality, FactInput, FactSource, MeasurementRole } from './types.ts'

/** Strongest first; order of the interface. A row with source `missing` has no value and is never chosen. */
export const SOURCE_PRIORITY: readonly FactSource[] = [
  'lum_official_report',
  'gts_report',
  'pys_import',
  'osos_official_meter',
  'zeus_meter',
  'customer_declared',
  'profiled_estimate',
  'missing',
]

/** Sources that deliver today; the rest fall silently to a lower step. */
export const ACTIVE_SOURCES: readonly FactSource[] = ['osos_official_meter', 'zeus_meter']

/** [inferred] Best first: what an hour's inputs are worth together is the worst of them. */
export const QUALITY_ORDER: readonly DataQuality[] = [
  'complete',
  'corrected',
  'estimated_profiled',
  'partial',
  'suspect',
  'unknown',
  'missing',
]

export const worseQuality = (a: DataQuality, b: DataQuality): DataQuality =>
  QUALITY_ORDER.indexOf(a) >= QUALITY_ORDER.indexOf(b) ? a : b

/** The quantities the method reads, each fed by one kWh column of one measurement role. */
export type Kind = 'production' | 'consumption' | 'zoneConsumption' | 'import' | 'export' | 'battery'

/** The chosen value of one facility, hour and kind. */
export interface ChosenValue {
  readonly valueKwh: Kwh | null
  readonly source: FactSource
  readonly quality: DataQuality
}
export const NO_VALUE: ChosenValue = { valueKwh: null, source: 'missing', quality: 'missing' }

/** The chosen values of one facility and kind; the index is the hour of the window. A list is one as well. */
export interface ValueSeries {
  readonly length: number
  at(hourIndex: number): ChosenValue | undefined
}

/** Chosen values of one facility, by kind. */
export type FacilityValues = Readonly<Partial<Record<Kind, ValueSeries>>>

/**
 * A series in columns: ten bytes for each hour, where an object takes seventy. A window of ten thousand facilities has
 * millions of values.
 */
class ValueColumns implements ValueSeries {
  readonly length: number
  readonly #valuesWh: BigInt64Array
  /** One more than the index in `SOURCE_PRIORITY`; 0 where nothing is chosen. */
  readonly #sources: Uint8Array
  /** The index in `QUALITY_ORDER`. */
  readonly #qualities: Uint8Array

  constructor(hours: number) {
    this.length = hours
    this.#valuesWh = new BigInt64Array(hours)
    this.#sources = new Uint8Array(hours)
    this.#qualities = new Uint8Array(hours)
  }

  at(hourIndex: number): ChosenValue | undefined {
    const source = this.#sources[hourIndex]
    if (!source) return undefined
    return {
      valueKwh: wh(this.#valuesWh[hourIndex] ?? 0n),
      source: at(SOURCE_PRIORITY, source - 1),
      quality: at(QUALITY_ORDER, this.#qualities[hourIndex] ?? 0),
    }
  }

  /** Keeps the value if its source is stronger than that of the present one. */
  offer(hourIndex: number, valueKwh: Kwh, { source, dataQuality }: FactInput): void {
    const rank = SOURCE_PRIORITY.indexOf(source) + 1
    const present = this.#sources[hourIndex]
    if (present !== undefined && present !== 0 && present <= rank) return
    assert(BigInt.asIntN(64, valueKwh) === valueKwh, 'an energy of an hour has at most 64 bits')
    this.#sources[hourIndex] = rank
    this.#valuesWh[hourIndex] = valueKwh
    this.#qualities[hourIndex] = QUALITY_ORDER.indexOf(dataQuality)
  }
}

type KwhField = 'productionKwh' | 'consumptionKwh' | 'importKwh' | 'exportKwh' | 'batteryKwh'
const FIELDS: Readonly<Partial<Record<MeasurementRole, readonly (readonly [Kind, KwhField])[]>>> = {
  main_production: [['production', 'productionKwh']],
  main_consumption: [['consumption', 'consumptionKwh']],
  osb_eb_consumption: [['zoneConsumption', 'consumptionKwh']],
  pcc_import_export: [
    ['import', 'importKwh'],
    ['export', 'exportKwh'],
  ],
  battery: [['battery', 'batteryKwh']],
}

/** Chooses values from facts that come one after the other. */
export interface ValueChooser {
  add(fact: FactInput): void
  readonly values: ReadonlyMap<string, FacilityValues>
}

/**
 * best(facility, hour, kind): of the rows with a value for the kind, the one with the strongest source. Facts outside
 * the window, or in an hour that `isWanted` rejects, are skipped.
 */
export function openValues(
  window: Range,
  isWanted: (facilityId: string, hour: number) => boolean,
): ValueChooser {
  const hours = (window.to - window.from) / HOUR_MS
  const values = new Map<string, Partial<Record<Kind, ValueColumns>>>()
  return {
    values,
    add(fact) {
      const fields = FIELDS[fact.role]
      if (!fields || fact.hour < window.from || fact.hour >= window.to) return
      if (!isWanted(fact.facilityId, fact.hour)) return
      const hourIndex = (fact.hour - window.from) / HOUR_MS
      let ofFacility = values.get(fact.facilityId)
      if (!ofFacility) {
        ofFacility = {}
        values.set(fact.facilityId, ofFacility)
      }
      for (const [kind, field] of fields) {
        const valueKwh = fact[field]
        if (valueKwh === null) continue
        const series = ofFacility[kind] ?? new ValueColumns(hours)
        ofFacility[kind] = series
        series.offer(hourIndex, valueKwh, fact)
      }
    },
  }
}

/** `openValues` for a list of facts. */
export function chooseValues(
  facts: readonly FactInput[],
  window: Range,
  isWanted: (facilityId: string, hour: number) => boolean,
): ReadonlyMap<string, FacilityValues> {
  const chooser = openValues(window, isWanted)
  for (const fact of facts) chooser.add(fact)
  return chooser.values
}
