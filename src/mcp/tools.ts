import { type Static, Type } from 'typebox'
import { described, Id, InstantIn, OneOf } from '../platform/http/fields.ts'
import { MCP_ROWS_MAX } from './limits.ts'

/**
 * The tools of the MCP server. A tool is one operation of the API with few, described arguments: the API checks
 * permissions, tenancy and arguments once more, so a tool can do nothing that its caller could not do by HTTP.
 */
export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: Type.TObject
  /** Changes something; offered only where writing is enabled. */
  readonly isWrite: boolean
  request(input: Readonly<Record<string, unknown>>): ApiCall
}

/** A request to the API. */
export interface ApiCall {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: object
}

interface Definition<P extends Type.TProperties> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: P
  readonly request: (input: Static<Type.TObject<P>>) => ApiCall
}

const make = <P extends Type.TProperties>(isWrite: boolean, definition: Definition<P>): Tool => ({
  ...definition,
  input: Type.Object(definition.input, { additionalProperties: false }),
  isWrite,
  request: (input) => definition.request(input as Static<Type.TObject<P>>),
})
const read = <P extends Type.TProperties>(definition: Definition<P>) => make(false, definition)
const write = <P extends Type.TProperties>(definition: Definition<P>) => make(true, definition)

const id = (what: string) => described(Id, `Id of the ${what}, as a list returns it.`)
const Month = described(
  Type.String({ pattern: '^\\d{4}-\\d{2}(-01)?$' }),
  'Billing period, a month of Turkish local time: 2026-05.',
)
const instant = (text: string) =>
  Type.Optional(described(InstantIn, `${text}, ISO 8601 with offset: 2026-05-01T00:00:00+03:00.`))
const range = {
  from: instant('Beginning of the hours to read'),
  to: instant('End of the hours to read, exclusive'),
}
const limit = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: MCP_ROWS_MAX,
    description: `Number of rows, at most ${MCP_ROWS_MAX}; default 50.`,
  }),
)
const search = Type.Optional(Type.String({ maxLength: 100, description: 'Part of the name, ignoring case.' }))
const rows = (given: number | undefined, first: number | undefined) => ({
  limit: given ?? 50,
  offset: first ?? 0,
})
const offset = Type.Optional(Type.Integer({ minimum: 0, description: 'Number of rows to skip; default 0.' }))
const periodOf = (month: string) => (month.length === 7 ? `${month}-01` : month)

const netting: readonly Tool[] = [
  read({
    name: 'list_groups',
    title: 'Netting groups',
    description:
      'Lists the netting (mahsuplaşma) groups: facilities whose production and consumption are netted.',
    input: { search, limit, offset },
    request: (input) => ({
      method: 'GET',
      path: '/api/mahsuplasma/groups',
      query: { search: input.search, ...rows(input.limit, input.offset) },
    }),
  }),
  read({
    name: 'get_group_month',
    title: 'Month of a netting group',
    description:
      'Key figures of a group in a month: production, consumption, netted energy, paid surplus (bedelli), surplus ' +
      'beyond the limit (skb), free surplus (bedelsiz), the remaining limit, data quality, and whether results are ' +
      'stale. Energies are in kWh and amounts in TRY without taxes, as decimal strings; null means unknown.',
    input: { group_id: id('group'), month: Month },
    request: ({ group_id, month }) => ({
      method: 'GET',
      path: `/api/mahsuplasma/groups/${group_id}/dashboard-summary`,
      query: { period: periodOf(month) },
    }),
  }),
  read({
    name: 'list_group_hours',
    title: 'Hours of a netting group',
    description:
      'Hourly results of a group in kWh: production, consumption, netted energy, surplus by kind, use of the limit, ' +
      'data quality, and the calculation run of each row.',
    input: { group_id: id('group'), ...range, limit, offset },
    request: ({ group_id, from, to, ...page }) => ({
      method: 'GET',
      path: `/api/mahsuplasma/groups/${group_id}/hourly`,
      query: { from, to, ...rows(page.limit, page.offset) },
    }),
  }),
  read({
    name: 'list_group_amounts',
    title: 'Amounts of a netting group',
    description:
      'Hourly amounts in TRY without taxes, each with its provenance: quantity in kWh, unit price in TRY/kWh, the ' +
      'regulated price (tariff_price_id), the tariff step, and the calculation run. Sums: get_group_amount_totals.',
    input: { group_id: id('group'), ...range, limit, offset },
    request: ({ group_id, from, to, ...page }) => ({
      method: 'GET',
      path: `/api/mahsuplasma/groups/${group_id}/amounts`,
      query: { from, to, ...rows(page.limit, page.offset) },
    }),
  }),
  read({
    name: 'get_group_amount_totals',
    title: 'Sums of amounts',
    description: 'Exact sums of the amounts of a group by kind, in TRY and kWh, over a range of hours.',
    input: { group_id: id('group'), ...range },
    request: ({ group_id, from, to }) => ({
      method: 'GET',
      path: `/api/mahsuplasma/groups/${group_id}/amounts/totals`,
      query: { from, to },
    }),
  }),
  read({
    name: 'list_group_runs',
    title: 'Calculation runs of a group',
    description:
      'Calculations and corrections of a group, newest first: trigger, time, hash of the input, and whether they are ' +
      'current. Shows where a figure comes from.',
    input: { group_id: id('group'), month: Type.Optional(Month), limit, offset },
    request: ({ group_id, month, ...page }) => ({
      method: 'GET',
      path: `/api/mahsuplasma/groups/${group_id}/runs`,
      query: { billing_period: month && periodOf(month), ...rows(page.limit, page.offset) },
    }),
  }),
]

