import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestApi } from '../../support/api.ts'
import { connectStation, createCharger, startOcppApi } from '../../support/field/ocpp.ts'
import { type SecondProcess, startSecondProcess } from '../../support/process/second-process.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'
import { waitFor } from '../../support/wait-for.ts'

let api: TestApi
let other: SecondProcess
beforeAll(async () => {
  api = await startOcppApi()
  other = await startSecondProcess(api)
})
afterAll(async () => {
  await other.close()
  await api.close()
})

const setActive = ({ id }: TestTenant, isActive: boolean) =>
  api.deps.database.pool.query('update tenant set is_active = $2 where id = $1', [id, isActive])

const eventsOf = async ({ id }: TestTenant): Promise<number> => {
  const { rows } = await api.deps.database.pool.query(
    'select count(*)::int as count from charger_event where tenant_id = $1',
    [id],
  )
  return rows[0].count
}

it('a deactivated tenant loses its sockets in every process, and its messages are not stored', async () => {
  const [tenant, bystander] = [await createTenant(api), await createTenant(api)]
  const chargers = [await createCharger(api, tenant), await createCharger(api, tenant)] as const
  const stations = [
    await connectStation(api, chargers[0]),
    await connectStation(other, chargers[1], { version: '2.0.1' }),
  ]
  const others = await connectStation(api, await createCharger(api, bystander))
  const sendMessage = (station: (typeof stations)[number]) => station.call('DataTransfer', { vendorId: 'V' })
  for (const station of stations) expect(await sendMessage(station)).toEqual({ status: 'UnknownVendorId' })
  await setActive(tenant, false)
  for (const station of stations) expect(await station.closed()).toMatchObject({ code: 1008 })
  const stored = await eventsOf(tenant)
  expect(stored).toBe(2)
  await expect(stations[0]?.call('DataTransfer', { vendorId: 'W' })).rejects.toThrow()
  await expect(connectStation(api, chargers[0])).rejects.toMatchObject({ code: 401 })
  await expect(connectStation(other, chargers[1])).rejects.toMatchObject({ code: 401 })
  expect(await eventsOf(tenant)).toBe(stored)
  expect(await sendMessage(others)).toEqual({ status: 'UnknownVendorId' })

  await setActive(tenant, true)
  const again = await connectStation(api, chargers[0])
  await waitFor(async () => {
    const { body } = await api.call('GET', `/api/ocpp/chargers/${chargers[0].id}`, {
      token: tenant.admin.token,
    })
    return body.is_online
  })
  expect(await again.call('Heartbeat')).toHaveProperty('currentTime')
  await again.end()
  await others.end()
})
