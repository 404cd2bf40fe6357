import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../support/api.ts'
import {
  connectGateway,
  createDevice,
  createGateway,
  type TestGateway,
  telemetry,
} from '../../support/field/mqtt.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'
import { waitFor } from '../../support/wait-for.ts'

let api: TestApi
let tenant: TestTenant
let gateway: TestGateway
let device: string

beforeAll(async () => {
  api = await startApi({ mqtt: true })
  tenant = await createTenant(api)
  gateway = await createGateway(api, tenant, 'roof')
  device = await createDevice(api, tenant, { name: 'meter 1', gatewayId: gateway.id })
})
afterAll(() => api.close())

const connect = (options = {}) => connectGateway(api.mqttPort, gateway, options)
const sample = (index: number) =>
  telemetry(device, [{ ts: api.clock.now() + index, v: { voltage: 230 + index } }], { seq: index })

async function storedVoltages(): Promise<number[]> {
  const query = 'from=2026-11-19T00:00:00Z&to=2026-11-21T00:00:00Z&limit=2000'
  const path = `/api/measurements/devices/${device}/samples?${query}`
  const { body } = await api.call('GET', path, { token: tenant.admin.token })
  return body.map(({ values }: { values: Record<string, number> }) => values['voltage'])
}

describe('telemetry acknowledged after its commit', () => {
  it('is forwarded to subscribers while they are subscribed, and stored and acknowledged in any case', async () => {
    const [sender, listener] = [
      await connect({ clientId: 'sender' }),
      await connect({ clientId: 'listener' }),
    ]
    const received: number[] = []
    listener.on('message', (topic: string, payload: Buffer) => {
      if (topic === 'telemetry') received.push(JSON.parse(payload.toString()).seq)
    })
    const send = (index: number) => sender.publishAsync('telemetry', sample(index), { qos: 1 })
    for (let index = 1; index <= 10; index++) await send(index)
    await listener.subscribeAsync('telemetry', { qos: 1 })
    await Promise.all(Array.from({ length: 50 }, (_, index) => send(11 + index)))
    await waitFor(() => received.length === 50)
    await listener.unsubscribeAsync('telemetry')
    for (let index = 61; index <= 70; index++) await send(index)
    await listener.subscribeAsync('+', { qos: 0 })
    await send(71)
    await waitFor(() => received.length === 51)
    expect(received).toEqual([...Array.from({ length: 50 }, (_, index) => 11 + index), 71])
    expect(await storedVoltages()).toEqual(Array.from({ length: 71 }, (_, index) => 231 + index))
    await Promise.all([sender.endAsync(), listener.endAsync()])
  })

  it('is stored with any quality of service', async () => {
    const sender = await connect({ clientId: 'mixed' })
    for (let index = 101; index <= 120; index++) {
      await sender.publishAsync('telemetry', sample(index), { qos: index % 2 === 0 ? 1 : 2 })
    }
    await sender.publishAsync('telemetry', sample(121), { qos: 0 })
    await waitFor(async () => (await storedVoltages()).includes(351))
    expect((await storedVoltages()).filter((voltage) => voltage > 330)).toHaveLength(21)
    await sender.endAsync()
  })
})
