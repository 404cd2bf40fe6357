import { describe, expect, it } from 'vitest'
import { encodeSample, InvalidMessage, parseClientMessage, partitionIds } from './messages.ts'

const codeOf = (text: string) => {
  try {
    return parseClientMessage(text)
  } catch (error) {
    if (error instanceof InvalidMessage) return error.code
    throw error
  }
}
const ID = '0b1c2d3e-4f50-4a61-8b72-9c83ad94be05'

describe('parseClientMessage', () => {
  it.each([
    ['ping', { type: 'ping' }],
    ['{"type":"ping"}', { type: 'ping' }],
    ['{"type":"pong"}', { type: 'pong' }],
    [`{"type":"subscribe","devices":["${ID}"]}`, { type: 'subscribe', devices: [ID], since: undefined }],
    [
      '{"type":"subscribe","devices":[],"since":"1970-01-01T03:00:01+03:00"}',
      { type: 'subscribe', devices: [], since: 1000 },
    ],
    ['{"type":"unsubscribe","devices":["x"]}', { type: 'unsubscribe', devices: ['x'] }],
    ['', 'not_json'],
    ['{', 'not_json'],
    ['null', 'not_json'],
    ['[]', 'not_json'],
    ['"ping"', 'not_json'],
    ['{}', 'unknown_type'],
    ['{"type":"__proto__"}', 'unknown_type'],
    ['{"type":"subscribe"}', 'invalid_message'],
    ['{"type":"subscribe","devices":"x"}', 'invalid_message'],
    ['{"type":"subscribe","devices":[1]}', 'invalid_message'],
    ['{"type":"subscribe","devices":[],"since":"yesterday"}', 'invalid_message'],
    ['{"type":"subscribe","devices":[],"since":5}', 'invalid_message'],
  ])('%s', (text, expected) => {
    expect(codeOf(text)).toEqual(expected)
  })
})

it('removes duplicate ids, lowers their case, and separates malformed ones', () => {
  expect(partitionIds([ID, ID.toUpperCase(), ` ${ID} `, 'x', '', `${ID}0`])).toEqual({
    ids: [ID],
    malformed: ['x', '', `${ID}0`],
  })
  expect(partitionIds(['y'.repeat(5_000)]).malformed).toEqual(['y'.repeat(100)])
})

it('encodes a sample as JSON', () => {
  const text = encodeSample({ deviceId: ID, at: 1_000, values: { active_power: 1.5, 'a "b"': -2 } })
  expect(JSON.parse(String(text))).toEqual({
    type: 'sample',
    device_id: ID,
    timestamp: '1970-01-01T00:00:01.000Z',
    values: { active_power: 1.5, 'a "b"': -2 },
  })
  expect(JSON.parse(encodeSample({ deviceId: ID, at: 0, values: { x: 1 } }, 7))).toMatchObject({
    skipped: 7,
  })
})
