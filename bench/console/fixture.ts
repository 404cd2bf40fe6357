/** What the console shows in its benchmark: 10,000 devices, a year of calculated hours, and 200 meters that send. */
import { calculateRange } from '../../src/areas/netting/index.ts'
import { addMonths, periodRange } from '../../src/kernel/time.ts'
import { addFacts, hourlyFacts } from '../../test/support/netting/energy.ts'
import { makeFacility, makeGroup } from '../../test/support/netting/netting.ts'
import { INDUSTRIAL_PRICES, makePriceSet } from '../../test/support/netting/prices.ts'
import { type BenchService, createDevices } from '../support/service.ts'

export const PASSWORD = 'a-console-password-1'
const EMAIL = 'console@example.test'
const DEVICES = 9_800
const METERS = 200
const MONTHS = Array.from({ length: 12 }, (_, index) => addMonths('2025-01-01', index))
export const YEAR = { from: '2024-12-31T21:00:00.000Z', to: '2025-12-31T21:00:00.000Z' }

export interface ConsoleFixture {
  readonly email: string
  readonly groupId: string
  readonly meterIds: readonly string[]
}

export async function fillConsole(service: BenchService): Promise<ConsoleFixture> {
  const { deps, tenant } = service
  for (let created = 0; created < DEVICES; created += DEVICES / 2) await createDevices(service, DEVICES / 2)
  const meterIds: string[] = []
  for (let index = 0; index < METERS; index += 1) {
    const facility = await makeFacility(deps, tenant, { meters: ['main_consumption'], reportingIntervalS: 1 })
    meterIds.push(facility.meters.main_consumption?.deviceId ?? '')
  }
  await sendOnce(service, meterIds)
  const groupId = await makeYear(service)
  await createUser(service)
  await deps.database.owner.pool.query('analyze')
  return { email: EMAIL, groupId, meterIds }
}

/** A first power of each meter, without which the flow of their facility is unknown. */
async function sendOnce({ url, tenant }: BenchService, meterIds: readonly string[]): Promise<void> {
  const timestamp = new Date().toISOString()
  const samples = meterIds.map((device_id) => ({ device_id, timestamp, values: { active_power: 5 } }))
  await post(`${url}/api/measurements`, tenant.operator.token, { samples })
}

async function makeYear({ deps, tenant }: BenchService): Promise<string> {
  await makePriceSet(deps, '2024-12-01', INDUSTRIAL_PRICES)
  const { id, facilities } = await makeGroup(deps, tenant, {
    members: [{ role: 'production' }, { role: 'consumption', limits: { 2025: '900000.000' } }],
  })
  for (const { id: facilityId, meters } of facilities) {
    const role = meters.main_production ? 'main_production' : 'main_consumption'
    const facts = hourlyFacts(YEAR, { facilityId, role }, (hour) => {
      const [clock, day] = [hour % 24, Math.floor(hour / 24)]
      const sun = Math.max(0, 400 * Math.sin(((clock - 6) * Math.PI) / 12) * (1 + (day % 11) / 20))
      return role === 'main_production'
        ? { production: sun.toFixed(3) }
        : { consumption: (60 + ((clock * 13 + day * 5) % 90)).toFixed(3) }
    })
    await addFacts(deps, tenant, facts)
  }
  for (const month of MONTHS) {
    const request = { groupId: id, range: periodRange(month), triggeredBy: 'beat', startedBy: null } as const
    await calculateRange(deps, tenant.id, request)
  }
  return id
}

async function createUser({ url, tenant }: BenchService): Promise<void> {
  const roles = await fetch(`${url}/api/roles?limit=200`, {
    headers: { authorization: `Bearer ${tenant.admin.token}` },
  })
  const { items } = (await roles.json()) as { items: { id: string; name: string; is_system: boolean }[] }
  const role_ids = items.filter(({ name, is_system }) => is_system && name === 'admin').map(({ id }) => id)
  await post(`${url}/api/users`, tenant.superuser.token, { email: EMAIL, password: PASSWORD, role_ids })
}

async function post(url: string, token: string, body: object): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (response.status !== 201) throw new Error(await response.text())
}
