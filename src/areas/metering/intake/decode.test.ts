import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '../../../kernel/errors.ts'
import { decodeSamples } from './decode.ts'

const ID = '0b9f2a51-0c6f-4a8f-9d3f-0d5f8f6f1a2b'
const decodeOne = (sample: object) => decodeSamples({ samples: [sample] })[0]
const at = (timestamp: string) => decodeOne({ device_id: ID, timestamp, values: { voltage: 1 } })?.at

describe('timestamps', () => {
  it('accept any offset; without one they are Turkey-local', () => {
    const noon = Date.parse('2026-11-20T12:00:00Z')
    for (const text of [
      '2026-11-20T12:00:00Z',
      '2026-11-20T12:00:00.000Z',
      '2026-11-20T15:00:00+03:00',
      '2026-11-20T15:00:00',
      '2026-11-20 15:00',
      '2026-11-20T07:00:00.0000-0500',
    ]) {
      expect([text, at(text)]).toEqual([text, noon])
    }
  })

  it('are parsed identically by the fast and the general parser', () => {
    const instants = fc.date({
      min: new Date('1990-01-01'),
      max: new Date('2040-01-01'),
      noInvalidDate: true,
    })
    fc.assert(
      fc.property(instants, (date) => {
        expect(at(date.toISOString())).toBe(date.getTime())
      }),
    )
  })

  it('that name no valid day are rejected', () => {
    for (const text of [
      '2026-02-29T00:00:00Z',
      '2026-04-31T00:00:00Z',
      '2026-11-20T24:00:01Z',
      'today',
      '',
    ]) {
      expect(() => at(text)).toThrow(AppError)
    }
    expect(at('2028-02-29T00:00:00Z')).toBe(Date.UTC(2028, 1, 29))
  })
})
