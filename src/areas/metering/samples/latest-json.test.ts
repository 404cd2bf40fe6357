import fc from 'fast-check'
import { expect, it } from 'vitest'
import { LatestJson } from './latest-json.ts'

const NOW = Date.UTC(2026, 10, 5, 12)

const instants = fc.integer({ min: NOW - 3_600_000, max: NOW + 300_000 })
const latestValues = fc.uniqueArray(
  fc.record({
    metric: fc.oneof(
      fc.constantFrom('active_power', 'temperature', 'import_active_energy'),
      fc.string({ unit: 'grapheme', maxLength: 12 }),
    ),
    at: instants,
    value: fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer()),
  }),
  { selector: ({ metric }) => metric, maxLength: 6 },
)
const devices = fc.array(
  fc.record({
    state: fc.record({
      id: fc.uuid(),
      key: fc.nat(),
      is_online: fc.boolean(),
      lastSeen: fc.option(instants, { nil: undefined }),
      offline_threshold_s: fc.constantFrom(60, 300, 3_600),
    }),
    values: latestValues,
  }),
  { maxLength: 5 },
)

it('LatestJson writes the same bytes as JSON.stringify of its objects', () => {
  fc.assert(
    fc.property(devices, fc.array(fc.uuid(), { maxLength: 3 }), (found, unknown) => {
      const latest = new LatestJson({ now: NOW, devices: found, total: found.length, unknown })
      expect(latest.toBuffer().toString('utf8')).toBe(JSON.stringify(latest.toJSON()))
    }),
  )
})
