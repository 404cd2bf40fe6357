/**
 * Rejects statements that touch a tenant's table without comparing its tenant_id.
 *
 * The service is multi-tenant: a statement that forgets the tenant reads or changes the rows of all tenants,
 * and on a distributed database it runs on every node. vitest loads this file for every test file. It watches
 * each statement that the service sends through the PostgreSQL driver, and fails the statement and the test
 * file. Statements that serve all tenants on purpose are listed in CROSS_TENANT_STATEMENTS. Statements that a
 * test sends itself are not checked: the call stack of a rejected statement shows which of the two it is.
 *
 * The check is textual: the statement has to name tenant_id. Which column is compared with what is checked by
 * the types of src/platform/db/tenant-rows.ts.
 */
import { readFileSync } from 'node:fs'
import pg from 'pg'
import { afterAll, expect } from 'vitest'

/**
 * The beginning of each statement that works on the rows of all tenants, white space collapsed, with the
 * reason.
 */
const CROSS_TENANT_STATEMENTS: readonly (readonly [beginning: string, reason: string])[] = [
  ['select "email" from "login_email"', 'an e-mail address is unique across all tenants'],
  ['update "login_email" set "email"', 'an e-mail address is unique across all tenants'],
  ['delete from "login_email"', 'an e-mail address is unique across all tenants'],
  ['select "user_id" from "password_reset"', 'the token of a mail names its user before the tenant is known'],
  ['update data_export set status = case', 'a process that died leaves exports of any tenant'],
  ['delete from data_export where status', 'expired exports of any tenant are removed'],
  ["update data_export set status = 'failed'", 'exports of any tenant that nobody finished are ended'],
  ['update modbus_lease set expires_at', 'a process renews all its leases, of gateways of any tenant'],
  ['delete from "modbus_lease" where "holder"', 'a process that stops returns all its leases'],
  ['select "id" from "notification_cursor"', 'a process asks whether anything is due for any tenant'],
  ['select (select count(*)::int from alarm_event', 'the metrics of the process count all tenants'],
  ['delete from notification where created_at', 'old notifications of all tenants are purged'],
  ['delete from escalation_message where created_at', 'old messages of all tenants are purged'],
  ['select id from escalation_message where status', 'a process asks whether anything is due for any tenant'],
  ['update organization o set is_active', 'the copies of a system organization in each tenant follow it'],
  ['delete from "live_ticket" where "expires_at"', 'expired tickets of any tenant are removed'],
  ['select count(*) as "count" from "gateway_sequence"', 'the metrics of the process count all tenants'],
  ['update "gateway" set "is_online"', 'a broker that starts has no session of any tenant'],
]

const TABLE_TYPES = new URL('../../src/platform/db/types.ts', import.meta.url)

/** The tables that have a tenant_id, by the generated table types. */
export function tenantTables(): ReadonlySet<string> {
  const types = readFileSync(TABLE_TYPES, 'utf8')
  const interfaces = [...types.matchAll(/^export interface (\w+) \{\n([^}]*)\}/gm)]
  const withTenant = new Set(
    interfaces.filter(([, , body = '']) => /^ {2}tenant_id: number;$/m.test(body)).map(([, name]) => name),
  )
  const [, tables = ''] = /^export interface DB \{\n([^}]*)\}/m.exec(types) ?? []
  const rows = [...tables.matchAll(/^ {2}(\w+): (\w+);$/gm)]
  return new Set(rows.flatMap(([, table = '', name]) => (withTenant.has(name ?? '') ? [table] : [])))
}

const TABLES = tenantTables()
const REFERENCE = /\b(?:from|join|update|into|using|copy)\s+(?:only\s+)?"?([a-z_0-9]+)"?/gi
const collapse = (text: string): string => text.replace(/\s+/g, ' ').trim()

/**
 * The tenant tables that a statement uses without naming tenant_id; none when the statement is in the list.
 */
export function tablesWithoutTenant(text: string): string[] {
  if (/\btenant_id\b/.test(text)) return []
  const names = [...text.matchAll(REFERENCE)].map(([, name = '']) => name.toLowerCase())
  const touched = names.filter((name) => TABLES.has(name))
  if (touched.length === 0) return []
  const statement = collapse(text)
  return CROSS_TENANT_STATEMENTS.some(([beginning]) => statement.startsWith(beginning)) ? [] : touched
}

/**
 * Whether the service, and not a test, is sending the statement. Expensive, so it is called only for
 * suspects.
 */
function isSentByService(): boolean {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 100
  const frames = (new Error('stack').stack ?? '').split('\n').filter((line) => !line.includes(THIS_FILE))
  Error.stackTraceLimit = limit
  return frames.some((line) => line.includes('/src/')) || !frames.some((line) => line.includes('/test/'))
}
const THIS_FILE = '/tenant-filter.ts'

type Query = (...args: unknown[]) => unknown

const textOf = (query: unknown): string => {
  if (typeof query === 'string') return query
  const { text } = (query ?? {}) as { readonly text?: unknown }
  return typeof text === 'string' ? text : ''
}

/**
 * A pool sends a statement from a callback, without the stack of its caller: this marker is added where the
 * caller is known.
 */
const SENT_BY_TEST = '/* sent by a test */'
const mark = (query: unknown): unknown =>
  typeof query === 'string'
    ? `${query} ${SENT_BY_TEST}`
    : { ...(query as object), text: `${textOf(query)} ${SENT_BY_TEST}` }

function watch(prototype: { query: Query }, rejected: string[]): void {
  const query = prototype.query
  prototype.query = function (this: unknown, statement: unknown, ...rest: unknown[]) {
    const text = textOf(statement)
    const tables = text.includes(SENT_BY_TEST) ? [] : tablesWithoutTenant(text)
    if (tables.length === 0) return query.call(this, statement, ...rest)
    // A query object that is a stream cannot be copied, and tests send none through a pool.
    if (!isSentByService())
      return query.call(this, this instanceof pg.Pool ? mark(statement) : statement, ...rest)
    rejected.push(collapse(text))
    throw new Error(`a statement on ${tables.join(', ')} does not compare tenant_id: ${collapse(text)}`)
  }
}

/**
 * Test files of one worker share the driver, so it is wrapped once; each file fails for its own statements.
 */
const shared = globalThis as { rejectedStatements?: string[] }
if (!shared.rejectedStatements) {
  shared.rejectedStatements = []
  watch(pg.Client.prototype as unknown as { query: Query }, shared.rejectedStatements)
  watch(pg.Pool.prototype as unknown as { query: Query }, shared.rejectedStatements)
}

afterAll(() => {
  const rejected = shared.rejectedStatements?.splice(0)
  expect(rejected, 'statements on tenant tables without tenant_id (test/support/tenant-filter.ts)').toEqual(
    [],
  )
})
