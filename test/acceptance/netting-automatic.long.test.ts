/** An automatic correction waits for the shortest quiet period, five minutes by the clock of the service. */
import { expect, it } from 'vitest'
import { call, eventually } from './client.ts'
import { calculate, declare, groupPath, hourly, importPair, summary } from './netting-fixture.ts'

const WAIT_MS = 20 * 60_000

it(
  'a stale month of a group with automatic corrections is corrected after the quiet period',
  async () => {
    const pair = await importPair()
    await declare({ facility: pair.producer, role: 'main_production', values: [10, 10] })
    await declare({ facility: pair.consumer, role: 'main_consumption', values: [4, 4] })
    await calculate(pair)
    const mode = { correction_mode: 'automatic', correction_quiet_minutes: 5 }
    const changed = await call('admin', 'PATCH', groupPath(pair), mode)
    expect([changed.status, changed.body]).toEqual([200, expect.objectContaining(mode)])
    await declare({ facility: pair.consumer, role: 'main_consumption', values: [4, 5] })
    expect(await summary(pair)).toMatchObject({ stale: true, stale_hours: 1 })
    await eventually(
      () => summary(pair),
      ({ stale }) => stale === false,
      WAIT_MS,
    )
    const rows = await hourly(pair)
    expect(rows.map((row: { consumption_kwh: string }) => row.consumption_kwh)).toEqual(['4.000', '5.000'])
    const runs = await call('viewer', 'GET', `${groupPath(pair)}/runs`)
    expect(runs.body[0]).toMatchObject({ is_current: true, stage: 'automatic_correction' })
  },
  WAIT_MS + 60_000,
)
