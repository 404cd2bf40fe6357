import { FACT_COLUMNS, type FactText } from '../../../src/areas/netting/calculation/fact-text.ts'
import type { CopiedFields } from '../../../src/platform/db/copied-fields.ts'

/** The fields as a COPY returns them. */
export function fieldsOf(texts: readonly FactText[]): CopiedFields {
  const values = texts.flatMap((text) => FACT_COLUMNS.map((name) => text[name]))
  const encoded = values.map((value) => (value === null ? null : Buffer.from(value)))
  const bytes = new Uint8Array(encoded.reduce((sum, value) => sum + 4 + (value?.length ?? 0), 0))
  const view = new DataView(bytes.buffer)
  let at = 0
  for (const value of encoded) {
    view.setInt32(at, value?.length ?? -1)
    at += 4
    if (value) bytes.set(value, at)
    at += value?.length ?? 0
  }
  return bytes
}
