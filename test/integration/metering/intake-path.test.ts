import { Session } from 'node:inspector/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../support/api.ts'
import { citusNodes } from '../../support/citus.ts'
import {
  connectGateway,
  createGateway,
  createDevice as createGatewayDevice,
  telemetry,
} from '../../support/field/mqtt.ts'
import { createDevice } from '../../support/metering/measurements.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

/** Where the plan cache leaks, a connection leaves names of statements out, in a file of its own (plan-cache.ts). */
const CITUS_FILES = citusNodes.length > 0 ? 1 : 0
/** Files that a sample may pass from the route, or from the socket of the broker, to the commit. */
const HTTP_FILES_MAX = 17 + CITUS_FILES
const MQTT_FILES_MAX = 23 + CITUS_FILES

/**
 * Runs around every route: hooks, authentication, ETags, the parsers of column values. Timers of field protocols run
 * meanwhile.
 */
const NOT_OF_A_SAMPLE =
  /^src\/(field|http|areas\/access|platform\/(http|auth|observability))\/|\/(db\/pool|kernel\/uuid|runtime\/actor)\.ts$/
/**
 * Runs after a commit: counters, last_seen, events, acknowledgements, sequence numbers of a gateway and their JSON.
 */
const AFTER_COMMIT =
  /\/(intake\/(pipeline|last-seen-store|seen-times)|metering\/live\/.*|areas\/(equipment|alarms)\/.*|coalesce|messaging\/bus|db\/json-columns|acknowledgements|subscription-index|gateway-sessions|mqtt\/skew)\.ts$/
/** Timers that other test files of the same worker have left behind. */
const OTHER_TESTS = /^src\/field\/(ocpp|modbus)\/|\.test\.ts$/

let api: TestApi
let tenant: TestTenant
const session = new Session()
beforeAll(async () => {
  api = await startApi({ mqtt: true })
  tenant = await createTenant(api)
  session.connect()
  await session.post('Debugger.enable')
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
})
afterAll(async () => {
  session.disconnect()
  await api.close()
})

/** The test runner wraps each export into such a function, so that files of constants seem to run. */
const EXPORT_WRAPPER = /^(\(\)\s*=>|get\s*\(\))\s*\{\s*(try\s*\{\s*)?return [\w$.]+;?\s*\}/

type Coverage = Awaited<ReturnType<typeof takeCoverage>>[number]
const takeCoverage = async () => (await session.post('Profiler.takePreciseCoverage')).result

async function hasRun({ scriptId, functions }: Coverage): Promise<boolean> {
  const ranges = functions.flatMap(({ ranges: [whole] }) => (whole && whole.count > 0 ? [whole] : []))
  if (ranges.length === 0) return false
  const { scriptSource } = await session.post('Debugger.getScriptSource', { scriptId })
  return ranges.some(
    ({ startOffset, endOffset }) => !EXPORT_WRAPPER.test(scriptSource.slice(startOffset, endOffset)),
  )
}

/** The files of src whose functions run during the work. */
async function filesRun(work: () => Promise<unknown>): Promise<ReadonlySet<string>> {
  await takeCoverage()
  await work()
  const files = new Set<string>()
  for (const script of await takeCoverage()) {
    const file = /(?:^|\/)(src\/.*\.ts)/.exec(script.url)?.[1]
    if (file !== undefined && (await hasRun(script))) files.add(file)
  }
  return files
}

/** How often a sample is sent to separate its path from the timers that run meanwhile. */
const ROUNDS_MAX = 30

interface PathSearch {
  /** Sends the sample of a step. */
  readonly send: (step: number) => Promise<unknown>
  readonly firstStep: number
  readonly isOfPath: (file: string) => boolean
  /** No other round is needed once so few files are left. */
  readonly filesMax: number
}

/**
 * The files that run for every sample. Timers and new connections of the pool run for some of them, more often on a
 * slow machine, where a sample takes longer. Each round has the whole path, so the files of all rounds never miss any.
 */
async function pathOf({ send, firstStep, isOfPath, filesMax }: PathSearch): Promise<string[]> {
  let path: string[] | undefined
  for (let step = firstStep; step < firstStep + ROUNDS_MAX; step++) {
    const files = await filesRun(() => send(step))
    path = (path ?? [...files].filter(isOfPath)).filter((file) => files.has(file))
    if (path.length <= filesMax) break
  }
  return (path ?? []).sort()
}

describe('the code path of a sample', () => {
  it('over HTTP runs a limited number of files', async () => {
    const { id } = await createDevice(api, tenant)
    const post = async (step: number) => {
      const timestamp = new Date(api.clock.now() + step).toISOString()
      const body = {
        samples: [{ device_id: id, timestamp, values: { voltage: 230, import_active_energy: step } }],
      }
      const { status } = await api.call('POST', '/api/measurements', { token: tenant.operator.token, body })
      expect(status).toBe(201)
    }
    await post(1)
    const path = await pathOf({
      send: post,
      firstStep: 2,
      isOfPath: (file) => !NOT_OF_A_SAMPLE.test(file) && !OTHER_TESTS.test(file) && !AFTER_COMMIT.test(file),
      filesMax: HTTP_FILES_MAX,
    })
    // An empty path would prove nothing.
    expect(path).toContain('src/areas/metering/intake/write-store.ts')
    expect(path.length, path.join('\n')).toBeLessThanOrEqual(HTTP_FILES_MAX)
  })

  it('over MQTT runs a limited number of files', async () => {
    const gateway = await createGateway(api, tenant, 'roof')
    await createGatewayDevice(api, tenant, { name: 'meter', gatewayId: gateway.id })
    const client = await connectGateway(api.mqttPort, gateway)
    const send = (step: number) =>
      client.publishAsync(
        'telemetry',
        telemetry('meter', [{ ts: api.clock.now() + step, v: { voltage: 230, import_energy: step } }], {
          seq: step,
        }),
        { qos: 1 },
      )
    for (let step = 1; step < 4; step++) await send(step)
    const path = await pathOf({
      send,
      firstStep: 4,
      isOfPath: (file) => !OTHER_TESTS.test(file) && !AFTER_COMMIT.test(file),
      filesMax: MQTT_FILES_MAX,
    })
    expect(path).toContain('src/field/mqtt/fast-path/fast-path.ts')
    expect(path).toContain('src/areas/metering/intake/write-store.ts')
    expect(path.length, path.join('\n')).toBeLessThanOrEqual(MQTT_FILES_MAX)
    await client.endAsync()
  })
})
