import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insert } from '../../../src/areas/access/oidc/sign-in-store.ts'
import { expectFile } from '../../../src/areas/charging/files/service.ts'
import { verifyLogin } from '../../../src/areas/equipment/gateway-link/index.ts'
import { hashCode } from '../../../src/areas/equipment/zigbee/claim-code.ts'
import { hashApiKey, withChecksum } from '../../../src/platform/auth/api-key.ts'
import { hashLinkToken, makeTenantToken } from '../../../src/platform/auth/link-token.ts'
import { makeSealer } from '../../../src/platform/auth/sealer.ts'
import { shortIdOf } from '../../../src/platform/auth/short-id.ts'
import { inTenantTx } from '../../../src/platform/db/tenant.ts'
import { createAccount, newEmail, PASSWORD, readMailedToken } from '../../support/accounts.ts'
import type { TestApi } from '../../support/api.ts'
import { createCharger, startFilesApi } from '../../support/field/ocpp.ts'
import { openLive } from '../../support/metering/live.ts'
import { createDevice, type TestDevice } from '../../support/metering/measurements.ts'
import { crossTenantStatementsOf } from '../../support/routing/sent-statements.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

/*
 * Every kind of token that names its tenant (ADR 0121): a new one is looked up in its tenant only, one that names
 * another tenant is refused like an unknown one, and one of before, without a tenant, is still accepted.
 */

let api: TestApi
let own: TestTenant
let other: TestTenant
let device: TestDevice

beforeAll(async () => {
  api = await startFilesApi()
  own = await createTenant(api)
  other = await createTenant(api)
  device = await createDevice(api, own)
})
afterAll(() => api.close())

const post = async (path: string, body: object, token?: string) => {
  const response = await api.call('POST', path, { body, ...(token !== undefined && { token }) })
  return { status: response.status, body: response.body, text: response.text }
}
const outcomeOf = ({ status, text }: { status: number; text: string }) =>
  status < 300 ? 'accepted' : `${status} ${text}`
const update = (statement: string, ...values: unknown[]) =>
  api.deps.database.pool.query(statement, [own.id, ...values])

interface Kind {
  /** Creates a token by the service. */
  readonly create: () => Promise<string>
  /** The response, without what differs between two attempts. */
  readonly use: (token: string) => Promise<string>
  /** Stores a token without a tenant in the place of the created one. */
  readonly replace: (token: string) => Promise<string>
  readonly unknown: string
  readonly table: string
}

const random43 = () => randomBytes(32).toString('base64url')
/** Replaces the hash of the only record. */
const replaceHash =
  (table: string, column = 'token_hash') =>
  async (): Promise<string> => {
    const token = random43()
    await update(`update ${table} set ${column} = $2 where tenant_id = $1`, hashLinkToken(token))
    return token
  }

async function mailedToken(email: string, request: () => Promise<{ status: number; text: string }>) {
  const response = await request()
  expect(response.status, response.text).toBeLessThan(300)
  return (await readMailedToken(api, email)) ?? ''
}

async function insertSignIn() {
  const state = makeTenantToken(own.id)
  const now = api.clock.now()
  await inTenantTx(api.deps.database.kysely, own.id, (tx) =>
    insert(
      tx,
      {
        state_hash: state.tokenHash,
        browser_hash: hashLinkToken('of the browser'),
        ...{ nonce: 'n', code_verifier: 'v', issuer: 'https://issuer.test', client_id: 'c' },
        return_url: 'https://page.test/',
        ...{ created_at: new Date(now), expires_at: new Date(now + 60_000) },
      },
      10,
    ),
  )
  const { rows } = await update(
    'select id from oidc_sign_in where tenant_id = $1 and state_hash = $2',
    state.tokenHash,
  )
  return { state, id: rows[0].id }
}

