import { expect, test } from 'vitest'
import { HOUR_MS } from '../../../kernel/time.ts'
import { PackedRows, type SentRow } from './delivered-rows.ts'
import { READING_TEXTS } from './messages.ts'

const hour = 480_000 * HOUR_MS
const rows: SentRow[] = [
  { row: 2, installationId: 'a', sent: { hour, imported: 1_500_000n, exported: null, rawText: '' } },
  { row: 3, installationId: 'b', sent: { hour, imported: null, exported: 0n, rawText: '' } },
  { row: 5, installationId: '', sent: READING_TEXTS.READING_WITHOUT_INSTALLATION() },
  { row: 6, installationId: 'a', sent: { hour, imported: -1n, exported: 2n, rawText: '-0.000001 | 2' } },
  // More than 64 bits.
  { row: 7, installationId: 'a', sent: { hour, imported: 2n ** 63n, exported: -(2n ** 70n), rawText: '' } },
  { row: 8, installationId: 'b', sent: { hour, imported: 2n ** 63n - 1n, exported: null, rawText: '' } },
  {
    row: 9,
    installationId: 'a',
    sent: { hour, imported: 1n, exported: 1n, rawText: '', completenessPct: 75, isReset: true },
  },
]

test('packed rows are those that were added, in their order', () => {
  const packed = new PackedRows(rows.length)
  for (const row of rows) packed.push(row)
  expect([...packed]).toEqual(rows)
  expect(packed.length).toBe(rows.length)
  expect(rows.map((_, index) => packed.at(index))).toEqual(rows)
  expect(packed.at(rows.length)).toBeUndefined()
  expect(() => packed.push({ ...rows[0], row: 10 } as SentRow)).toThrow('more than 7 rows')
})
