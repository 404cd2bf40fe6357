import { rm } from 'node:fs/promises'
import { watchUpdates } from '../../../src/areas/updates/ota/index.ts'
import type { JsonObject } from '../../../src/platform/db/json-columns.ts'
import { type ApiResponse, startApi, type TestApi } from '../api.ts'
import { connectGateway, createDevice, type TestGateway } from '../field/mqtt.ts'
import { makeDataFolder } from '../folder.ts'
import { createTenant, type TestTenant } from '../tenants.ts'
import { createModelGateway, releaseFirmware, type TestFirmware } from './firmware.ts'

/** The model of the gateways of this setup, and of its two versions, 1.0.0 and 2.0.0. */
export const MODEL = 'GW-7'
export const UPDATES = '/api/ota/updates'
export const MINUTE_MS = 60_000

export interface OtaFixture {
  readonly api: TestApi
  readonly tenant: TestTenant
  readonly first: TestFirmware
  readonly second: TestFirmware
  /** A call as the operator. */
  call(method: string, path: string, body?: unknown): Promise<ApiResponse>
  /** The body of a GET with this Accept-Language. */
  readIn(language: string, path: string): Promise<ApiResponse['body']>
  readonly read: (id: string) => Promise<ApiResponse['body']>
  start(gateway: TestGateway, firmware: TestFirmware, more?: object): Promise<ApiResponse>
  /** Runs the minutely job. */
  watch(): Promise<void>
  newGateway(model?: string): Promise<TestGateway>
  /** Sends the report of a gateway about an update, over a separate connection. */
  report(gateway: TestGateway, id: string, progress: object): Promise<void>
  /** A device behind a gateway that is no meter, so no proof of absent voltage is required. */
  newSwitch(gateway: TestGateway, name: string, metadata?: JsonObject): Promise<string>
  close(): Promise<void>
}

/** A service with a broker, a tenant with two released versions, and functions for updates. */
export async function startOtaFixture(name: string, { size = 1_000 } = {}): Promise<OtaFixture> {
  const dataDir = await makeDataFolder(name)
  const api = await startApi({ mqtt: true, config: { dataDir } })
  const ownTenant = await createTenant(api)
  const released = (version: string, bytes?: number) =>
    releaseFirmware(api, ownTenant, { version, model: MODEL, ...(bytes !== undefined && { size: bytes }) })
  const [first, second] = [await released('1.0.0', size), await released('2.0.0')]
  const call: OtaFixture['call'] = (method, path, body) =>
    api.call(method, path, { token: ownTenant.operator.token, ...(body !== undefined && { body }) })
  let count = 0
  return {
    ...{ api, tenant: ownTenant, first, second, call },
    readIn: async (language, path) =>
      (
        await api.call('GET', path, {
          token: ownTenant.operator.token,
          headers: { 'accept-language': language },
        })
      ).body,
    read: async (id) => (await call('GET', `${UPDATES}/${id}`)).body,
    start: (gateway, firmware, more = {}) =>
      call('POST', UPDATES, { gateway_id: gateway.id, firmware_version_id: firmware.id, ...more }),
    watch: () => watchUpdates(api.deps, new AbortController().signal),
    newGateway(model = MODEL) {
      count += 1
      return createModelGateway(api, ownTenant, { name: `gateway ${count}`, model })
    },
    async report(gateway, id, progress) {
      const client = await connectGateway(api.mqttPort, gateway)
      await client.publishAsync(`ota/${id}/progress`, JSON.stringify(progress), { qos: 1 })
      await client.endAsync()
    },
    async newSwitch(gateway, deviceName, metadata = {}) {
      const device = await createDevice(api, ownTenant, { name: deviceName, gatewayId: gateway.id, metadata })
      const switches = api.deps.database.kysely.updateTable('device').set({ device_type: 'switch' })
      await switches.where('id', '=', device).execute()
      return device
    },
    async close() {
      await api.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

export const refusal = async (response: Promise<ApiResponse>) => {
  const { status, body } = await response
  return [status, body.error_code]
}
