import { RPCClient } from 'ocpp-rpc'
import { describe, expect, it } from 'vitest'
import { baseUrl, call, create, uniqueName } from './client.ts'

/** A third-party charging station of OCPP 1.6J: the client of the package ocpp-rpc. */
async function connectStation(cpid: string, password: string): Promise<RPCClient> {
  const client = new RPCClient({
    endpoint: `${baseUrl().replace(/^http/, 'ws')}/ocpp/1.6`,
    identity: cpid,
    password,
    protocols: ['ocpp1.6'],
    strictMode: true,
    reconnect: false,
  } as unknown as ConstructorParameters<typeof RPCClient>[0])
  client.on('error', () => {})
  await client.connect()
  return client
}

describe('charging stations', () => {
  it('charge a car with a known tag, exact to the Wh', async () => {
    const cpid = uniqueName('CP').replace(' ', '-')
    const charger = await create('admin', '/api/ocpp/chargers', { cpid })
    const idTag = uniqueName('T').replace(' ', '').slice(0, 20)
    await create('admin', '/api/ocpp/id-tags', { tag: idTag })
    const station = await connectStation(cpid, charger.password)
    const boot = await station.call('BootNotification', { chargePointVendor: 'A', chargePointModel: 'B' })
    expect(boot).toMatchObject({ status: 'Accepted' })
    const start = (await station.call('StartTransaction', {
      connectorId: 1,
      idTag,
      meterStart: 1_000,
      timestamp: new Date(Date.now() - 600_000).toISOString(),
    })) as { transactionId: number; idTagInfo: { status: string } }
    expect(start.idTagInfo.status).toBe('Accepted')
    await station.call('StopTransaction', {
      transactionId: start.transactionId,
      meterStop: 8_500,
      timestamp: new Date().toISOString(),
    })
    const { body } = await call('viewer', 'GET', `/api/ocpp/sessions?charger_id=${charger.id}`)
    expect(body.items).toMatchObject([{ state: 'ended', meter_start_wh: 1_000, meter_stop_wh: 8_500 }])
    await station.close()
  })

  it('are rejected with a wrong password', async () => {
    const cpid = uniqueName('CP').replace(' ', '-')
    await create('admin', '/api/ocpp/chargers', { cpid })
    await expect(connectStation(cpid, 'not-the-password-1')).rejects.toThrow()
  })
})
