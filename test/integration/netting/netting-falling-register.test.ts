import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HOUR_MS } from '../../../src/kernel/time.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { addSamples, type SampleSpec } from '../../support/netting/energy.ts'
import { makeFacility } from '../../support/netting/netting.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

/** The start of the current hour. */
const NOW = Date.parse('2026-11-20T09:00:00Z')

let api: TestApi
let tenant: TestTenant
beforeAll(async () => {
  api = await startApi({ now: '2026-11-20T09:30:00Z' })
  tenant = await createTenant(api)
})
afterAll(() => api.close())

/** Four hours of 12 kW, read every 15 minutes; at the middle of them the register falls to `fallsTo`. */
const fallingRegister = (fallsTo: number, power?: number): SampleSpec[] =>
  Array.from({ length: 17 }, (_, index) => ({
    at: NOW - 4 * HOUR_MS + index * (HOUR_MS / 4),
    import_active_energy: index < 9 ? 5000 + index * 3 : fallsTo + (index - 9) * 3,
    ...(power === undefined ? {} : { active_power: power }),
  }))

interface Site {
  readonly samples: SampleSpec[]
  readonly powers?: Readonly<Record<string, string>>
}

/** The energy and the quality of the four hours, from the API. */
async function hoursOf({ samples, powers }: Site): Promise<string[]> {
  const { token } = tenant.admin
  const facility = await makeFacility(api.deps, tenant, {
    meters: ['main_consumption'],
    reportingIntervalS: 900,
  })
  const meter = facility.meters.main_consumption
  if (!meter) throw new Error('no meter')
  const path = `/api/mahsuplasma/facilities/${facility.id}`
  const recorded = { contracted_power_kw: null, installed_power_kw: null, ...powers }
  expect((await api.call('PATCH', path, { token, body: recorded })).status).toBe(200)
  await addSamples(api.deps, tenant, meter, samples)
  const [from, to] = [new Date(NOW - 4 * HOUR_MS).toISOString(), new Date(NOW).toISOString()]
  const body = { from_hour: from, to_hour: to }
  await api.call('POST', `${path}/hourly-energy/rebuild`, { token, body })
  const facts = (await api.call('GET', `${path}/hourly-energy?from=${from}&to=${to}`, { token })).body
  return facts.map((fact: Record<string, unknown>) => `${fact['consumption_kwh']} ${fact['data_quality']}`)
}

/** The fall is in the third hour, whose other three quarters have 3 kWh each. */
const withThirdHour = (third: string) => ['12.000 complete', '12.000 complete', third, '12.000 complete']

describe('the growth after a register fell', () => {
  const implausible = { samples: fallingRegister(1138.7) }

  it('is 0 where the larger power of the facility cannot have caused it', async () => {
    const powers = { contracted_power_kw: '20', installed_power_kw: '15' }
    expect(await hoursOf({ ...implausible, powers })).toEqual(withThirdHour('9.000 suspect'))
  })

  it('is 0 where the own measured power cannot have caused it', async () => {
    expect(await hoursOf({ samples: fallingRegister(1138.7, 12) })).toEqual(withThirdHour('9.000 suspect'))
  })

  it('counts from 0 up to one and a half times the power, and is suspect', async () => {
    // In a quarter of an hour, 12 kW x 1.5 gives 4.5 kWh.
    expect(await hoursOf({ samples: fallingRegister(4.5, 12) })).toEqual(withThirdHour('13.500 suspect'))
    expect(await hoursOf({ samples: fallingRegister(4.501, 12) })).toEqual(withThirdHour('9.000 suspect'))
  })

  it('uses the power of the facility before the measured power', async () => {
    const powers = { contracted_power_kw: '40' }
    expect(await hoursOf({ samples: fallingRegister(10, 12), powers })).toEqual(
      withThirdHour('19.000 suspect'),
    )
  })
})
