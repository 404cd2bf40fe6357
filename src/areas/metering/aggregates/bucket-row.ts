import type { RowReader } from '../../../platform/db/copy-out.ts'
import type { HourRow } from '../rollup/index.ts'

export type Variant = 'consumption' | 'production'

/**
 * A bucket before the rules of the interface are applied: a row of the grouped statements as the driver returns
 * it. It is no object, because a year of hours has eight thousand of them.
 */
export type BucketRow = [
  /** Epoch seconds of the bucket's start. */
  start: number,
  /** Wh of the variant's register. */
  energyWh: number | null,
  /** False when the energy is only a linear share of a longer gap. */
  hasReading: boolean,
  /** varh, inductive and capacitive together. */
  reactiveVarh: number | null,
  voltage: number | null,
  current: number | null,
  power: number | null,
  powerFactor: number | null,
  samples: number,
  /** The number of hours with a measured energy that covers the whole hour. */
  completeHours: number,
  /** A reset or a false reading affects the energy. */
  isSuspect: boolean,
]
export const bucketStartMs = ([seconds]: BucketRow): number => seconds * 1000

/** The register of a variant: its column and its index in REGISTERS. */
export const REGISTER = { consumption: ['import_wh', 0], production: ['production_wh', 2] } as const
const INDUCTIVE = 5
const CAPACITIVE = 6

/** What a bucket of one hour is made of. */
interface HourCells {
  /** Epoch seconds. */
  readonly start: number
  /** Wh of the variant's register, and varh. */
  readonly energy: number | null
  readonly inductive: number | null
  readonly capacitive: number | null
  readonly voltage: number | null
  readonly current: number | null
  readonly power: number | null
  readonly powerFactor: number | null
  readonly samples: number
  readonly estimatedBits: number
  readonly suspectBits: number
  readonly partialBits: number
}

function toBucket(cells: HourCells, bit: number): BucketRow {
  const { energy, inductive, capacitive, estimatedBits, suspectBits, partialBits } = cells
  return [
    cells.start,
    energy,
    (estimatedBits & bit) === 0,
    inductive === null && capacitive === null ? null : (inductive ?? 0) + (capacitive ?? 0),
    cells.voltage,
    cells.current,
    cells.power,
    cells.powerFactor,
    cells.samples,
    energy !== null && ((estimatedBits | partialBits) & bit) === 0 ? 1 : 0,
    (suspectBits & bit) !== 0,
  ]
}

const bitOf = (variant: Variant): number => 1 << REGISTER[variant][1]

/** Converts a freshly computed roll-up row. */
export function toBucketRow(row: HourRow, variant: Variant): BucketRow {
  const { hour, energies, averages, samples, estimatedBits, suspectBits, partialBits } = row
  const [voltage = null, current = null, power = null, powerFactor = null] = averages
  const cells = {
    start: hour / 1000,
    energy: energies[REGISTER[variant][1]] ?? null,
    inductive: energies[INDUCTIVE] ?? null,
    capacitive: energies[CAPACITIVE] ?? null,
    ...{ voltage, current, power, powerFactor, samples, estimatedBits, suspectBits, partialBits },
  }
  return toBucket(cells, bitOf(variant))
}

/** SQL: the columns that `readHours` receives. */
export const hourFields = (variant: Variant): string =>
  `hour, ${REGISTER[variant][0]}, inductive_varh, capacitive_varh, voltage_avg, current_avg, active_power_avg,
    power_factor_avg, samples, estimated_bits, suspect_bits, partial_bits`

const TWO_32 = 4_294_967_296
/** The server counts microseconds from 2000. */
const EPOCH_S = Date.UTC(2000, 0, 1) / 1000

/** Reads cells one after the other. */
class Cells {
  private view: DataView = new DataView(new ArrayBuffer(0))
  private offset = 0

  begin(bytes: Buffer, offset: number): void {
    // Reading through a view of all that was received is several times as fast as through the methods of a Buffer.
    if (this.view.buffer !== bytes.buffer) this.view = new DataView(bytes.buffer)
    this.offset = bytes.byteOffset + offset
  }

  /** Moves beyond a cell and returns where its value begins; undefined for null. */
  private next(): number | undefined {
    const length = this.view.getInt32(this.offset)
    const start = this.offset + 4
    this.offset = length < 0 ? start : start + length
    return length < 0 ? undefined : start
  }

  int8(): number | null {
    const start = this.next()
    if (start === undefined) return null
    return this.view.getInt32(start) * TWO_32 + this.view.getUint32(start + 4)
  }

  float8(): number | null {
    const start = this.next()
    return start === undefined ? null : this.view.getFloat64(start)
  }

  int4(): number {
    return this.view.getInt32(this.nextOfNotNull())
  }

  int2(): number {
    return this.view.getInt16(this.nextOfNotNull())
  }

  private nextOfNotNull(): number {
    const start = this.next()
    if (start === undefined) throw new Error('a column without nulls is null')
    return start
  }
}

/** Receives the hours of a binary copy, and passes each on as it arrives. */
export function readHours(variant: Variant, take: (hour: BucketRow) => void): RowReader {
  const bit = bitOf(variant)
  const cells = new Cells()
  return (bytes, offset) => {
    cells.begin(bytes, offset)
    const hour = {
      start: (cells.int8() ?? 0) / 1_000_000 + EPOCH_S,
      energy: cells.int8(),
      inductive: cells.int8(),
      capacitive: cells.int8(),
      voltage: cells.float8(),
      current: cells.float8(),
      power: cells.float8(),
      powerFactor: cells.float8(),
      samples: cells.int4(),
      estimatedBits: cells.int2(),
      suspectBits: cells.int2(),
      partialBits: cells.int2(),
    }
    take(toBucket(hour, bit))
  }
}
