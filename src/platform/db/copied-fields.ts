import { CompiledQuery } from 'kysely'
import { CopyReceiver } from './copy-out.ts'
import type { TenantTx } from './tenant.ts'

/** Rows as one buffer, which can be moved to another thread: no value of them becomes an object of this thread. */
export type CopiedFields = Uint8Array<ArrayBuffer>

const INITIAL_BYTES = 256 * 1024

/**
 * Reads the rows of a statement, which takes no parameters, by COPY: the fields of all rows one after the other, each
 * with its length before it. `spare`: a buffer that nobody uses any more, which receives them if it is large enough.
 */
export async function copyFields(
  { db }: Pick<TenantTx, 'db'>,
  select: string,
  spare = new ArrayBuffer(INITIAL_BYTES),
): Promise<CopiedFields> {
  let bytes = new Uint8Array(spare)
  let length = 0
  const receiver = new CopyReceiver((row, offset, end) => {
    const needed = length + end - offset
    if (needed > bytes.length) {
      const larger = new Uint8Array(Math.max(needed, 2 * bytes.length))
      larger.set(bytes.subarray(0, length))
      bytes = larger
    }
    bytes.set(row.subarray(offset, end), length)
    length = needed
  })
  await db.executeQuery(CompiledQuery.raw(`copy (${select}) to stdout (format binary)`, [receiver]))
  return bytes.subarray(0, length)
}

/** Returns the fields of copied rows as texts of ASCII characters; null is a missing value. */
export function* textsOfFields(fields: CopiedFields): Generator<string | null> {
  const buffer = Buffer.from(fields.buffer, fields.byteOffset, fields.length)
  for (let at = 0; at < buffer.length; ) {
    const length = buffer.readInt32BE(at)
    at += 4
    yield length < 0 ? null : buffer.toString('latin1', at, at + length)
    at += Math.max(length, 0)
  }
}
