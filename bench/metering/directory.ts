import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import pg from 'pg'
import { makeDeviceDirectory } from '../../src/areas/metering/intake/device-key-store.ts'
import { SeenTimes } from '../../src/areas/metering/intake/seen-times.ts'
import { makeDirectory } from '../../src/field/mqtt/directory.ts'
import { sized } from '../support/effort.ts'
import { type BenchService, openService } from '../support/service.ts'
import type { Bench, BenchOptions, Figure } from '../support/types.ts'

/** Numbers of devices that send one after the other. */
const SIZES = sized([1_000, 100_000] as const, [1_000, 10_000] as const)
const LARGE_SIZES = [1_000, 100_000, 1_000_000] as const
const PER_GATEWAY = 50
/** Devices of one request, and gateways that are read at once. */
const PER_REQUEST = 5_000
const AT_ONCE = 20

const ADD_GATEWAYS = `
  insert into gateway (tenant_id, id, name, gateway_type)
  select $1, gen_random_uuid(), 'gateway ' || n, 'mqtt' from generate_series($2::int, $3::int) as n`
const ADD_DEVICES = `
  insert into device (tenant_id, name, device_type, device_source, mqtt_gateway_id)
  select $1, 'meter ' || row_number() over (), 'energy_analyzer', 'manual', g.id
  from gateway g, generate_series(1, ${PER_GATEWAY}) where g.tenant_id = $1
    and not exists (select 1 from device d where d.tenant_id = $1 and d.mqtt_gateway_id = g.id)`

interface Devices {
  readonly gatewayIds: readonly string[]
  readonly devices: readonly { readonly deviceId: string; readonly key: number }[]
}

/** Adds devices until the tenant has as many. */
async function addDevices({ databaseUrl, tenant }: BenchService, from: number, to: number): Promise<Devices> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(ADD_GATEWAYS, [tenant.id, from / PER_GATEWAY + 1, to / PER_GATEWAY])
  await client.query(ADD_DEVICES, [tenant.id])
  await client.query('analyze device')
  const gateways = await client.query<{ id: string }>('select id from gateway where tenant_id = $1', [
    tenant.id,
  ])
  const devices = await client.query<{ deviceId: string; key: number }>(
    'select id as "deviceId", key from device where tenant_id = $1',
    [tenant.id],
  )
  await client.end()
  return { gatewayIds: gateways.rows.map(({ id }) => id), devices: devices.rows }
}

function heldBytes(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

/** What a process keeps after each device has sent over HTTP and over MQTT. */
async function measure({ deps, tenant }: BenchService, { gatewayIds, devices }: Devices): Promise<number> {
  const before = heldBytes()
  const keys = makeDeviceDirectory(deps.database)
  const directory = makeDirectory(deps)
  const seen = new SeenTimes()
  for (let start = 0; start < devices.length; start += PER_REQUEST) {
    await keys.find(tenant.id, devices.slice(start, start + PER_REQUEST))
  }
  for (let start = 0; start < gatewayIds.length; start += AT_ONCE) {
    const refs = gatewayIds.slice(start, start + AT_ONCE)
    await Promise.all(
      refs.map((gatewayId) => directory.devices({ tenantId: tenant.id, gatewayId, root: '' })),
    )
  }
  for (const { key } of devices) seen.set(key, 1)
  const held = heldBytes() - before
  // They are used after the measurement, so that they are not collected before it.
  await keys.find(tenant.id, devices.slice(0, 1))
  await directory.devices({ tenantId: tenant.id, gatewayId: gatewayIds[0] ?? '', root: '' })
  if (seen.get(devices[0]?.key ?? -1) === undefined) throw new Error('a device was not seen')
  return held
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`

export const directoryBench: Bench = {
  name: 'directory',
  async run({ isLarge }: BenchOptions) {
    const service = await openService(Date.now())
    try {
      const figures: Figure[] = []
      let [count, before] = [0, 0]
      for (const size of isLarge ? LARGE_SIZES : SIZES) {
        const devices = await addDevices(service, count, size)
        const held = await measure(service, devices)
        figures.push({
          name: `memory for ${size.toLocaleString('en')} devices that send over HTTP and MQTT (${count.toLocaleString('en')} devices)`,
          measured: megabytes(held),
          against: count === 0 ? '' : megabytes(before),
          ratio: count === 0 ? undefined : held / before,
          aim: size > 100_000 ? '<= 1.5' : '',
        })
        ;[count, before] = [size, held]
      }
      return figures
    } finally {
      await service.stop()
    }
  },
}
