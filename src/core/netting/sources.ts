import type { Kwh } from '../../kernel/decimal.ts'
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

/** Chosen values of one facility, by kind; the index in a list is the hour of the window. */
export type FacilityValues = Readonly<Partial<Record<Kind, readonly (ChosenValue | undefined)[]>>>

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

/**
 * best(facility, hour, kind): of the rows with a value for the kind, the one with the strongest source. One
 * pass over the facts. Facts outside the window, or in an hour that `isWanted` rejects, are skipped.
 */
export function chooseValues(
  facts: readonly FactInput[],
  window: Range,
  isWanted: (facilityId: string, hour: number) => boolean,
): Map<string, FacilityValues> {
  const chosen = new Map<string, Partial<Record<Kind, (ChosenValue | undefined)[]>>>()
  for (const fact of facts) {
    const fields = FIELDS[fact.role]
    if (!fields || fact.hour < window.from || fact.hour >= window.to) continue
    if (!isWanted(fact.facilityId, fact.hour)) continue
    const hourIndex = (fact.hour - window.from) / HOUR_MS
    const values = chosen.get(fact.facilityId) ?? {}
    chosen.set(fact.facilityId, values)
    for (const [kind, field] of fields) {
      const valueKwh = fact[field]
      if (valueKwh === null) continue
      const series = values[kind] ?? []
      values[kind] = series
      if (!isStronger(fact.source, series[hourIndex]?.source)) continue
      series[hourIndex] = { valueKwh, source: fact.source, quality: fact.dataQuality }
    }
  }
  return chosen
}

const isStronger = (source: FactSource, than: FactSource | undefined): boolean =>
  than === undefined || SOURCE_PRIORITY.indexOf(source) < SOURCE_PRIORITY.indexOf(than)
