import { expect, it } from 'vitest'
import { startApi } from '../../support/api.ts'
import { testConfig } from '../../support/config.ts'

it('each step of a sign-in at a provider has a limit by address', async () => {
  const limited = await startApi({
    config: {
      publicBaseUrl: 'https://netsaat.example',
      rateLimits: { ...testConfig().rateLimits, loginPerMinute: 1 },
    },
  })
  const callBackStatus = async () =>
    (await fetch(`${limited.url}/api/auth/oidc/callback?state=x`, { redirect: 'manual' })).status
  const statusOf = async (path: string, body: object) =>
    (await limited.call('POST', `/api/auth/oidc/${path}`, { body })).status
  const attempt = async () => [
    await statusOf('start', { tenant: 'nobody' }),
    await callBackStatus(),
    await statusOf('token', { code: 'x', sign_in_secret: 'x' }),
  ]
  expect(await attempt()).toEqual([404, 302, 400])
  expect(await attempt()).toEqual([429, 429, 429])
  await limited.close()
})
