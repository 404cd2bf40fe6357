import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createAccount, login } from '../../support/accounts.ts'
import type { TestApi } from '../../support/api.ts'
import { testConfig } from '../../support/config.ts'
import { connectStation, createCharger, startOcppApi } from '../../support/field/ocpp.ts'
import { type HeldPasswords, makeHeldPasswords } from '../../support/held-passwords.ts'
import { startSecondProcess } from '../../support/process/second-process.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

const PASSWORD = 'a-chosen-password-1'
const WRONG = 'wrong-wrong-wrong-1'

let api: TestApi
let tenant: TestTenant
let hashes: HeldPasswords
beforeAll(async () => {
  hashes = makeHeldPasswords()
  api = await startOcppApi({
    passwords: hashes.passwords,
    config: { rateLimits: { ...testConfig().rateLimits, ocppFailures: 3 }, trustedProxies: ['127.0.0.1'] },
  })
  tenant = await createTenant(api)
})
afterAll(() => api.close())

/** The HTTP response to a handshake that is refused. */
async function refusalOf(cpid: string, headers: Readonly<Record<string, string>> = {}) {
  const sent = request(`${api.url}/ocpp/1.6/${cpid}`, {
    headers: {
      ...{ connection: 'upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' },
      ...{ 'sec-websocket-key': 'c2l4dGVlbiBieXRlcyEhIQ==', 'sec-websocket-protocol': 'ocpp1.6' },
      ...headers,
    },
  })
  sent.end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  response.resume()
  return { status: response.statusCode, headers: response.headers }
}
const basic = (cpid: string, password: string, address: string) => ({
  authorization: `Basic ${Buffer.from(`${cpid}:${password}`).toString('base64')}`,
  'x-forwarded-for': address,
})

/** Connects and disconnects; resolves with the number of password hashes that it has cost. */
async function connectionCost(
  url: string,
  charger: { readonly cpid: string },
  password: string,
): Promise<number> {
  const before = hashes.requested()
  const station = await connectStation(
    { url },
    { cpid: charger.cpid, password },
    { headers: { 'x-forwarded-for': '192.0.2.10' } },
  )
  await station.end()
  return hashes.requested() - before
}

describe('a handshake', () => {
  it('without credentials gets the challenge, costs no hash and locks nobody out', async () => {
    const charger = await createCharger(api, tenant, { password: PASSWORD })
    const before = hashes.requested()
    for (const cpid of [charger.cpid, charger.cpid, charger.cpid, charger.cpid, 'nobody']) {
      const { status, headers } = await refusalOf(cpid, { 'x-forwarded-for': '192.0.2.10' })
      expect([status, headers['www-authenticate']]).toEqual([401, 'Basic realm="ocpp", charset="UTF-8"'])
    }
    for (const authorization of ['Bearer x', 'Basic !', basic('other', PASSWORD, '').authorization])
      expect((await refusalOf(charger.cpid, { authorization })).status).toBe(401)
    expect(hashes.requested()).toBe(before)
    expect(await connectionCost(api.url, charger, PASSWORD)).toBe(0)
  })

  it('with a chosen password costs no stretching after a restart', async () => {
    const charger = await createCharger(api, tenant, { password: PASSWORD })
    const restarted = await startSecondProcess(api)
    expect(await connectionCost(restarted.url, charger, PASSWORD)).toBe(0)
    await restarted.close()
  })

  it('with a chosen password is stretched once after a change of SECRET_KEY', async () => {
    const charger = await createCharger(api, tenant, { password: PASSWORD })
    const secretKey = 'another secret of the tests, long enough to be one'
    for (const cost of [1, 0]) {
      const restarted = await startSecondProcess(api, { secretKey })
      expect(await connectionCost(restarted.url, charger, PASSWORD)).toBe(cost)
      await restarted.close()
    }
  })
})

describe('handshakes with wrong passwords', () => {
  it('beyond their share get 503 with Retry-After, and leave the login of a person working', async () => {
    const { email } = await createAccount(api, tenant)
    const before = hashes.requested()
    hashes.hold()
    const handshakes = Array.from({ length: 40 }, (_, index) =>
      refusalOf(`nobody-${index}`, basic(`nobody-${index}`, WRONG, `198.51.100.${index}`)),
    )
    await vi.waitUntil(() => hashes.requested() >= before + 40, 60_000)
    const signedIn = login(api, email)
    await vi.waitUntil(() => hashes.requested() >= before + 41, 60_000)
    hashes.release()
    expect((await signedIn).status).toBe(200)
    const refusals = await Promise.all(handshakes)
    const busy = refusals.filter(({ status }) => status === 503)
    expect(busy).toHaveLength(18)
    for (const { headers } of busy) expect(headers['retry-after']).toBe('5')
    expect(refusals.filter(({ status }) => status === 401)).toHaveLength(22)
    const order = hashes.started().slice(-44)
    expect(order.indexOf('ĞüzelŞifre12')).toBeLessThan(5)
  })
})
