import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import type { OcppSettings } from '../../../src/field/ocpp/settings.ts'
import type { TestApi } from '../../support/api.ts'
import { connectStation, createCharger, startOcppApi, type TestCharger } from '../../support/field/ocpp.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

let api: TestApi
let tenant: TestTenant
afterEach(() => api.close())

/** A process that serves the API only; its settings are those of the whole installation. */
async function start(ocpp: Partial<OcppSettings> = {}, roles: ('api' | 'ocpp')[] = ['api']): Promise<void> {
  const none = { tlsCert: undefined, tlsKey: undefined, tlsClientCa: undefined, tlsPort: undefined }
  api = await startOcppApi({
    config: {
      roles,
      publicBaseUrl: 'https://ems.example',
      ocpp: { heartbeatSeconds: 300, ...none, ...ocpp },
    },
  })
  tenant = await createTenant(api)
}

const TLS = { tlsPort: 8443, tlsCert: 'cert.pem', tlsKey: 'key.pem' }
const command = (charger: TestCharger, body: object) =>
  api.call('POST', `/api/ocpp/chargers/${charger.id}/commands`, { token: tenant.admin.token, body })
const setProfile = (value: string) => ({ action: 'set_configuration', key: 'SecurityProfile', value })
const networkProfile = (url: string, security_profile: number) => ({
  ...{ action: 'set_network_profile', slot: 1, url, security_profile },
})
const setColumn = (charger: TestCharger, security_profile: number) =>
  api.deps.database.kysely
    .updateTable('charger')
    .set({ security_profile })
    .where('id', '=', charger.id)
    .execute()

async function grantCertificate(charger: TestCharger, until: number): Promise<void> {
  await api.deps.database.kysely
    .insertInto('charger_certificate')
    .values({
      ...{ tenant_id: tenant.id, charger_id: charger.id, serial: randomUUID(), certificate_pem: 'pem' },
      ...{ sha256: randomUUID().replaceAll('-', '').repeat(2), csr_sha256: Buffer.from(randomUUID()) },
      ...{ not_before: new Date(0), not_after: new Date(until), created_at: new Date(0) },
    })
    .execute()
}

describe('a command that sets security profile 3', () => {
  it('is refused when the service has no listener that checks client certificates', async () => {
    await start()
    const charger = await createCharger(api, tenant)
    for (const body of [setProfile('3'), networkProfile('wss://EMS.example/ocpp/2.0.1', 3)]) {
      const refused = await command(charger, body)
      expect([refused.status, refused.body.error_code]).toEqual([409, 'STATE_CONFLICT'])
      expect(refused.body.detail).toContain('OCPP_TLS_PORT')
    }
  })

  it('is refused while the charger has no valid certificate, and names the remedy', async () => {
    await start(TLS)
    const charger = await createCharger(api, tenant)
    const refused = await command(charger, setProfile('3'))
    expect([refused.status, refused.body.error_code]).toEqual([409, 'STATE_CONFLICT'])
    expect(refused.body.detail).toContain('sign_charging_station_certificate')
    await grantCertificate(charger, api.clock.now() - 1)
    expect((await command(charger, setProfile('3'))).status).toBe(409)
    await grantCertificate(charger, api.clock.now() + 3_600_000)
    expect((await command(charger, setProfile('3'))).status).toBe(202)
    expect((await command(charger, networkProfile('wss://ems.example/ocpp/2.0.1', 3))).status).toBe(202)
  })

  it('is accepted when another authority issues the certificates, and for another service', async () => {
    await start({ ...TLS, tlsClientCa: 'ca.pem' })
    const charger = await createCharger(api, tenant)
    expect((await command(charger, setProfile('3'))).status).toBe(202)
    await api.close()
    await start()
    const other = await createCharger(api, tenant)
    expect((await command(other, networkProfile('wss://other.example/ocpp/2.0.1', 3))).status).toBe(202)
  })
})

describe('a command that sets another security profile', () => {
  it('is refused when it is lower than the one with which the charger has connected', async () => {
    await start(TLS)
    const charger = await createCharger(api, tenant)
    await setColumn(charger, 2)
    for (const body of [setProfile('1'), setProfile('0'), networkProfile('ws://ems.example/ocpp/2.0.1', 1)]) {
      const refused = await command(charger, body)
      expect([refused.status, refused.body.error_code]).toEqual([409, 'STATE_CONFLICT'])
      expect(refused.body.detail).toContain('security profile 2')
    }
    expect((await command(charger, setProfile('2'))).status).toBe(202)
    expect((await command(charger, { ...setProfile('1'), key: 'OtherProfile' })).status).toBe(202)
  })

  it('is refused with 422 when the URL has no TLS and the profile needs it', async () => {
    await start(TLS)
    const charger = await createCharger(api, tenant)
    const refused = await command(charger, networkProfile('ws://other.example/ocpp/2.0.1', 2))
    expect([refused.status, refused.body.detail[0].loc]).toEqual([422, ['body', 'url']])
  })
})

describe('the handshake of a charger that has connected with security profile 3', () => {
  it('is answered 403 without a certificate if the password is correct, and recorded once a day', async () => {
    await start({}, ['api', 'ocpp'])
    const charger = await createCharger(api, tenant)
    await setColumn(charger, 3)
    const statusOf = (password: string) =>
      connectStation(api, charger, { password }).then(
        () => 101,
        ({ code }) => code,
      )
    expect(await statusOf('wrong-wrong-wrong-wrong')).toBe(401)
    expect(await statusOf(charger.password)).toBe(403)
    expect(await statusOf(charger.password)).toBe(403)
    const { body } = await api.call('GET', `/api/ocpp/chargers/${charger.id}/events`, {
      token: tenant.viewer.token,
    })
    expect(body.items).toMatchObject([
      {
        event_type: 'security_profile_refused',
        details: { security_profile: 3, missing: 'client certificate' },
      },
    ])
  })
})
