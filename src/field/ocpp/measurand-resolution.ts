import { OCPP_MEASURANDS_CACHED_MAX } from './limits.ts'
import { type Conversion, EXPORTED, METRICS, ownValue, quantityOf, UNITS } from './measurands.ts'

/** The labels with which a station describes a value. */
export interface ValueLabels {
  readonly measurand: string
  readonly phase: string | undefined
  readonly location: string | undefined
  /** The unit in 1.6; `unitOfMeasure` is that of 2.0.1. */
  readonly unit: string | undefined
  readonly unitOfMeasure: string | undefined
}

/** The meaning of these labels. */
export interface ResolvedMeasurand {
  readonly measurand: string
  /** The measurand with its phase (`_l1`, `_l1_l2`, `_n`; nothing for the whole). */
  readonly channel: string
  /**
   * Rank of the measuring location, 0 nearest to the vehicle's supply; undefined where no metric of ours
   * fits.
   */
  readonly locationRank: number | undefined
  /** Undefined where the unit does not fit what is measured. */
  readonly conversion: Conversion | undefined
  /**
   * The OCPP name as a name of an extra value, such as `current_import_l1_inlet`, for what no metric of ours
   * fits.
   */
  readonly extraName: string
}

export const PHASES = ['_l1', '_l2', '_l3']
export const KNOWN_PHASES = [...PHASES, '_n', '_l1_l2', '_l2_l3', '_l3_l1']

/**
 * Measuring locations, the preferred first. What the vehicle measures itself is no reading of the station's
 * meter.
 */
const LOCATIONS = ['', '_inlet', '_body', '_cable']
const WITH_VEHICLE = [...LOCATIONS, '_ev']

/** A resolution with its labels, and the one that followed it last time. */
interface Known {
  readonly labels: ValueLabels
  readonly resolved: ResolvedMeasurand
  next: Known | undefined
}

const cache = new Map<string, Known>()
/** Stands for an absent label; no label of a station contains it. */
const NONE = '\0'
let last: Known | undefined

/**
 * Resolves the labels of a value. Stations repeat the same few combinations, so resolutions are cached. They repeat
 * them in the same order too, so the one that followed last time is compared before a key is made for the cache.
 */
export function resolveMeasurand(labels: ValueLabels): ResolvedMeasurand {
  const expected = last?.next
  const known = expected && hasLabels(expected, labels) ? expected : find(labels)
  if (last) last.next = known
  last = known
  return known.resolved
}

const hasLabels = ({ labels }: Known, { measurand, phase, location, unit, unitOfMeasure }: ValueLabels) =>
  labels.measurand === measurand &&
  labels.phase === phase &&
  labels.location === location &&
  labels.unit === unit &&
  labels.unitOfMeasure === unitOfMeasure

function find(labels: ValueLabels): Known {
  const { measurand, phase = NONE, location = NONE, unit = NONE, unitOfMeasure = NONE } = labels
  const key = `${measurand}\0${phase}\0${location}\0${unit}\0${unitOfMeasure}`
  const known = cache.get(key)
  if (known) return known
  // Emptying the cache is simpler than evicting entries, and as rare as a station that sends nonsense.
  if (cache.size >= OCPP_MEASURANDS_CACHED_MAX) {
    for (const one of cache.values()) one.next = undefined
    cache.clear()
    last = undefined
  }
  const added = { labels, resolved: resolve(labels), next: undefined }
  cache.set(key, added)
  return added
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

/** The conversion to our unit; without a unit the default unit of the measurand in OCPP holds. */
function conversionOf({ measurand, unit, unitOfMeasure }: ValueLabels): Conversion | undefined {
  const quantity = quantityOf(measurand)
  if (quantity === 'other') return 0
  const units = UNITS[quantity]
  const named = (unit ?? unitOfMeasure)?.toLowerCase()
  // In 2.0.1 Wh is the default of the field, so it stands there whatever a station measures.
  const isFilledIn = unit === undefined && named === 'wh' && ownValue(units, named) === undefined
  return named === undefined || isFilledIn ? Object.values(units)[0] : ownValue(units, named)
}

const snakeCase = (word: string | undefined): string =>
  word === undefined || word === '' ? '' : `_${word.toLowerCase().replaceAll('-', '_')}`
