import { OCPP_KINDS_CACHED_MAX } from './limits.ts'
import { type Conversion, EXPORTED, METRICS, ofTable, quantityOf, UNITS } from './measurands.ts'

/** The words with which a station says what a value is. */
export interface Words {
  readonly measurand: string
  readonly phase: string | undefined
  readonly location: string | undefined
  /** Of 1.6, and of 2.0.1. */
  readonly unit: string | undefined
  readonly unitOfMeasure: string | undefined
}

/** What these words mean. */
export interface Kind {
  readonly measurand: string
  /** The measurand with its phase (`_l1`, `_l1_l2`, `_n`; nothing for the whole). */
  readonly place: string
  /** How far from what is charged it was measured; undefined where it stands for no metric of ours. */
  readonly distance: number | undefined
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

const kinds = new Map<string, Kind>()
/** Stands for a word that is left out; no word of a station has it. */
const NONE = '\0'

/** Stations say the same few things again and again, so what was understood once is remembered. */
export function kindOf(words: Words): Kind {
  const { measurand, phase = NONE, location = NONE, unit = NONE, unitOfMeasure = NONE } = words
  const key = `${measurand}\0${phase}\0${location}\0${unit}\0${unitOfMeasure}`
  const known = kinds.get(key)
  if (known) return known
  // Simpler than forgetting one by one, and as rare as a station that sends nonsense.
  if (kinds.size >= OCPP_KINDS_CACHED_MAX) kinds.clear()
  const kind = understand(words)
  kinds.set(key, kind)
  return kind
}

function understand(words: Words): Kind {
  const { measurand } = words
  const phase = snake(words.phase?.replace(/^(L\d)-N$/, '$1'))
  const location = words.location === 'Outlet' ? '' : snake(words.location)
  return {
    measurand,
    place: measurand + phase,
    distance: distanceOf(measurand, phase, location),
    conversion: conversionOf(words),
    extraName: measurand.toLowerCase().replaceAll('.', '_') + phase + location,
  }
}

function distanceOf(measurand: string, phase: string, location: string): number | undefined {
  const isOurs = (ofTable(METRICS, measurand) ?? ofTable(EXPORTED, measurand)) !== undefined
  const isKnown = isOurs && (phase === '' || KNOWN_PHASES.includes(phase))
  const distance = (measurand === 'SoC' ? WITH_VEHICLE : LOCATIONS).indexOf(location)
  return isKnown && distance >= 0 ? distance : undefined
}

/** Without a unit it is the measurand's own of OCPP. */
function conversionOf({ measurand, unit, unitOfMeasure }: Words): Conversion | undefined {
  const quantity = quantityOf(measurand)
  if (quantity === 'other') return 0
  const units = UNITS[quantity]
  const named = (unit ?? unitOfMeasure)?.toLowerCase()
  // In 2.0.1 Wh stands where a station has filled in nothing else, whatever it measures.
  const isFilledIn = unit === undefined && named === 'wh' && ofTable(units, named) === undefined
  return named === undefined || isFilledIn ? Object.values(units)[0] : ofTable(units, named)
}

const snake = (word: string | undefined): string =>
  word === undefined || word === '' ? '' : `_${word.toLowerCase().replaceAll('-', '_')}`
