import type { Schema } from './document.ts'
import type { FuzzRandom } from './random.ts'

const BOUNDARY = 'fuzz-boundary'

const FILES: readonly string[] = [
  'Tarih;Çekiş\n01.11.2026 01:00;1,5\n01.11.2026 02:00;2\n',
  'date,matched_kwh\n2026-11-01,1\n',
  'tariff_code,price_purpose,time_segment,unit,price\nmesken,energy,single,TRY/kWh,1.5\n',
  'Tarih;Çekiş\n99.99.2026 25:00;abc\n',
  '',
  '\u0000\u0001\u0002',
  '"unclosed\n',
  'PK\u0003\u0004 not a workbook',
  `${'a;'.repeat(5_000)}\n`,
  `Tarih;Çekiş\n${'01.11.2026 01:00;1\n'.repeat(3_000)}`,
]
const NAMES: readonly string[] = [
  'figures.csv',
  'figures.xlsx',
  'figures.csv',
  '',
  '../figures.csv',
  'x'.repeat(300),
  'ş".bin',
]

const MULTIPART_TYPE = `multipart/form-data; boundary=${BOUNDARY}`

/** A form of the fields of a value; the fields that the schema calls binary are files. */
function multipartOf(value: unknown, schema: Schema, random: FuzzRandom): Buffer {
  const parts = Object.entries((value ?? {}) as Record<string, unknown>).flatMap(([name, field]) => {
    if (field === undefined) return []
    const isFile = schema.properties?.[name]?.format === 'binary'
    const fileName = isFile ? `; filename="${random.choose(NAMES) ?? ''}"` : ''
    const text = isFile ? random.choose(FILES) : typeof field === 'string' ? field : JSON.stringify(field)
    return [`--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${fileName}\r\n\r\n${text}\r\n`]
  })
  const end = random.chance(95) ? `--${BOUNDARY}--\r\n` : ''
  return Buffer.from(parts.join('') + end)
}

/** The bytes of a value in a content type. */
export function bodyOf(value: unknown, [type, schema]: readonly [string, Schema], random: FuzzRandom) {
  if (type === 'multipart/form-data')
    return { contentType: MULTIPART_TYPE, body: multipartOf(value, schema, random) }
  if (type !== 'application/json') return { contentType: type, body: Buffer.from(random.choose(FILES) ?? '') }
  return { contentType: type, body: Buffer.from(JSON.stringify(value) ?? '') }
}
