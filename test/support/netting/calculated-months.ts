import type { TestApi } from '../api.ts'
import type { TestTenant } from '../tenants.ts'
import { type Row, read } from './calculation.ts'
import { addHours, calculateMonths, type MonthlyGroup, makeMonthlyGroup, readState } from './corrections.ts'

export const SPRING = ['2026-03-01', '2026-04-01', '2026-05-01']

export interface Spring extends MonthlyGroup {
  readonly account: string | undefined
}

/** Three calculated months of one busy hour each; the last one exhausts the limit of 100 kWh. */
export async function makeSpring({ deps }: TestApi, tenant: TestTenant): Promise<Spring> {
  const created = await makeMonthlyGroup(deps, tenant, { 2026: '100.000' })
  await addHours(deps, tenant, created, [
    { period: '2026-03-01', production: '30.000', consumption: '10.000' },
    { period: '2026-04-01', production: '50.000', consumption: '20.000' },
    { period: '2026-05-01', production: '40.000', consumption: '10.000' },
  ])
  await calculateMonths(deps, tenant, { groupId: created.group.id, periods: SPRING, hours: 3 })
  return { ...created, account: created.consumer.accounts[2026] }
}

/** The official reading of March: 15 kWh more. */
export const readMarch = ({ deps }: TestApi, tenant: TestTenant, spring: Spring): Promise<void> =>
  addHours(deps, tenant, spring, [{ period: '2026-03-01', production: '45.000' }])

export const stateOf = ({ deps }: TestApi, { group, producer, consumer }: Spring): Promise<string[]> =>
  readState(deps, [group.id], { [producer.id]: 'producer', [consumer.id]: 'consumer' })

export const runsOf = async ({ group }: Spring): Promise<Row[]> => (await read(group, 'runs?limit=500')).body
export const column = (rows: readonly Row[], name: string) => rows.map((row) => row[name])
