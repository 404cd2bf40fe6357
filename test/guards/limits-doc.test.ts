import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { LIMITS_FILE, limitsDocument, limitValue, readLimits } from '../../tools/limits-document.ts'

describe('docs/operate/limits.md', () => {
  it('matches the limits.ts files', async () => {
    expect(await limitsDocument(), 'run `npm run limits`').toBe(readFileSync(LIMITS_FILE, 'utf8'))
  })

  it('explains every constant', async () => {
    const modules = await readLimits()
    const unexplained = modules.flatMap(({ folder, limits }) =>
      limits.filter(({ comment }) => comment.length < 10).map(({ name }) => `${folder}: ${name}`),
    )
    expect(modules.length).toBeGreaterThan(30)
    expect(unexplained).toEqual([])
  })

  it.each([
    ['DRAIN_MAX_MS', 15_000, '15 s'],
    ['POLL_MS', 1_500, '1,500 ms'],
    ['TOKEN_TTL_S', 1_800, '30 min'],
    ['BODY_BYTES_MAX', 8 * 1024 * 1024, '8 MiB'],
    ['ROWS_MAX', 10_000, '10,000'],
    ['FIRST_MS', Date.UTC(1900, 0, 1), '1900-01-01T00:00:00.000Z'],
  ])('writes %s = %d as %s', (name, value, text) => {
    expect(limitValue(name, value)).toBe(text)
  })
})
