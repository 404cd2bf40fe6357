import { once } from 'node:events'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { OCPP_MESSAGES_BURST, OCPP_MESSAGES_PER_SECOND } from '../../../src/field/ocpp/limits.ts'
import type { TestApi } from '../../support/api.ts'
import { connectStation, createCharger, startOcppApi, type TestCharger } from '../../support/field/ocpp.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'
import { waitFor } from '../../support/wait-for.ts'

const WAIT_MS = 60_000
const BOOT = { chargePointVendor: 'V', chargePointModel: 'M' }
let api: TestApi
let tenant: TestTenant
beforeAll(async () => {
  api = await startOcppApi()
  tenant = await createTenant(api)
})
afterAll(() => api.close())

/** A station that sends `total` messages in steps and waits for no response; counts the responses. */
async function flood({ cpid, password }: TestCharger, total: number) {
  const url = `${api.url.replace(/^http/, 'ws')}/ocpp/1.6/${cpid}`
  const authorization = `Basic ${Buffer.from(`${cpid}:${password}`).toString('base64')}`
  const socket = new WebSocket(url, 'ocpp1.6', { headers: { authorization } })
  let answered = 0
  let closeCode: number | undefined
  socket.on('message', () => {
    answered += 1
  })
  socket.once('close', (code) => {
    closeCode = code
  })
  await once(socket, 'open')
  let sent = 0
  const timer = setInterval(() => {
    for (let index = 0; index < 100 && sent < total && closeCode === undefined; index += 1, sent += 1) {
      const status = { connectorId: 1, errorCode: 'NoError', status: sent % 2 ? 'Available' : 'Faulted' }
      socket.send(JSON.stringify([2, `m${sent}`, 'StatusNotification', status]))
    }
  }, 100)
  return {
    answered: () => answered,
    closeCode: () => closeCode,
    end() {
      clearInterval(timer)
      socket.terminate()
    },
  }
}

it('a station that floods is slowed down, and other stations and the API are served meanwhile', async () => {
  const hostile = await flood(await createCharger(api, tenant), 20_000)
  const startedAt = performance.now()
  const good = await connectStation(api, await createCharger(api, tenant))
  try {
    await waitFor(
      () => hostile.answered() > OCPP_MESSAGES_BURST || hostile.closeCode() !== undefined,
      WAIT_MS,
    )
    for (let round = 0; round < 5; round += 1) {
      expect(await good.call('BootNotification', BOOT)).toMatchObject({ status: 'Accepted' })
      expect((await api.call('GET', '/api/devices', { token: tenant.admin.token })).status).toBe(200)
    }
    const seconds = (performance.now() - startedAt) / 1000
    expect(hostile.answered()).toBeLessThan(OCPP_MESSAGES_BURST + OCPP_MESSAGES_PER_SECOND * (seconds + 1))
    expect(hostile.closeCode()).toBeOneOf([undefined, 1008])
  } finally {
    hostile.end()
    await good.end()
  }
})
