import { OCPP_MEASURANDS_CACHED_MAX } from './limits.ts'
import { type Conversion, EXPORTED, METRICS, ownValue, quantityOf, UNITS } from './measurands.ts'

/** The words with which a station says what a value is. */
export interface ValueLabels {
  readonly measurand: string
  readonly phase: string | undefined
  readonly location: string | undefined
  /** Of 1.6, and of 2.0.1. */
  readonly unit: string | undefined
  readonly unitOfMeasure: string | undefined
}

/** What these words mean. */
export interface ResolvedMeasurand {
  readonly measurand: string
  /** The measurand with its phase (`_l1`, `_l1_l2`, `_n`; nothing for the whole). */
  readonly channel: string
  /** How far from what is charged it was measured; undefined where it stands for no metric of ours. */
  readonly locationRank: number | undefined
  /** Undefined where the unit does not fit what is measured. */
  readonly conversion: Conversion | undefined
  /** `power_offered`, `current_import_l1_inlet`: its OCPP name, for what no metric of ours stands for. */
  readonly extraName: string
}

export const PHASES = ['_l1', '_l2', '_l3']
export const KNOWN_PHASES = [...PHASES, '_n', '_l1_l2', '_l2_l3', '_l3_l1']

/** The nearest to what is charged first. What the vehicle measures itself is no reading of the station's meter. */
const LOCATIONS = ['', '_inlet', '_body', '_cable']
const WITH_VEHICLE = [...LOCATIONS, '_ev']

const cache = new Map<string, ResolvedMeasurand>()
/** Stands for a word that is left out; no word of a station has it. */
const NONE = '\0'

/** Stations say the same few things again and again, so what was understood once is remembered. */
export function resolveMeasurand(labels: ValueLabels): ResolvedMeasurand {
  const { measurand, phase = NONE, location = NONE, unit = NONE, unitOfMeasure = NONE } = labels
  const key = `${measurand}\0${phase}\0${location}\0${unit}\0${unitOfMeasure}`
  const known = cache.get(key)
  if (known) return known
  // Simpler than forgetting one by one, and as rare as a station that sends nonsense.
  if (cache.size >= OCPP_MEASURANDS_CACHED_MAX) cache.clear()
  const resolved = resolve(labels)
  cache.set(key, resolved)
  return resolved
}

function resolve(labels: ValueLabels): ResolvedMeasurand {
  const { measurand } = labels
  const phase = snakeCase(labels.phase?.replace(/^(L\d)-N$/, '$1'))
  const location = labels.location === 'Outlet' ? '' : snakeCase(labels.location)
  return {
    measurand,
    channel: measurand + phase,
    locationRank: locationRankOf(measurand, phase, location),
    conversion: conversionOf(labels),
    extraName: measurand.toLowerCase().replaceAll('.', '_') + phase + location,
  }
}

function locationRankOf(measurand: string, phase: string, location: string): number | undefined {
  const hasMetric = (ownValue(METRICS, measurand) ?? ownValue(EXPORTED, measurand)) !== undefined
  const isKnown = hasMetric && (phase === '' || KNOWN_PHASES.includes(phase))
  const distance = (measurand === 'SoC' ? WITH_VEHICLE : LOCATIONS).indexOf(location)
  return isKnown && distance >= 0 ? distance : undefined
}

/** Without a unit it is the measurand's own of OCPP. */
function conversionOf({ measurand, unit, unitOfMeasure }: ValueLabels): Conversion | undefined {
  const quantity = quantityOf(measurand)
  if (quantity === 'other') return 0
  const units = UNITS[quantity]
  const named = (unit ?? unitOfMeasure)?.toLowerCase()
  // In 2.0.1 Wh stands where a station has filled in nothing else, whatever it measures.
  const isFilledIn = unit === undefined && named === 'wh' && ownValue(units, named) === undefined
  return named === undefined || isFilledIn ? Object.values(units)[0] : ownValue(units, named)
}

const snakeCase = (word: string | undefined): string =>
  word === undefined || word === '' ? '' : `_${word.toLowerCase().replaceAll('-', '_')}`
