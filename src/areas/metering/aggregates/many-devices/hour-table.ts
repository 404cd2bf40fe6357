import { NEIGHBOUR_READINGS } from '../../../../core/netting/counter/readings.ts'
import { byteAt, floatAt } from '../../../../kernel/checked.ts'
import { HOUR_MS, type Range } from '../../../../kernel/time.ts'
import type { RowReader } from '../../../../platform/db/copy-out.ts'
import { AVERAGED } from '../../rollup/index.ts'
import type { EnergyBucket } from '../energy-store.ts'

const POWER = AVERAGED.indexOf('active_power')

/**
 * Hours with a reading each after which later samples do not change the hours before them: samples change what lies
 * between NEIGHBOUR_READINGS readings on either side, and a reading on the hour counts for two hours.
 */
export const SETTLED_HOURS = 2 * NEIGHBOUR_READINGS - 1

/** An hour of a device. */
interface HourCell {
  /** Wh of the register. */
  readonly energyWh: number | null
  readonly powerKw: number | null
  /** The energy is more than a linear share of a gap. */
  readonly hasReading: boolean
  readonly isSuspect: boolean
  /** The energy is measured and covers the whole hour. */
  readonly isWhole: boolean
}

const KNOWN = 1
const HAS_READING = 2
const SUSPECT = 4
const WHOLE = 8

const TWO_32 = 4_294_967_296
/** The server counts microseconds from 2000. */
const EPOCH_MS = Date.UTC(2000, 0, 1)
const instantAt = (bytes: Buffer, offset: number): number =>
  (bytes.readInt32BE(offset) * TWO_32 + bytes.readUInt32BE(offset + 4)) / 1000 + EPOCH_MS

/**
 * The hours of one register of many devices as columns, with a row for each device: objects for the hours of a
 * thousand devices would cost more than reading them.
 */
export class HourTable {
  readonly hours: number
  private readonly from: number
  /** The hours of the range, and SETTLED_HOURS after it. */
  private readonly width: number
  private readonly register: number
  private readonly bit: number
  private readonly rowOf: ReadonlyMap<number, number>
  private readonly flags: Uint8Array
  /** Wh and kW; NaN for null. */
  private readonly energies: Float64Array
  private readonly powers: Float64Array
  /** Bits of the registers with a reading. */
  private readonly readBits: Uint8Array

  constructor(deviceKeys: readonly number[], { from, to }: Range, register: number) {
    this.from = from
    this.register = register
    this.bit = 1 << register
    this.hours = (to - from) / HOUR_MS
    this.width = this.hours + SETTLED_HOURS
    this.rowOf = new Map(deviceKeys.map((key, row) => [key, row]))
    const cells = deviceKeys.length * this.width
    this.flags = new Uint8Array(cells)
    this.energies = new Float64Array(cells)
    this.powers = new Float64Array(cells)
    this.readBits = new Uint8Array(cells)
  }

  /** Receives a row of a binary copy: key, hour, energy, power, bits with a reading, suspect bits, and partial bits. */
  readonly readRow: RowReader = (bytes, begin) => {
    const row = this.rowOf.get(bytes.readInt32BE(begin + 4))
    const column = (instantAt(bytes, begin + 12) - this.from) / HOUR_MS
    if (row === undefined || column < 0 || column >= this.width) return
    let offset = begin + 20
    let [energy, power] = [Number.NaN, Number.NaN]
    if (bytes.readInt32BE(offset) > 0) {
      energy = bytes.readDoubleBE(offset + 4)
      offset += 8
    }
    offset += 4
    if (bytes.readInt32BE(offset) > 0) {
      power = bytes.readDoubleBE(offset + 4)
      offset += 8
    }
    offset += 4
    const readBits = bytes.readInt32BE(offset + 4)
    const suspectBits = bytes.readInt16BE(offset + 12)
    const partialBits = bytes.readInt16BE(offset + 18)
    const cell = row * this.width + column
    this.energies[cell] = energy
    this.powers[cell] = power
    this.readBits[cell] = readBits
    this.flags[cell] = this.flagsOf(readBits, suspectBits, readBits & ~partialBits)
  }

  private flagsOf(readBits: number, suspectBits: number, wholeBits: number): number {
    const { bit } = this
    return (
      KNOWN |
      ((readBits & bit) === 0 ? 0 : HAS_READING) |
      ((suspectBits & bit) === 0 ? 0 : SUSPECT) |
      ((wholeBits & bit) === 0 ? 0 : WHOLE)
    )
  }

  /** Replaces the hours of a device from an instant on. */
  replaceFrom(row: number, from: number, buckets: readonly EnergyBucket[]): void {
    const begin = row * this.width
    this.flags.fill(0, begin + (from - this.from) / HOUR_MS, begin + this.hours)
    for (const { start, energies, averages, readBits, suspectBits, wholeBits } of buckets) {
      const cell = begin + (start - this.from) / HOUR_MS
      this.energies[cell] = energies[this.register] ?? Number.NaN
      this.powers[cell] = averages[POWER] ?? Number.NaN
      this.flags[cell] = this.flagsOf(readBits, suspectBits, wholeBits)
    }
  }

  /** Whether each of the SETTLED_HOURS from an hour on has a reading of each of the registers. */
  isSettledAt(row: number, hour: number, registers: number): boolean {
    const first = row * this.width + (hour - this.from) / HOUR_MS
    let read = registers
    for (let cell = first; cell < first + SETTLED_HOURS; cell++) read &= byteAt(this.readBits, cell)
    return read === registers
  }

  /** Undefined for an hour without a row. */
  at(row: number, column: number): HourCell | undefined {
    const cell = row * this.width + column
    const flags = byteAt(this.flags, cell)
    if (flags === 0) return undefined
    return {
      energyWh: orNull(floatAt(this.energies, cell)),
      powerKw: orNull(floatAt(this.powers, cell)),
      hasReading: (flags & HAS_READING) !== 0,
      isSuspect: (flags & SUSPECT) !== 0,
      isWhole: (flags & WHOLE) !== 0,
    }
  }
}

const orNull = (value: number): number | null => (Number.isNaN(value) ? null : value)
