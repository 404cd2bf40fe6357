import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeMemory, message } from '../../../../test/support/field/dialects.ts'
import { sparkplugPayload } from '../../../../test/support/field/sparkplug.ts'
import { METRIC_NAME_MAX_LENGTH, SAMPLE_METRICS_MAX } from '../../../kernel/limits.ts'
import { isRegister, REGISTER_MAX, VALUE_MAX } from '../../../kernel/metrics.ts'
import { homeAssistant } from './index.ts'
import { shelly } from './shelly.ts'
import { sparkplug } from './sparkplug.ts'
import { tasmota } from './tasmota.ts'
import { thingsboard } from './thingsboard.ts'
import { type Decoded, type Dialect, Undecodable } from './types.ts'
import { zigbee2mqtt } from './zigbee2mqtt.ts'

const OURS: readonly Dialect[] = [thingsboard, zigbee2mqtt, tasmota, shelly, sparkplug, homeAssistant]

const TOPICS = [
  'v1/devices/me/telemetry',
  'v1/devices/me/attributes',
  'v1/devices/me/attributes/request/1',
  'v1/gateway/telemetry',
  'v1/gateway/connect',
  'v1/gateway/attributes',
  'v1/gateway/attributes/request',
  'v2/t',
  'zigbee2mqtt/plug',
  'zigbee2mqtt/plug/availability',
  'zigbee2mqtt/bridge/devices',
  'zigbee2mqtt/bridge/info',
  'zigbee2mqtt/bridge/event',
  'tele/plug/SENSOR',
  'stat/plug/STATUS8',
  'tele/plug/LWT',
  'shelly-1/status/em:0',
  'shelly-1/status/switch:1',
  'shelly-1/events/rpc',
  'shelly-1/online',
  'spBv1.0/plant/NBIRTH/edge',
  'spBv1.0/plant/DBIRTH/edge/meter',
  'spBv1.0/plant/DDATA/edge/meter',
  'spBv1.0/plant/NDEATH/edge',
] as const

const WORDS = [
  'ts',
  'values',
  'Time',
  'ENERGY',
  'Power',
  'Total',
  'params',
  'method',
  'last_seen',
  '__proto__',
  'device',
]
const key = fc.oneof(fc.constantFrom(...WORDS), fc.string({ maxLength: 120 }))
const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { depthSize: 'small' },
    fc.double(),
    fc.string(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('json'), { maxLength: 5 }),
    fc.dictionary(key, tie('json'), { maxKeys: 8 }),
  ),
}))
const metric = fc.record(
  {
    name: fc.string(),
    alias: fc.nat(5),
    timestamp: fc.nat(),
    datatype: fc.nat(40),
    int: fc.nat(),
    double: fc.double(),
    text: fc.string(),
    isNull: fc.boolean(),
  },
  { requiredKeys: [] },
)
const payload = fc.oneof(
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  json.map((value) => Buffer.from(JSON.stringify(value) ?? '')),
  fc
    .tuple(fc.array(metric, { maxLength: 8 }), fc.nat(300))
    .map(([metrics, seq]) => sparkplugPayload(metrics, { timestamp: 1, seq })),
)

/** Guarantees of a decoded message for its consumer, for any input. */
function check({ readings = [] }: Decoded): void {
  for (const { values, at } of readings) {
    if (at !== undefined) expect(Number.isFinite(at)).toBe(true)
    expect(Object.keys(values).length).toBeLessThanOrEqual(SAMPLE_METRICS_MAX)
    for (const [name, value] of Object.entries(values)) {
      expect(name.length > 0 && name.length <= METRIC_NAME_MAX_LENGTH).toBe(true)
      expect(Math.abs(value)).toBeLessThanOrEqual(isRegister(name) ? REGISTER_MAX : VALUE_MAX)
    }
  }
}

describe('any bytes on any topic', () => {
  it('are decoded or rejected, without any other error', () => {
    const step = fc.tuple(fc.constantFrom(...TOPICS), payload)
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 6 }), (steps) => {
        const memory = makeMemory()
        for (const [topic, bytes] of steps) {
          const [dialect, ...others] = OURS.filter((one) => one.claims(topic))
          expect(others).toEqual([])
          try {
            check(dialect?.decode(message(topic, bytes, { memory })) ?? {})
          } catch (error) {
            if (!(error instanceof Undecodable)) throw error
          }
        }
      }),
      { numRuns: 1500 },
    )
  })

  it('belong to at most one dialect, for any topic', () => {
    const level = fc.oneof(
      fc.constantFrom(
        'v1',
        'v2',
        'gateway',
        'tele',
        'status',
        'em:0',
        'online',
        'events',
        'rpc',
        'zigbee2mqtt',
      ),
      fc.string({ maxLength: 5 }),
    )
    fc.assert(
      fc.property(fc.array(level, { maxLength: 5 }), (levels) => {
        const topic = levels.join('/')
        const claiming = OURS.filter((dialect) => dialect.claims(topic))
        expect(claiming.length).toBeLessThan(2)
        for (const dialect of claiming) {
          try {
            dialect.decode(message(topic, '{}'))
          } catch (error) {
            if (!(error instanceof Undecodable)) throw error
          }
        }
      }),
    )
  })
})
