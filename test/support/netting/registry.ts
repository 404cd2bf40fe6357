import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { type ApiResponse, startApi, type TestApi } from '../api.ts'
import { untilLocked } from '../lock-waits.ts'
import { createTenant, type TestTenant } from '../tenants.ts'
import { makeSubregion } from './netting.ts'

type Call = (path: string, body?: unknown) => Promise<ApiResponse>

/** The netting API for one user; paths begin after /api/mahsuplasma. */
export interface Caller {
  readonly get: Call
  readonly post: Call
  readonly patch: Call
  readonly delete: Call
}

export interface Registry {
  readonly api: TestApi
  readonly ownTenant: TestTenant
  readonly otherTenant: TestTenant
  readonly admin: Caller
  readonly viewer: Caller
  readonly foreignCaller: Caller
  readonly superuser: Caller
  /** A facility created through the API, in a separate subregion. */
  facility(body?: object, caller?: Caller): Promise<{ id: string; subregionId: string }>
  close(): Promise<void>
}

const callerOf = (api: TestApi, token: string): Caller => {
  const by =
    (method: string): Call =>
    (path, body) =>
      api.call(method, `/api/mahsuplasma${path}`, { token, body })
  return { get: by('GET'), post: by('POST'), patch: by('PATCH'), delete: by('DELETE') }
}

/** Two unrelated tenants and their users. */
export async function startRegistry(): Promise<Registry> {
  const api = await startApi()
  const ownTenant = await createTenant(api)
  const otherTenant = await createTenant(api)
  const admin = callerOf(api, ownTenant.admin.token)
  const foreignCaller = callerOf(api, otherTenant.admin.token)
  return {
    api,
    ownTenant,
    otherTenant,
    admin,
    viewer: callerOf(api, ownTenant.viewer.token),
    foreignCaller,
    superuser: callerOf(api, otherTenant.superuser.token),
    async facility(body = {}, caller = admin) {
      const subregionId = await makeSubregion(api.deps, caller === foreignCaller ? otherTenant : ownTenant)
      const { status, body: created } = await caller.post('/facilities', {
        subregion_id: subregionId,
        ...body,
      })
      expect(status).toBe(201)
      return { id: created.id, subregionId }
    },
    close: () => api.close(),
  }
}

/** Asserts that a foreign id and an unknown id get the same response, byte for byte. */
export async function expectSameResponse(
  foreignId: string,
  call: (id: string) => Promise<ApiResponse>,
  status = 404,
): Promise<void> {
  const foreign = await call(foreignId)
  const unknown = await call(randomUUID())
  expect(foreign.status).toBe(status)
  expect(unknown.status).toBe(status)
  expect(foreign.text).toBe(unknown.text)
}

/** The status and the code of an error in the shape of this scope. */
export const refusal = ({ status, body }: ApiResponse) => [status, body?.detail?.error_code]

/** Waits until that number of connections of this database wait for a lock. */
export const untilWaiting = ({ deps }: TestApi, count = 1): Promise<void> => untilLocked(deps.database, count)
