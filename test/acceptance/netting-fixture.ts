/** A producer and a consumer in a group of their own, imported as history; their readings are those of a past month. */
import { expect } from 'vitest'
import { baseUrl, call, request, tokenOf, type User, uniqueName } from './client.ts'

const HOUR_MS = 3_600_000
const OFFSET_MS = 3 * HOUR_MS

/** The last month that is over, by Turkey-local time. */
const local = new Date(Date.now() + OFFSET_MS)
const first = new Date(Date.UTC(local.getUTCFullYear(), local.getUTCMonth() - 1, 1))
export const MONTH = first.toISOString().slice(0, 10)
/** An hour of a month, counted from its start by Turkey-local time. */
export const at = (hour: number, month = MONTH): string =>
  new Date(Date.parse(month) - OFFSET_MS + hour * HOUR_MS).toISOString()

const csv = (header: string, ...rows: readonly (string | number)[][]): string =>
  [header, ...rows.map((cells) => cells.join(';'))].join('\n')

export interface ImportedPair {
  readonly group: string
  readonly producer: string
  readonly consumer: string
}

export interface PairOptions {
  readonly voltage?: 'AG' | 'OG'
  readonly limitKwh?: number
  /** The first day of the month in which the facilities and the group begin. */
  readonly month?: string
}

/** The files of an import of a group. */
export function pairFiles({ voltage = 'AG', limitKwh = 1000, month = MONTH }: PairOptions = {}) {
  const [sun, mill, group] = ['Güneş', 'Fabrika', 'Grup'].map(uniqueName) as [string, string, string]
  const files = {
    'facilities.csv': csv(
      'name;region;valid_from;abone_grubu;voltage_level;source_type;contracted_power_kw',
      [sun, group, month, 'sanayi', voltage, 'solar', 100],
      [mill, group, month, 'sanayi', voltage, '', 100],
    ),
    'groups.csv': csv('name;group_status', [group, 'lum_reported']),
    'members.csv': csv(
      'group;facility;member_role;valid_from',
      [group, sun, 'production', month],
      [group, mill, 'consumption', month],
    ),
    'limit_accounts.csv': csv('facility;year;initial_limit_kwh;limit_source', [
      ...[mill, month.slice(0, 4), limitKwh, 'previous_year_consumption'],
    ]),
  }
  return { files, names: { sun, mill, group } }
}

export async function sendForm(
  user: User,
  path: string,
  fields: Readonly<Record<string, string>>,
  files = {},
) {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.append(name, value)
  for (const [name, text] of Object.entries<string>(files)) body.append('file', new Blob([text]), name)
  return request(baseUrl(), 'POST', path, { token: tokenOf(user), body })
}

/** Imports records into the tenant of an admin. */
export async function importRecords(
  files: Readonly<Record<string, string>>,
  fields = {},
  admin: User = 'admin',
) {
  const { body } = await call(admin, 'GET', '/api/auth/me')
  return sendForm('superuser', '/api/mahsuplasma/history', { tenant_id: body.tenant_id, ...fields }, files)
}

const idOf = async (admin: User, path: string, name: string): Promise<string> => {
  const { body } = await call(admin, 'GET', `/api/mahsuplasma/${path}?limit=500`)
  return body.find((row: { name: string }) => row.name === name).id
}

export async function importPair(options?: PairOptions, admin: User = 'admin'): Promise<ImportedPair> {
  const { files, names } = pairFiles(options)
  const { body } = await importRecords(files, {}, admin)
  expect(body).toMatchObject({ applied: true, errors: [] })
  return {
    group: await idOf(admin, 'groups', names.group),
    producer: await idOf(admin, 'facilities', names.sun),
    consumer: await idOf(admin, 'facilities', names.mill),
  }
}

export interface Declared {
  readonly facility: string
  readonly role: 'main_production' | 'main_consumption' | 'pcc_import_export'
  /** kWh of the hours from the start of the month. */
  readonly values: readonly number[]
  readonly month?: string
  readonly admin?: User
}

/** Imports hourly energy that the customer declares. */
export async function declare({ facility, role, values, month, admin = 'admin' }: Declared) {
  const fields = {
    ...{ facility_id: facility, measurement_role: role, value_kind: 'interval', interval_minutes: '60' },
    ...{ label: 'hour_starting', unit: 'kWh' },
  }
  const text = csv('date;value', ...values.map((value, hour) => [at(hour, month), value]))
  const { body } = await sendForm(admin, '/api/mahsuplasma/meter-data/import', fields, {
    'hours.csv': text,
  })
  expect(body).toMatchObject({ is_stored: true, errors: [] })
  return body
}

export const groupPath = ({ group }: Pick<ImportedPair, 'group'>): string =>
  `/api/mahsuplasma/groups/${group}`

export async function calculate(pair: Pick<ImportedPair, 'group'>, month = MONTH) {
  const window = { from_hour: at(0, month), to_hour: at(2, month) }
  const response = await call('admin', 'POST', `${groupPath(pair)}/calculate`, window)
  expect(response.status, response.text).toBe(201)
  return response.body
}

export async function correct(pair: Pick<ImportedPair, 'group'>) {
  const body = { billing_period: MONTH, reason: uniqueName('acceptance test') }
  const response = await call('admin', 'POST', `${groupPath(pair)}/corrections`, body)
  expect(response.status, response.text).toBe(201)
  return response.body
}

export async function hourly(pair: Pick<ImportedPair, 'group'>, hours = 2) {
  const { body } = await call('viewer', 'GET', `${groupPath(pair)}/hourly?from=${at(0)}&to=${at(hours)}`)
  return body
}

export async function summary(pair: Pick<ImportedPair, 'group'>) {
  const { body } = await call('viewer', 'GET', `${groupPath(pair)}/monthly-summary?year=${MONTH.slice(0, 4)}`)
  return body.find((row: { billing_period: string }) => row.billing_period === MONTH)
}