const operation: readonly Tool[] = [
  read({
    name: 'list_alarms',
    title: 'Alarms',
    description: 'Lists incidents of alarms, newest first, with device, severity, status and message.',
    input: {
      is_open: Type.Optional(Type.Boolean({ description: 'Only open or only closed incidents.' })),
      severity: Type.Optional(described(OneOf(['info', 'warning', 'critical']), 'Only this severity.')),
      device_id: Type.Optional(id('device')),
      from: instant('Only incidents raised at or after this time'),
      to: instant('Only incidents raised before this time'),
      search,
      limit,
      offset,
    },
    request: ({ limit: given, offset: first, ...query }) => ({
      method: 'GET',
      path: '/api/alarms/incidents',
      query: { ...query, limit: given ?? 50, skip: first ?? 0 },
    }),
  }),
  read({
    name: 'list_devices',
    title: 'Devices',
    description:
      'Lists meters, inverters, sensors and connectors of chargers, with their site and last contact.',
    input: {
      search,
      is_online: Type.Optional(Type.Boolean({ description: 'Only devices that are, or are not, online.' })),
      subregion_id: Type.Optional(id('subregion')),
      limit,
      offset,
    },
    request: ({ limit: given, offset: first, ...query }) => ({
      method: 'GET',
      path: '/api/devices',
      query: { ...query, limit: given ?? 50, skip: first ?? 0 },
    }),
  }),
  read({
    name: 'get_latest_values',
    title: 'Latest values of devices',
    description:
      'Newest value of each metric of up to 50 devices, with its time. Power is in kW and energy in kWh.',
    input: {
      device_ids: Type.Array(Id, { minItems: 1, maxItems: 50, description: 'Ids of the devices.' }),
      metrics: Type.Optional(
        Type.Array(Type.String({ maxLength: 100 }), {
          maxItems: 30,
          description: 'Only these metrics, for example active_power and import_active_energy.',
        }),
      ),
    },
    request: ({ device_ids, metrics }) => ({
      method: 'GET',
      path: '/api/measurements/latest',
      query: { device_ids: device_ids.join(), metrics: metrics?.join() },
    }),
  }),
  read({
    name: 'get_device_energy',
    title: 'Energy of a device',
    description: 'Energy of a device in kWh by hour, day or month, with the quality of each value.',
    input: {
      device_id: id('device'),
      start: instant('Beginning'),
      end: instant('End, exclusive'),
      interval: Type.Optional(
        described(OneOf(['hourly', 'daily', 'monthly']), 'Length of a bucket; default hourly.'),
      ),
    },
    request: ({ device_id, ...query }) => ({
      method: 'GET',
      path: `/api/devices/${device_id}/energy-consumption`,
      query,
    }),
  }),
  read({
    name: 'list_charging_sessions',
    title: 'Charging sessions',
    description: 'Lists charging sessions with energy in kWh and cost in TRY, newest first.',
    input: {
      charger_id: Type.Optional(id('charging station')),
      state: Type.Optional(described(OneOf(['active', 'ended']), 'Only active or only ended sessions.')),
      from: instant('Only sessions that began at or after this time'),
      to: instant('Only sessions that began before this time'),
      limit,
      offset,
    },
    request: ({ limit: given, offset: first, ...query }) => ({
      method: 'GET',
      path: '/api/ocpp/sessions',
      query: { ...query, limit: given ?? 50, skip: first ?? 0 },
    }),
  }),
  read({
    name: 'get_charging_session',
    title: 'Charging session',
    description:
      'One charging session with its tariff, the parts of its cost, and the hours without a reading.',
    input: { session_id: id('session') },
    request: ({ session_id }) => ({ method: 'GET', path: `/api/ocpp/sessions/${session_id}` }),
  }),
]

const writing: readonly Tool[] = [
  write({
    name: 'acknowledge_alarm',
    title: 'Acknowledge an alarm',
    description: 'Acknowledges an open incident in the name of the caller.',
    input: {
      incident_id: id('incident'),
      note: Type.Optional(
        Type.String({ minLength: 1, maxLength: 1000, description: 'Note for the audit trail.' }),
      ),
    },
    request: ({ incident_id, note }) => ({
      method: 'POST',
      path: `/api/alarms/incidents/${incident_id}/ack`,
      body: { note: note ?? null },
    }),
  }),
  write({
    name: 'calculate_group',
    title: 'Calculate a month of a group',
    description: 'Calculates a month of a netting group anew from the current data and returns the run.',
    input: { group_id: id('group'), month: Month },
    request: ({ group_id, month }) => ({
      method: 'POST',
      path: `/api/mahsuplasma/groups/${group_id}/calculate`,
      body: { billing_period: periodOf(month) },
    }),
  }),
]

export const TOOLS: readonly Tool[] = [...netting, ...operation, ...writing]