const KINDS: Readonly<Record<string, Kind>> = {
  'reset of a password': {
    table: 'password_reset',
    create: async () => {
      const { email } = await createAccount(api, own)
      return mailedToken(email, () => post('/api/auth/password-reset/request', { email }))
    },
    use: async (token) =>
      outcomeOf(await post('/api/auth/password-reset/confirm', { token, new_password: `${PASSWORD}1` })),
    replace: replaceHash('password_reset'),
    unknown: `1.${random43()}`,
  },
  invitation: {
    table: 'invitation',
    create: async () => {
      const email = newEmail()
      return mailedToken(email, () =>
        post('/api/users/invitations', { email, role_ids: [] }, own.admin.token),
      )
    },
    use: async (token) =>
      outcomeOf(
        await post('/api/auth/invitations/accept', { token, full_name: 'Ayşe Yılmaz', password: PASSWORD }),
      ),
    replace: replaceHash('invitation'),
    unknown: `1.${random43()}`,
  },
  'verification of an address': {
    table: 'email_verification',
    create: async () => {
      const account = await createAccount(api, own)
      await update(
        'update app_user set is_email_verified = false where tenant_id = $1 and email = $2',
        account.email,
      )
      const { body } = await post('/api/auth/login', { email: account.email, password: PASSWORD })
      return mailedToken(account.email, () =>
        post('/api/auth/email-verification/request', {}, body.access_token),
      )
    },
    use: async (token) =>
      outcomeOf(await post('/api/auth/email-verification/confirm', { token, password: PASSWORD })),
    replace: replaceHash('email_verification'),
    unknown: `1.${random43()}`,
  },
  'API key': {
    table: 'api_key',
    create: async () => {
      const body = { name: 'reader', permissions: ['read:device'], expires_in_days: 1 }
      return (await post('/api/api-keys', body, own.viewer.token)).body.key
    },
    use: async (token) => outcomeOf(await api.call('GET', '/api/devices', { token })),
    replace: async () => {
      const key = withChecksum(`nst_${randomBytes(30).toString('hex').slice(0, 43)}`)
      await update('update api_key set secret_hash = $2 where tenant_id = $1', hashApiKey(key))
      return key
    },
    unknown: withChecksum(`nst_1_${'a'.repeat(43)}`),
  },
  'live ticket': {
    table: 'live_ticket',
    create: async () => (await post('/api/live/tickets', {}, own.viewer.token)).body.ticket,
    use: async (ticket) => {
      const client = openLive(api.url, { ticket, devices: [device] })
      const closed = client.closed().then((close) => JSON.stringify(close))
      const outcome = await Promise.race([
        client
          .find(({ type }) => type === 'hello')
          .then(
            () => 'accepted',
            () => closed,
          ),
        closed,
      ])
      await client.end()
      return outcome
    },
    replace: async (ticket) => {
      const { rows } = await update('select credential_sealed from live_ticket where tenant_id = $1')
      const credential = makeSealer(ticket.slice(-43)).open(rows[0].credential_sealed, 'live ticket')
      const old = random43()
      await update(
        'update live_ticket set token_hash = $2, credential_sealed = $3 where tenant_id = $1',
        hashLinkToken(old),
        makeSealer(old).seal(credential, 'live ticket'),
      )
      return old
    },
    unknown: `1.${random43()}`,
  },
  'upload of a charging station': {
    table: 'charger_file',
    create: async () => {
      const { id: chargerId } = await createCharger(api, own)
      const now = new Date(api.clock.now())
      const { location } = await inTenantTx(api.deps.database.kysely, own.id, (tx) =>
        expectFile(api.deps, tx, { chargerId, kind: 'diagnostics', now }),
      )
      return /[^/]+$/.exec(location)?.[0] ?? ''
    },
    use: async (token) => {
      const response = await fetch(`${api.url}/api/ocpp/uploads/${token}`, { method: 'PUT', body: 'a file' })
      return outcomeOf({
        status: response.status,
        text: (await response.text()).replaceAll(token, '<token>'),
      })
    },
    replace: replaceHash('charger_file'),
    unknown: `1.${random43()}`,
  },
  'password of a gateway': {
    table: 'gateway_credential',
    create: async () => {
      const body = { name: randomUUID(), gateway_type: 'mqtt' }
      const gateway = await post('/api/gateways', body, own.admin.token)
      const path = `/api/gateways/${gateway.body.id}/credentials`
      const credential = await post(path, {}, own.admin.token)
      expect(credential.status, credential.text).toBeLessThan(300)
      return credential.body.password
    },
    use: async (password) => {
      const login = { username: password, password: undefined, certificateNames: [] }
      return (await verifyLogin(api.deps.database, login)) ? 'accepted' : 'refused'
    },
    replace: async () => {
      const [keyId, salt] = [randomBytes(9).toString('base64url'), randomBytes(16)]
      const password = `${keyId}.${randomBytes(24).toString('base64url')}`
      const hash = createHmac('sha256', salt).update(password).digest()
      await update(
        'update gateway_credential set key_id = $2, salt = $3, secret_hash = $4 where tenant_id = $1',
        ...[keyId, salt, hash],
      )
      return password
    },
    unknown: `1.${randomBytes(9).toString('base64url')}.${randomBytes(24).toString('base64url')}`,
  },
  'state of a sign-in at a provider': {
    table: 'oidc_sign_in',
    create: async () => (await insertSignIn()).state.token,
    // A state that is found goes on to the provider, which the tenant does not have.
    use: async (state) => {
      const url = `${api.url}/api/auth/oidc/callback?state=${state}`
      const { headers } = await fetch(url, { redirect: 'manual' })
      const error = /error=(\w+)/.exec(headers.get('location') ?? '')?.[1]
      return error === 'OIDC_NOT_AVAILABLE' ? 'accepted' : `refused: ${error}`
    },
    replace: replaceHash('oidc_sign_in', 'state_hash'),
    unknown: `1.${random43()}`,
  },
  'code of a sign-in at a provider': {
    table: 'oidc_sign_in',
    create: async () => {
      const [{ id }, code] = [await insertSignIn(), makeTenantToken(own.id)]
      const set = 'code_hash = $2, user_id = $3, browser_hash = $4'
      const values = [code.tokenHash, own.viewer.id, hashLinkToken('of the browser'), id]
      await update(`update oidc_sign_in set ${set} where tenant_id = $1 and id = $5`, ...values)
      return code.token
    },
    use: async (code) => {
      const { body } = await post('/api/auth/oidc/token', { code, sign_in_secret: 'of the browser' })
      return body.error_code === 'OIDC_USER_INACTIVE' ? 'accepted' : `refused: ${body.error_code}`
    },
    replace: replaceHash('oidc_sign_in', 'code_hash'),
    unknown: `1.${random43()}`,
  },
  'code for a Zigbee gateway': {
    table: 'zigbee_claim',
    create: async () =>
      (await post('/api/v1/zigbee/claims/generate', { gateway_name: randomUUID() }, own.admin.token)).body
        .code,
    use: async (code) => outcomeOf(await post('/api/v1/zigbee/claims/redeem', { code })),
    replace: async () => {
      const code = '7K4M-Q2XD-90TV'
      const hash = hashCode(api.deps.config.secretKey, code)
      await update('update zigbee_claim set code_hash = $2 where tenant_id = $1', hash)
      return code
    },
    unknown: '1-AAAA-BBBB-CCCC',
  },
}

