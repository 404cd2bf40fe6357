import { makeTokens } from '../../../src/platform/auth/jwt.ts'
import type { TestApi } from '../api.ts'
import { connectStation, createCharger, type StationOptions, type TestStation } from '../field/ocpp.ts'
import type { Json } from '../json.ts'
import type { TestTenant } from '../tenants.ts'
import { waitFor } from '../wait-for.ts'
import { makeTag } from './charging.ts'

/** Functions of a tenant's operator for reservations, lists, profiles and groups. */
export function smartCalls(api: TestApi, tenant: TestTenant) {
  const { deps } = api
  const tokens = makeTokens({ secretKey: deps.config.secretKey, clock: deps.clock })
  // A fresh token: these tests advance the clock beyond the lifetime of a token.
  const token = () => tokens.issue('access', { id: tenant.operator.id, tenantUid: tenant.uid })
  const call = (method: string, path: string, body?: unknown) =>
    api.call(method, `/api/ocpp${path}`, {
      token: token(),
      ...(body !== undefined && { body }),
    })

  async function get(path: string): Promise<Json> {
    const response = await call('GET', path)
    if (response.status !== 200) throw new Error(`GET ${path} answered ${response.status}: ${response.text}`)
    return response.body
  }

  async function post(path: string, body: unknown, status = 201): Promise<Json> {
    const response = await call('POST', path, body)
    if (response.status !== status)
      throw new Error(`POST ${path} answered ${response.status}: ${response.text}`)
    return response.body
  }

  return {
    call,
    get,
    post,
    /** A charger with its station connected. */
    async connected(options: StationOptions = {}) {
      const charger = await createCharger(api, tenant)
      const station = await connectStation(api, charger, options)
      return { charger, station }
    },
    tag: (fields: Readonly<Record<string, unknown>> = {}) => makeTag(api, tenant, fields),
    /** The record at a path once the condition holds. */
    async until(path: string, isSo: (record: Json) => boolean): Promise<Json> {
      let record: Json
      await waitFor(async () => {
        record = await get(path)
        return isSo(record)
      }, 30_000)
      return record
    },
  }
}

/** The payloads of one kind of call, in order. */
export const callsOf = ({ called }: Pick<TestStation, 'called'>, action: string): Json[] =>
  called.filter((one) => one.action === action).map(({ payload }) => payload)
