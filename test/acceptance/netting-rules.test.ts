/** Rules of eligibility, and the start of hourly netting. */
import { expect, it } from 'vitest'
import { call } from './client.ts'
import { calculate, declare, groupPath, importPair } from './netting-fixture.ts'

it('R008 and R009 are answered from the stored fields and the production of the month', async () => {
  const pair = await importPair()
  const statuses = async () => {
    const { status, body, text } = await call('admin', 'POST', `${groupPath(pair)}/evaluate`)
    expect(status, text).toBe(201)
    const of = (wanted: string) => body.rules.find(({ code }: { code: string }) => code === wanted).status
    return [of('R008'), of('R009')]
  }
  expect(await statuses()).toEqual(['not_checked', 'not_checked'])
  const patch = async (id: string, body: object) =>
    expect((await call('admin', 'PATCH', `/api/mahsuplasma/facilities/${id}`, body)).status).toBe(200)
  await patch(pair.consumer, { tariff_supply_type: 'regulated' })
  await patch(pair.producer, { installed_power_kw: '80', contracted_power_kw: '70' })
  expect(await statuses()).toEqual(['pass', 'fail'])
})

it.each([
  ['2026-04-01', 'month', true],
  ['2026-05-01', 'hour', false],
])('a calculation of %s has the figures of the %s in force', async (month, side, isWarned) => {
  const pair = await importPair({ month })
  await declare({ facility: pair.producer, role: 'main_production', values: [10, 0], month })
  await declare({ facility: pair.consumer, role: 'main_consumption', values: [4, 6], month })
  const { warning_codes: codes } = await calculate(pair, month)
  expect(codes.includes('HOURLY_NETTING_NOT_IN_FORCE')).toBe(isWarned)
  const { body } = await call('viewer', 'GET', `${groupPath(pair)}/comparison?billing_period=${month}`)
  expect(body).toMatchObject({ netted_by: 'hour', side_in_force: side })
})