/** The same token with the short id of the other tenant. */
function forge(token: string): string {
  const [from, to] = [shortIdOf(own.id), shortIdOf(other.id)]
  if (token.startsWith('nst_')) return withChecksum(token.slice(0, -6).replace(`nst_${from}_`, `nst_${to}_`))
  expect(token.toLowerCase()).toMatch(new RegExp(`^${from}[.-]`))
  return (/^[0-9A-Z]+-/.test(token) ? to.toUpperCase() : to) + token.slice(from.length)
}

/** The statements on the table that reach all tenants; those of pollers do not count. */
const statementsOn = async (table: string, work: () => Promise<unknown>) =>
  (await crossTenantStatementsOf(work)).filter((text) => text.includes(table))

describe.each(Object.entries(KINDS))('%s', (_name, { table, create, use, replace, unknown }) => {
  it('names its tenant, and is refused with the short id of another one', async () => {
    const token = await create()
    const statements = await statementsOn(table, async () => {
      const refusal = await use(unknown)
      expect(refusal).not.toBe('accepted')
      expect(await use(forge(token))).toBe(refusal)
      expect(await use(token)).toBe('accepted')
    })
    expect(statements).toEqual([])
  })

  it('is accepted without a tenant when it was issued before', async () => {
    await update(`delete from ${table} where tenant_id = $1`)
    const old = await replace(await create())
    const statements = await statementsOn(table, async () => {
      expect(await use(old)).toBe('accepted')
    })
    expect(statements).toEqual([expect.stringMatching(/^select tenant_id as token_tenant from /)])
  })
})
