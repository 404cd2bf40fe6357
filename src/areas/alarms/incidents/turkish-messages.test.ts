import { describe, expect, it } from 'vitest'
import type { Rule, Violation } from '../../../core/alarms/rule.ts'
import { messageOf, payloadOf } from './messages.ts'
import { messageInTurkish } from './turkish-messages.ts'

const source = {
  policyName: 'p',
  deviceName: 'Trafo 1',
  gatewayId: null,
  gatewayName: null,
  subregionId: null,
  subregionName: null,
}
const rule: Rule = {
  kind: 'threshold',
  metric: 'temperature',
  operator: 'gt',
  threshold: 80,
  clearThreshold: 75,
  delayOnMs: 0,
  delayOffMs: 0,
  ratePerMs: 60_000,
  silenceMs: 0,
  schedule: undefined,
}
const since = Date.parse('2026-11-20T21:30:05Z')
const violation: Violation = { from: since, to: null, since, value: 85.2, peak: 85.2, last: 85.2 }

/** As stored: JSON keeps no undefined. */
const both = (over: Partial<Rule>, value: number | null = 85.2) => {
  const [r, s] = [
    { ...rule, ...over },
    { ...violation, value },
  ]
  return [
    messageInTurkish(JSON.parse(JSON.stringify(payloadOf(r, s, source)))),
    messageOf(r, s, source),
  ] as const
}

describe('Turkish incident message', () => {
  it.each<[string, Partial<Rule>, number | null, readonly [tr: string, en: string]]>([
    [
      'threshold',
      {},
      85.2,
      [
        'Trafo 1: sıcaklık 85,2 °C (alarm sınırı: 80 °C üzeri)',
        'Trafo 1: temperature is 85.2 °C, above 80 °C',
      ],
    ],
    [
      'threshold on a phase, thousands',
      { metric: 'active_power_l2', operator: 'lte', threshold: -1250.5 },
      -12345.678,
      [
        'Trafo 1: aktif güç L2 -12.345,678 kW (alarm sınırı: -1.250,5 kW ve altı)',
        'Trafo 1: active_power_l2 is -12345.678 kW, at or below -1250.5 kW',
      ],
    ],
    [
      'percentage, with its sign in front',
      { metric: 'state_of_charge', operator: 'lt', threshold: 20 },
      19.5,
      [
        'Trafo 1: şarj durumu %19,5 (alarm sınırı: %20 altı)',
        'Trafo 1: state_of_charge is 19.5 %, below 20 %',
      ],
    ],
    [
      'a value without a unit',
      { metric: 'power_factor', operator: 'ne', threshold: 1 },
      0.9,
      ['Trafo 1: güç faktörü 0,9 (alarm sınırı: 1 dışı)', 'Trafo 1: power_factor is 0.9, other than 1'],
    ],
    [
      'extra metric',
      { metric: 'oil_level_l1', operator: 'eq', threshold: 0 },
      0,
      ['Trafo 1: oil_level_l1 0 (alarm sınırı: 0 değeri)', 'Trafo 1: oil_level_l1 is 0, which is 0'],
    ],
    [
      'rate of change',
      { kind: 'rate_of_change', operator: 'gte', threshold: 3.5, ratePerMs: 3_600_000 },
      4.25,
      [
        'Trafo 1: sıcaklık değişimi saatte 4,25 °C (alarm sınırı: 3,5 °C ve üzeri)',
        'Trafo 1: temperature changes by 4.25 °C an hour, at or above 3.5 °C',
      ],
    ],
    [
      'register that decreased',
      { kind: 'counter_reset', metric: 'import_active_energy' },
      -120.5,
      [
        'Trafo 1: çekilen aktif enerji sayacı 120,5 kWh geriledi',
        'Trafo 1: import_active_energy fell by 120.5 kWh',
      ],
    ],
    [
      'silence of a device',
      { kind: 'offline', metric: null, silenceMs: 900_000 },
      null,
      [
        'Trafo 1: 21.11.2026 00:30:05 tarihinden beri veri göndermiyor (izin verilen süre: 15 dk)',
        'Trafo 1 has sent nothing since 2026-11-21 00:30:05, longer than 15 min',
      ],
    ],
    [
      'silence of a metric',
      { kind: 'no_data', metric: 'voltage', silenceMs: 90_000 },
      null,
      [
        'Trafo 1: 21.11.2026 00:30:05 tarihinden beri gerilim değeri göndermiyor (izin verilen süre: 90 sn)',
        'Trafo 1 has sent no voltage since 2026-11-21 00:30:05, longer than 90 s',
      ],
    ],
  ])('has the content of the English message: %s', (_, over, value, messages) => {
    expect(both(over, value)).toEqual(messages)
  })

  it.each([
    null,
    {},
    { alarm_type: 'threshold', device_name: 'x' },
    { alarm_type: 'threshold', device_name: 'x', metric: 'voltage', value: 1 },
    { alarm_type: 'offline', device_name: 'x' },
  ])('is null where the facts are missing: %j', (payload) => {
    expect(messageInTurkish(payload)).toBeUndefined()
  })
})
