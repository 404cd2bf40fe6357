import { randomBytes, randomUUID } from 'node:crypto'
import type { TestApi } from './api.ts'
import type { TestTenant } from './tenants.ts'

/** What the walk over all routes with an id needs of each resource: a real record of a tenant, and bodies that are valid. */
export interface World {
  readonly api: TestApi
  readonly tenant: TestTenant
}
type PathIds = Readonly<Record<string, string>>

const unique = (word: string): string => `${word} ${randomBytes(6).toString('hex')}`

async function post({ api, tenant }: World, path: string, body: object): Promise<string> {
  const answer = await api.call('POST', path, { token: tenant.superuser.token, body })
  if (answer.status !== 201) throw new Error(`POST ${path} answered ${answer.status}: ${answer.text}`)
  return answer.body.id
}

const region = (world: World) => post(world, '/api/regions', { name: unique('region') })
const subregion = async (world: World) =>
  post(world, '/api/subregions', { name: unique('subregion'), region_id: await region(world) })
const device = (world: World) =>
  post(world, '/api/devices', { name: unique('device'), device_type: 'energy_analyzer' })

const NETTING = '/api/mahsuplasma'
const facility = async (world: World) =>
  post(world, `${NETTING}/facilities`, { subregion_id: await subregion(world) })
const group = (world: World) =>
  post(world, `${NETTING}/groups`, { name: unique('group'), mahsuplasma_type: 'lisanssiz' })

/** By the pattern up to its last id. A route whose resource is missing here fails the walk. */
export const MAKERS: Readonly<Record<string, (world: World) => Promise<PathIds>>> = {
  '/api/users/:id': async (world) => ({
    id: await post(world, '/api/users', {
      email: `${randomUUID()}@example.test`,
      password: 'a password of 12',
      role_ids: [],
    }),
  }),
  '/api/roles/:id': async (world) => ({
    id: await post(world, '/api/roles', { name: unique('role'), permissions: [] }),
  }),
  '/api/regions/:id': async (world) => ({ id: await region(world) }),
  '/api/subregions/:id': async (world) => ({ id: await subregion(world) }),
  '/api/gateways/:id': async (world) => ({
    id: await post(world, '/api/gateways', { name: unique('gateway'), gateway_type: 'modbus' }),
  }),
  '/api/devices/:id': async (world) => ({ id: await device(world) }),
  '/api/devices/device-templates/:id': async (world) => ({
    id: await post(world, '/api/devices/device-templates', {
      name: unique('template'),
      device_type: 'inverter',
    }),
  }),
  '/api/measurements/devices/:device_id': async (world) => ({ device_id: await device(world) }),
  [`${NETTING}/scopes/:id`]: async (world) => ({
    id: await post(world, `${NETTING}/scopes`, { name: unique('scope') }),
  }),
  [`${NETTING}/organizations/:id`]: async (world) => ({
    id: await post(world, `${NETTING}/organizations`, { name: unique('org'), org_type: 'supplier' }),
  }),
  [`${NETTING}/facilities/:id`]: async (world) => ({ id: await facility(world) }),
  [`${NETTING}/meters/:metering_point_id`]: async (world) => ({
    metering_point_id: await post(world, `${NETTING}/facilities/${await facility(world)}/meters`, {
      meter_no: '1',
    }),
  }),
  [`${NETTING}/meters/assignments/:id`]: async (world) => ({
    id: await post(world, `${NETTING}/meters/assign`, {
      subregion_id: await subregion(world),
      device_id: await device(world),
      measurement_role: 'check_meter',
      valid_from: '2026-11-01T00:00:00+03:00',
    }),
  }),
  [`${NETTING}/groups/:id`]: async (world) => ({ id: await group(world) }),
  [`${NETTING}/groups/:id/members/:member_id`]: async (world) => {
    const id = await group(world)
    const member_id = await post(world, `${NETTING}/groups/${id}/members`, {
      facility_id: await facility(world),
      member_role: 'mixed',
      valid_from: '2026-11-01',
    })
    return { id, member_id }
  },
  [`${NETTING}/limits/accounts/:id`]: async (world) => ({
    id: await post(world, `${NETTING}/limits/accounts`, {
      facility_id: await facility(world),
      year: 2026,
      initial_limit_kwh: '1000.000',
      limit_source: 'customer_declaration',
    }),
  }),
}

const WINDOW = { from_hour: '2026-11-01T00:00:00+03:00', to_hour: '2026-11-02T00:00:00+03:00' }

/** Bodies that pass the schema, where an empty object does not. */
export const BODIES: Readonly<Record<string, (world: World) => Promise<object> | object>> = {
  [`POST ${NETTING}/scopes/:id/declare-same-official-party`]: () => ({
    declaration_source: 'customer_declaration',
  }),
  [`POST ${NETTING}/facilities/:id/meters`]: () => ({ meter_no: '2' }),
  [`POST ${NETTING}/facilities/:id/hourly-energy/rebuild`]: () => WINDOW,
  [`POST ${NETTING}/groups/:id/calculate`]: () => WINDOW,
  [`POST ${NETTING}/groups/:id/corrections`]: () => ({
    billing_period: '2026-11-01',
    reason: 'a late reading',
  }),
  [`POST ${NETTING}/groups/:id/reconcile`]: () => {
    const form = new FormData()
    form.append('file', new Blob(['date,matched_kwh\n2026-11-01,1\n']), 'figures.csv')
    return form
  },
  [`POST ${NETTING}/groups/:id/members`]: async (world) => ({
    facility_id: await facility(world),
    member_role: 'mixed',
    valid_from: '2026-11-01',
  }),
  [`POST ${NETTING}/limits/accounts/:id/adjust`]: () => ({ amount_kwh: '1.000', reason: 'a reason' }),
}

/** Query strings that a route cannot do without. */
export const QUERIES: Readonly<Record<string, string>> = {
  'GET /api/measurements/devices/:device_id/aggregated': 'period=day&date=2026-11-01',
  'GET /api/measurements/devices/:device_id/aggregated-production': 'period=day&date=2026-11-01',
  [`GET ${NETTING}/facilities/:id/hourly-energy`]: 'from=2026-11-01&to=2026-11-02',
  [`GET ${NETTING}/groups/:id/audit-package`]: 'billing_period=2026-11',
  [`GET ${NETTING}/groups/:id/comparison`]: 'billing_period=2026-11',
  [`POST ${NETTING}/groups/:id/reconcile`]: 'billing_period=2026-11',
}

/** Routes with an id that belongs to no tenant, or that a superuser may use in every tenant. */
export const NOT_OF_A_TENANT: readonly RegExp[] = [
  /^\w+ \/api\/v1\/admin\/regulated-tariffs\//,
  /^DELETE \/api\/mahsuplasma\/facilities\/:id$/,
]
