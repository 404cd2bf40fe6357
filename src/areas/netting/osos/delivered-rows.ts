import type { Message } from '../../../kernel/messages.ts'
import type { SentHour } from './energy.ts'

/** One row of a request or file: a reading of an hour of an installation, or the reason why it is invalid. */
export interface SentRow {
  /** Index in the request, or row of the file. */
  readonly row: number
  readonly installationId: string
  readonly sent: SentHour | Message
}

/** Rows that are iterated several times; an array, or `PackedRows`. */
export interface DeliveredRows extends Iterable<SentRow> {
  readonly length: number
  at(index: number): SentRow | undefined
}

const NO_IMPORT = 1
const NO_EXPORT = 2
/** The row is kept as an object. */
const WHOLE = 4

const isPackable = (sent: SentHour | Message): sent is SentHour =>
  'hour' in sent &&
  sent.rawText === '' &&
  sent.completenessPct === undefined &&
  sent.isReset === undefined &&
  fits(sent.imported) &&
  fits(sent.exported)

const fits = (value: bigint | null): boolean => value === null || BigInt.asIntN(64, value) === value

/**
 * The rows of a file as columns outside of the heap. As objects they would live through an import of minutes, and a
 * process would keep those of several files until its heap is next collected as a whole.
 */
export class PackedRows implements DeliveredRows {
  readonly #rows: Uint32Array
  readonly #installations: Uint32Array
  readonly #hours: Float64Array
  readonly #imported: BigInt64Array
  readonly #exported: BigInt64Array
  readonly #flags: Uint8Array
  readonly #ids: string[] = []
  readonly #numberOfId = new Map<string, number>()
  /** Rows that are no plain readings: faults, and readings with further properties. */
  readonly #whole = new Map<number, SentRow>()
  #length = 0

  constructor(rowsMax: number) {
    this.#rows = new Uint32Array(rowsMax)
    this.#installations = new Uint32Array(rowsMax)
    this.#hours = new Float64Array(rowsMax)
    this.#imported = new BigInt64Array(rowsMax)
    this.#exported = new BigInt64Array(rowsMax)
    this.#flags = new Uint8Array(rowsMax)
  }

  get length(): number {
    return this.#length
  }

  push(row: SentRow): void {
    const index = this.#length
    if (index === this.#rows.length) throw new Error(`there are more than ${index} rows`)
    this.#length += 1
    const { sent } = row
    if (!isPackable(sent)) {
      this.#flags[index] = WHOLE
      this.#whole.set(index, row)
      return
    }
    this.#rows[index] = row.row
    this.#installations[index] = this.#numberOf(row.installationId)
    this.#hours[index] = sent.hour
    this.#imported[index] = sent.imported ?? 0n
    this.#exported[index] = sent.exported ?? 0n
    this.#flags[index] = (sent.imported === null ? NO_IMPORT : 0) | (sent.exported === null ? NO_EXPORT : 0)
  }

  at(index: number): SentRow | undefined {
    if (index < 0 || index >= this.#length) return undefined
    const flags = this.#flags[index] ?? 0
    if (flags & WHOLE) return this.#whole.get(index)
    return {
      row: this.#rows[index] ?? 0,
      installationId: this.#ids[this.#installations[index] ?? 0] ?? '',
      sent: {
        hour: this.#hours[index] ?? 0,
        imported: flags & NO_IMPORT ? null : (this.#imported[index] ?? 0n),
        exported: flags & NO_EXPORT ? null : (this.#exported[index] ?? 0n),
        rawText: '',
      },
    }
  }

  *[Symbol.iterator](): Generator<SentRow> {
    for (let index = 0; index < this.#length; index++) {
      const row = this.at(index)
      if (row) yield row
    }
  }

  #numberOf(id: string): number {
    const known = this.#numberOfId.get(id)
    if (known !== undefined) return known
    this.#numberOfId.set(id, this.#ids.length)
    return this.#ids.push(id) - 1
  }
}
