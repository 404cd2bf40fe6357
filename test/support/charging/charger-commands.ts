import type { ApiResponse, TestApi } from '../api.ts'
import {
  connectStation,
  createCharger,
  type StationOptions,
  startOcppApi,
  type TestCharger,
} from '../field/ocpp.ts'
import { createTenant, type TestTenant } from '../tenants.ts'

export const CHARGERS = '/api/ocpp/chargers'
/** Resolves when the command has ended. */
export const WAIT = '?wait=30'

interface Rest {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** A tenant whose operator sends commands to chargers. */
export interface CommandFixture {
  readonly api: TestApi
  readonly ours: TestTenant
  as(method: string, path: string, rest?: Rest): Promise<ApiResponse>
  order(charger: TestCharger, body: object, query?: string): Promise<ApiResponse>
  stateOf(charger: TestCharger, command: string): Promise<string>
  create(): Promise<TestCharger>
  connected(options?: StationOptions): Promise<{
    readonly charger: TestCharger
    readonly station: Awaited<ReturnType<typeof connectStation>>
  }>
}

export async function setUpCommands(): Promise<CommandFixture> {
  const api = await startOcppApi()
  const ownTenant = await createTenant(api)
  const as = (method: string, path: string, rest: Rest = {}) =>
    api.call(method, CHARGERS + path, { token: ownTenant.operator.token, ...rest })
  const create = () => createCharger(api, ownTenant)
  return {
    api,
    ours: ownTenant,
    as,
    create,
    order: ({ id }, body, query = '') => as('POST', `/${id}/commands${query}`, { body }),
    stateOf: async ({ id }, command) => (await as('GET', `/${id}/commands/${command}`)).body.state,
    async connected(options = {}) {
      const charger = await create()
      return { charger, station: await connectStation(api, charger, options) }
    },
  }
}
