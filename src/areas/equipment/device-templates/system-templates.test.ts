import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type MapDocument, readRegisterMap } from '../../../core/register-map/index.ts'

interface Seed {
  readonly id: string
  readonly name: string
  readonly device_type: string
  readonly register_map: MapDocument
}

const FOLDER = new URL('../../../../seed/device-templates/', import.meta.url)
const seeds = readdirSync(FOLDER).map((file): [string, Seed] => [
  file,
  JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')),
])

/** A device without a counter is useless for netting. */
const countersOf = ({ registers }: MapDocument) =>
  registers.filter(({ kind }) => kind === 'cumulative_counter').map(({ metric }) => metric)

describe('system templates', () => {
  it('are at least twelve, each with a unique id and name', () => {
    expect(seeds.length).toBeGreaterThanOrEqual(12)
    for (const part of ['id', 'name'] as const)
      expect(new Set(seeds.map(([, seed]) => seed[part])).size).toBe(seeds.length)
    for (const [, { id }] of seeds) expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  })

  it.each(seeds)(
    '%s is valid, names its source, counts energy and passes its golden frames',
    (_file, seed) => {
      const result = readRegisterMap(seed.register_map)
      expect('faults' in result ? result.faults : []).toEqual([])
      if ('faults' in result) return
      const { document } = result
      expect(document.source?.title).toBeTruthy()
      expect(document.source?.checked_against).toBeTruthy()
      expect(document.tests.length).toBeGreaterThan(0)
      expect(countersOf(document).length).toBeGreaterThan(0)
    },
  )

  it('are listed in the documentation', () => {
    const page = readFileSync(
      new URL('../../../../docs/integrate/device-templates.md', import.meta.url),
      'utf8',
    )
    for (const [, { name }] of seeds) expect(page).toContain(`| ${name} |`)
  })

  it('have golden frames for a counter and for a gauge', () => {
    for (const [file, { register_map: map }] of seeds) {
      const tested = new Set(map.tests.flatMap((test) => Object.keys(test.expect)))
      const kinds = new Set(map.registers.filter(({ key }) => tested.has(key)).map(({ kind }) => kind))
      expect([...kinds], file).toEqual(expect.arrayContaining(['cumulative_counter', 'gauge']))
    }
  })
})
