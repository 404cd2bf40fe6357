import { aggregateRow } from '../../../core/netting/counter/aggregate.ts'
import { type CounterQuality, qualityOfBucket } from '../../../core/netting/counter/quality.ts'
import type { Register } from '../../../kernel/metrics.ts'
import { REGISTERS } from '../../../kernel/metrics.ts'
import { HOUR_MS } from '../../../kernel/time.ts'
import { AVERAGED, bucketEnd, type Interval } from '../rollup/index.ts'
import { directedPower } from './aggregate-json.ts'
import type { EnergyBucket } from './energy-store.ts'

/** Energy of a bucket in Wh (varh); null when it is unknown. */
export interface EnergyFigures {
  readonly consumption: number | null
  readonly production: number | null
  /** Energy fed into the grid, from the register only. */
  readonly exported: number | null
  /** True when one of the three is estimated from power or is a linear share of a gap. */
  readonly isEstimated: boolean
  /** Null where the device does not measure this energy. */
  readonly quality: Readonly<Record<Flow, CounterQuality | null>>
}

export type Flow = 'consumption' | 'production' | 'exported'

export interface FigureOptions {
  readonly interval: Interval
  /** Bits of the registers that the device has ever sent. */
  readonly registers: number
  /** Produces and never consumes. */
  readonly isInverter: boolean
  /** A bucket that ends later is still growing. */
  readonly now: number
}

const registerIndex = (register: Register): number => REGISTERS.indexOf(register)
const IMPORT = registerIndex('import_active_energy')
const EXPORT = registerIndex('export_active_energy')
const PRODUCTION = registerIndex('production_active_energy')
const POWER = AVERAGED.indexOf('active_power')

/**
 * Consumption and production of a bucket by the rules of the aggregate endpoints: from the register, else
 * from the average power. A device without a production register has no production unless it is an
 * inverter, and an inverter without an import register has no consumption: otherwise its power would count
 * twice.
 */
export function toEnergyFigures(bucket: EnergyBucket, options: FigureOptions): EnergyFigures {
  const { registers, isInverter } = options
  const has = (register: number): boolean => (registers & (1 << register)) !== 0
  const consumption =
    has(IMPORT) || !isInverter ? directionEnergy(bucket, options, ['consumption', IMPORT]) : NO_ENERGY
  const production =
    has(PRODUCTION) || isInverter ? directionEnergy(bucket, options, ['production', PRODUCTION]) : NO_ENERGY
  const exported = bucket.energies[EXPORT] ?? null
  const qualityOf = (register: number, { energy, isEstimated }: FlowEnergy) =>
    has(register) || energy !== null ? qualityOfRegister(bucket, { ...options, register, isEstimated }) : null
  return {
    consumption: consumption.energy,
    production: production.energy,
    exported,
    quality: {
      consumption: qualityOf(IMPORT, consumption),
      production: qualityOf(PRODUCTION, production),
      exported: qualityOf(EXPORT, { energy: exported, isEstimated: false }),
    },
    isEstimated:
      consumption.isEstimated ||
      production.isEstimated ||
      (exported !== null && (bucket.readBits & (1 << EXPORT)) === 0),
  }
}

interface FlowEnergy {
  readonly energy: number | null
  readonly isEstimated: boolean
}
const NO_ENERGY: FlowEnergy = { energy: null, isEstimated: false }

interface RegisterOptions extends Pick<FigureOptions, 'interval' | 'now'> {
  readonly register: number
  /** The energy is computed from the power. */
  readonly isEstimated: boolean
}

/** The quality of the energy of one register in a bucket. */
export function qualityOfRegister(
  { start, hours, readBits, wholeBits, suspectBits }: Omit<EnergyBucket, 'energies' | 'averages'>,
  { interval, now, register, isEstimated }: RegisterOptions,
): CounterQuality {
  const bit = 1 << register
  const end = bucketEnd(interval, start)
  const isWhole = (wholeBits & bit) !== 0 && hours * HOUR_MS === end - start && end <= now
  return qualityOfBucket({
    isSuspect: (suspectBits & bit) !== 0,
    hasReading: (readBits & bit) !== 0,
    isWhole: isWhole && !isEstimated,
  })
}

/** The qualities of the energies that the device measures. */
export const qualitiesOf = ({ quality }: Pick<EnergyFigures, 'quality'>): CounterQuality[] =>
  Object.values(quality).filter((one) => one !== null)

function directionEnergy(
  { start, energies, readBits, averages }: EnergyBucket,
  { interval, isInverter }: FigureOptions,
  [variant, register]: readonly ['consumption' | 'production', number],
): FlowEnergy {
  const energy = energies[register] ?? null
  const row = aggregateRow({
    variant,
    energyWh: energy === null ? null : Math.round(energy),
    hasReading: (readBits & (1 << register)) !== 0,
    powerKw: directedPower(averages[POWER] ?? null, { variant, isInverter }),
    hours: (bucketEnd(interval, start) - start) / HOUR_MS,
  })
  return { energy: row.energyWh, isEstimated: row.isEstimated }
}

/** kWh (kvarh) of Wh (varh). */
export const inKilo = (value: number | null): number | null => (value === null ? null : value / 1000)
