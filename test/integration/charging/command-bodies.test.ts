import { rootCertificates } from 'node:tls'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../support/api.ts'
import { createTenant } from '../../support/tenants.ts'

let api: TestApi
let token: string
let charger: string
beforeAll(async () => {
  api = await startApi()
  token = (await createTenant(api)).admin.token
  charger = (await api.call('POST', '/api/ocpp/chargers', { token, body: { cpid: 'CP-1' } })).body.id
})
afterAll(() => api.close())

it.each([
  ['composite-schedule', { duration_seconds: 60 }],
  ['charging-profiles/clear', { purpose: 'tx_default' }],
  ['certificates/install', { use: 'manufacturer_root', certificate_pem: rootCertificates[0] }],
  ['certificates/installed', { use: 'manufacturer_root' }],
  [
    'certificates/delete',
    { hash_algorithm: 'SHA256', issuer_name_hash: 'ab', issuer_key_hash: 'cd', serial: '01' },
  ],
  ['files', { kind: 'diagnostics', location: 'ftp://files.example/' }],
] as const)('the command of %s contains no unknown keys of the request', async (path, known) => {
  const body = { ...known, unknown: 'x', password: 'a secret that nobody asked for' }
  const response = await api.call('POST', `/api/ocpp/chargers/${charger}/${path}`, { token, body })
  expect([response.status, response.text]).toEqual([202, expect.not.stringContaining('unknown')])
  expect(response.text).not.toContain('a secret')
})
