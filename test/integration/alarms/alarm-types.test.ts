import { afterAll, beforeAll, expect, it } from 'vitest'
import { evaluateMinute, setUpAlarmTest } from '../../support/alarms/alarm-fixture.ts'
import { startApi, type TestApi } from '../../support/api.ts'

const MINUTE = 60_000
let api: TestApi
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

interface Kind {
  readonly name: string
  readonly policy: Readonly<Record<string, unknown>>
  /** One sample a minute. */
  readonly values: readonly (number | Record<string, number>)[]
  /** The single incident, in minutes. */
  readonly span: readonly [number, number]
  readonly says: string
}

const KINDS: readonly Kind[] = [
  {
    name: 'a level with delays opens when it has held, and closes when it has been clear, for so long',
    policy: { delay_on_s: 120, delay_off_s: 60 },
    values: [12, 12, 9, 12, 9, 12, 12, 12, 7, 9, 7, 7, 7],
    span: [7, 11],
    says: 'active_power is 12 kW, above 10 kW',
  },
  {
    name: 'a rise is watched by the minute',
    policy: { alarm_type: 'rate_of_change', metric: 'active_power', operator: 'gt', threshold: 3 },
    values: [0, 2, 6, 6],
    span: [2, 3],
    says: '4 kW',
  },
  {
    name: 'a fall is watched by the hour',
    policy: {
      ...{ alarm_type: 'rate_of_change', metric: 'active_power', operator: 'lt', threshold: -60 },
      rate_per: 'hour',
    },
    values: [9, 8.5, 7, 7],
    span: [2, 3],
    says: '-90 kW',
  },
  {
    name: 'a counter that begins anew is told once',
    policy: { alarm_type: 'counter_reset', metric: 'import_active_energy' },
    values: [100, 101, 3, 4].map((import_active_energy) => ({ import_active_energy })),
    span: [2, 3],
    says: 'import_active_energy',
  },
  {
    name: 'a metric of one’s own has levels like any other',
    policy: { metric: 'oil level', operator: 'lte', threshold: 2, clear_threshold: 3 },
    values: [5, 2, 2.5, 3.5].map((level) => ({ 'oil level': level })),
    span: [1, 3],
    says: 'oil level',
  },
]

for (const { name, policy, values, span, says } of KINDS) {
  it(name, async () => {
    const { start, list, spans, store } = await setUpAlarmTest(api, policy)
    api.clock.advance(values.length * MINUTE)
    await store(values.map((value, minute) => [start + minute * MINUTE, value]))
    await evaluateMinute(api)
    expect(await spans()).toEqual([span])
    expect((await list())[0]?.message).toContain(says)
  })
}
