import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { readSchemas } from '../schemas.ts'
import { ENCODERS_201 } from './index.ts'

test('docs/integrate/ocpp.md names the message of every command of 2.0.1', async () => {
  const text = await readFile(new URL('../../../../docs/integrate/ocpp.md', import.meta.url), 'utf8')
  const rows = text.split('\n').filter((line) => line.startsWith('| `'))
  const encoders = Object.entries(ENCODERS_201)
  expect(encoders.length).toBeGreaterThan(25)
  const schemas = readSchemas('2.0.1')
  for (const [action, encoder] of encoders) {
    const { action: message } = encoder
    expect({ message, isKnown: schemas.has(message) }).toEqual({ message, isKnown: true })
    const row = rows.find((line) => line.includes(`\`${action}\``))
    expect({ action, row }).toEqual({ action, row: expect.stringContaining(message) })
  }
})
