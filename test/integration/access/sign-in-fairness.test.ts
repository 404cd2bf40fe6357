import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createAccount, login, PASSWORD } from '../../support/accounts.ts'
import { type ApiResponse, startApi, type TestApi } from '../../support/api.ts'
import { type HeldPasswords, makeHeldPasswords } from '../../support/held-passwords.ts'
import { createTenant } from '../../support/tenants.ts'

const FLOOD = 110
const WRONG = 'a wrong password 1'
const [OF_OTHER, OF_COLLEAGUE] = ['the password of another 1', 'that of a colleague 1']

let api: TestApi
let hashes: HeldPasswords
beforeAll(async () => {
  hashes = makeHeldPasswords()
  api = await startApi({ passwords: hashes.passwords })
})
afterAll(() => api.close())

describe('a flood of wrong change-password calls of one user', () => {
  const answers: ApiResponse[] = []
  let calls: Promise<unknown>
  let logins: Promise<ApiResponse>[]
  let flooder: { email: string }

  beforeAll(async () => {
    const [tenant, otherTenant] = [await createTenant(api), await createTenant(api)]
    flooder = await createAccount(api, tenant)
    const colleague = await createAccount(api, tenant, { password: OF_COLLEAGUE })
    const other = await createAccount(api, otherTenant, { password: OF_OTHER })
    const token = (await login(api, flooder.email)).body.access_token
    const body = { current_password: WRONG, new_password: 'a better password 2' }
    const before = hashes.requested()
    hashes.hold()
    calls = Promise.all(
      Array.from({ length: FLOOD }, async () =>
        answers.push(await api.call('POST', '/api/auth/change-password', { token, body })),
      ),
    )
    await vi.waitUntil(() => hashes.requested() === before + FLOOD, 60_000)
    // One after the other, because the order of their hashes is asserted.
    const ofOther = login(api, other.email, OF_OTHER)
    await vi.waitUntil(() => hashes.requested() === before + FLOOD + 1, 60_000)
    logins = [ofOther, login(api, colleague.email, OF_COLLEAGUE)]
    await vi.waitUntil(() => hashes.requested() === before + FLOOD + 2, 60_000)
  })

  it('is refused with 429 and Retry-After beyond its share', async () => {
    await expect.poll(() => answers.length).toBe(FLOOD - 22)
    for (const { status, headers, body } of answers) {
      expect([status, body.error_code, headers.get('retry-after')]).toEqual([429, 'RATE_LIMITED', '5'])
    }
  })

  it('leaves the logins of another tenant and of a colleague working, ahead of the flood', async () => {
    hashes.release()
    for (const response of await Promise.all(logins)) expect(response.status).toBe(200)
    await calls
    const order = hashes.started().slice(hashes.started().indexOf(WRONG))
    expect(order.slice(0, 6)).toEqual([WRONG, WRONG, WRONG, OF_OTHER, WRONG, OF_COLLEAGUE])
    expect(order).toHaveLength(22 + 2)
  })

  it('does not lock out the user after its end', async () => {
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(22)
    expect((await login(api, flooder.email, PASSWORD)).status).toBe(200)
  })
})
