import { CompiledQuery } from 'kysely'
import { BinaryCopy, CopyData } from './binary-copy.ts'
import type { TenantTx } from './tenant.ts'
import type { DB } from './types.ts'

/** Rows as the data of a COPY. They can be made in another thread than the one that inserts them. */
export interface EncodedRows {
  readonly table: keyof DB
  readonly columns: readonly string[]
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** Inserts rows with one COPY. */
export async function copyRows(
  { db }: Pick<TenantTx, 'db'>,
  { table, columns, bytes }: EncodedRows,
): Promise<void> {
  const text = `copy ${table} (${columns.join(', ')}) from stdin (format binary)`
  await db.executeQuery(CompiledQuery.raw(text, [new CopyData(bytes)]))
}

/** The size of the first buffer: most runs are those of one hour. */
const SMALL_BYTES = 16 * 1024

/** Encodes values of rows, column by column; null is missing. Texts and ids are encoded once. */
export class RowEncoder {
  #copy = new BinaryCopy(new ArrayBuffer(SMALL_BYTES))
  readonly #texts = new Map<string, Uint8Array>()
  readonly #ids = new Map<string, Uint8Array>()

  begin(columns: number): void {
    this.#copy.row(columns)
  }

  int4(value: number | null): void {
    if (value === null) this.#copy.missing()
    else this.#copy.int4(value)
  }

  bool(value: boolean): void {
    this.#copy.bool(value)
  }

  timestamptz(instant: number): void {
    this.#copy.timestamptz(instant)
  }

  /** A decimal as an integer of its last place. */
  numeric(value: bigint | null, decimals: 3 | 6): void {
    if (value === null) this.#copy.missing()
    else this.#copy.numeric(value, decimals)
  }

  text(value: string | null): void {
    this.#put(value, this.#texts, (text) => Buffer.from(text))
  }

  uuid(value: string | null): void {
    this.#put(value, this.#ids, uuidBytes)
  }

  raw(value: Uint8Array): void {
    this.#copy.raw(value)
  }

  /**
   * Returns the rows since the last call, in a buffer of their own. `spare`: a buffer that nobody uses any more, which
   * receives the following rows if it has the size of these.
   */
  take(spare?: ArrayBuffer): Uint8Array<ArrayBuffer> {
    const data = this.#copy.finish()
    const isLargeEnough = spare !== undefined && spare.byteLength >= data.length
    this.#copy = new BinaryCopy(isLargeEnough ? spare : new ArrayBuffer(Math.max(data.length, SMALL_BYTES)))
    return data
  }

  #put(value: string | null, known: Map<string, Uint8Array>, encode: (text: string) => Uint8Array): void {
    if (value === null) {
      this.#copy.missing()
      return
    }
    let bytes = known.get(value)
    if (!bytes) {
      bytes = encode(value)
      known.set(value, bytes)
    }
    this.#copy.raw(bytes)
  }
}

export const uuidBytes = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex')
