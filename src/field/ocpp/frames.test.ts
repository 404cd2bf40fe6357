import { describe, expect, it } from 'vitest'
import { payloadOf, readFrame } from './frames.ts'

describe('the payload of a call', () => {
  it.each([
    [
      'an object',
      '[2,"7","MeterValues",{"connectorId":1,"meterValue":[]}]',
      { connectorId: 1, meterValue: [] },
    ],
    ['a text', '[2,"7","MeterValues","x"]', 'x'],
    ['absent', '[2,"7","Heartbeat"]', {}],
  ])('is the same after it was given away: %s', (_what, text, payload) => {
    const call = readFrame(text)
    if (call.kind !== 'call') return expect.unreachable()
    expect(payloadOf(call)).toEqual(payload)
    call.payload = undefined
    expect(payloadOf(call)).toEqual(payload)
  })
})
