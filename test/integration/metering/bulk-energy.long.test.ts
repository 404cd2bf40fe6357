import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readMeteredDevice } from '../../../src/areas/metering/aggregates/bucket-store.ts'
import { readEnergy } from '../../../src/areas/metering/aggregates/energy.ts'
import { type EnergyRequest, readEnergyBulk } from '../../../src/areas/metering/aggregates/index.ts'
import { rollUpDevice, wholeBuckets } from '../../../src/areas/metering/rollup/index.ts'
import { INTERVALS } from '../../../src/areas/metering/rollup/intervals.ts'
import { DAY_MS, HOUR_MS, iso } from '../../../src/kernel/time.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import {
  createDevice,
  postSamples,
  sample,
  type TestDevice,
  type TestSample,
} from '../../support/metering/measurements.ts'
import { chooseSeed, makeRandom } from '../../support/seed.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

const NOW = Date.parse('2026-11-20T09:30:00Z')
const START = NOW - 20 * DAY_MS
const seed = chooseSeed()
const random = makeRandom(seed)
let api: TestApi
let tenant: TestTenant

beforeAll(async () => {
  api = await startApi({ now: iso(NOW) })
  tenant = await createTenant(api)
})
afterAll(() => api.close())

/**
 * Irregular readings with gaps, resets and wrong values, of one, two or three registers, some with power
 * alone.
 */
function samplesOf(device: TestDevice, from: number, to: number): TestSample[] {
  const samples: TestSample[] = []
  let register = random.between(0, 1000)
  for (let at = from; at < to; at += random.between(5, 300) * 60_000) {
    if (random.between(0, 30) === 0) at += random.between(1, 40) * HOUR_MS
    register += random.between(0, 50) / 10
    if (random.between(0, 80) === 0) register = 0
    const values: Record<string, number> = { active_power: random.between(-5, 20), voltage: 230 }
    if (random.between(0, 5) > 0) values['import_active_energy'] = register
    if (random.between(0, 60) === 0) values['import_active_energy'] = 1e6
    if (device.key % 2 === 0) values['inductive_reactive_energy'] = register / 10
    if (device.key % 3 === 0) values['production_active_energy'] = register / 2
    if (at < to) samples.push(sample(device, at, values))
  }
  return samples
}

function requestsOf(device: TestDevice): EnergyRequest[] {
  const from = START + random.between(-30, 400) * HOUR_MS
  const to = from + random.between(1, 500) * HOUR_MS
  return INTERVALS.map((interval) => ({
    deviceId: device.id,
    interval,
    range: wholeBuckets(interval, { from, to }),
  }))
}

describe(`the energy of many devices (seed ${seed})`, () => {
  it('equals the energy of each of them, with any roll-up progress and late samples', async () => {
    const devices = await Promise.all(Array.from({ length: 8 }, () => createDevice(api, tenant)))
    for (const device of devices) await postSamples(api, tenant, samplesOf(device, START, NOW - DAY_MS))
    for (const device of devices.slice(0, 5)) {
      await rollUpDevice(api.deps, { tenantId: tenant.id, deviceKey: device.key })
    }
    for (const device of devices.slice(2)) {
      await postSamples(api, tenant, samplesOf(device, NOW - DAY_MS, NOW))
      const late = START + random.between(0, 400) * HOUR_MS
      await postSamples(api, tenant, samplesOf(device, late, late + 6 * HOUR_MS))
    }
    const { pool } = api.deps.database
    const requests = devices.flatMap(requestsOf)
    const foreign = {
      ...requestsOf({ id: '00000000-0000-4000-8000-000000000000', key: 0 })[0],
    } as EnergyRequest
    const read = await readEnergyBulk(pool, tenant.id, [...requests, foreign])
    for (const [index, { deviceId, interval, range }] of requests.entries()) {
      const head = await readMeteredDevice(pool, tenant.id, deviceId)
      if (!head) throw new Error('the device was made above')
      const { buckets, registers } = await readEnergy(pool, head, { interval, range })
      expect({ index, interval, ...read[index] }).toEqual({
        index,
        interval,
        buckets,
        registers,
        isInverter: false,
      })
      const [alone] = await readEnergyBulk(pool, tenant.id, [{ deviceId, interval, range }])
      expect(alone).toEqual(read[index])
    }
    expect(read.at(-1)).toBeUndefined()
  })
})
