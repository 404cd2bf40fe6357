import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../support/api.ts'
import { connectGateway, createGateway } from '../../support/field/mqtt.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'
import { waitFor } from '../../support/wait-for.ts'

let api: TestApi
beforeAll(async () => {
  api = await startApi({ mqtt: true })
})
afterAll(() => api.close())

it('the gateways of a deactivated tenant are disconnected and refused until it is reactivated', async () => {
  const [tenant, bystander] = [await createTenant(api), await createTenant(api)]
  const gateways = [await createGateway(api, tenant, 'roof'), await createGateway(api, tenant, 'cellar')]
  const other = await connectGateway(api.mqttPort, await createGateway(api, bystander, 'roof'))
  const setActive = async ({ uid }: TestTenant, isActive: boolean) => {
    const { status } = await api.call('PATCH', `/api/v1/admin/tenants/${uid}`, {
      token: bystander.superuser.token,
      body: { is_active: isActive },
    })
    expect(status).toBe(200)
  }
  const clients = await Promise.all(gateways.map((gateway) => connectGateway(api.mqttPort, gateway)))
  await setActive(tenant, false)
  await waitFor(() => clients.every(({ connected }) => !connected))
  for (const gateway of gateways) await expect(connectGateway(api.mqttPort, gateway)).rejects.toThrow()
  expect(other.connected).toBe(true)

  await setActive(tenant, true)
  for (const gateway of gateways) await (await connectGateway(api.mqttPort, gateway)).endAsync()
  await other.endAsync()
})
