/**
 * Rejects statements that touch a tenant's table without comparing its tenant_id with a parameter, and those that a
 * distributed database refuses.
 *
 * The service is multi-tenant: a statement that forgets the tenant reads or changes the rows of all tenants,
 * and on a distributed database it runs on every node. vitest loads this file for every test file. It watches
 * each statement that the service sends through the PostgreSQL driver, and fails the statement and the test
 * file. Statements that serve all tenants on purpose are listed in test/support/routing/cross-tenant.ts. Statements
 * that a test sends itself are not checked: the call stack of a rejected statement shows which of the two it is.
 *
 * The first check is textual: the statement has to name tenant_id. The second one parses each distinct statement once
 * (test/support/routing/rule.ts).
 */
import { readFileSync } from 'node:fs'
import pg from 'pg'
import { afterAll, expect } from 'vitest'
import { collapse, isCrossTenant } from './routing/cross-tenant.ts'
import { violationsOf } from './routing/rule.ts'
import { SENT_BY_TEST } from './sent-by-test.ts'

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

/**
 * The tenant tables that a statement uses without naming tenant_id; none when the statement is in the list.
 */
export function tablesWithoutTenant(text: string): string[] {
  if (/\btenant_id\b/.test(text)) return []
  const names = [...text.matchAll(REFERENCE)].map(([, name = '']) => name.toLowerCase())
  const touched = names.filter((name) => TABLES.has(name))
  return touched.length === 0 || isCrossTenant(text) ? [] : touched
}

/** What each distinct statement violates. */
const known = new Map<string, string | undefined>()

/** Why a statement is rejected; undefined when it is not. */
export function rejectionOf(text: string): string | undefined {
  if (known.has(text)) return known.get(text)
  const tables = tablesWithoutTenant(text)
  const violations = tables.length > 0 || isCrossTenant(text) ? [] : violationsOf(text)
  const reason =
    tables.length > 0
      ? `a statement on ${tables.join(', ')} does not compare tenant_id`
      : violations.length > 0
        ? `a statement breaks the routing rule (${violations.join('; ')})`
        : undefined
  known.set(text, reason)
  return reason
}

/**
 * Whether the service, and not a test, is sending the statement. Expensive, so it is called only for
 * suspects.
 */
function isSentByService(): boolean {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 100
  const frames = (new Error('stack').stack ?? '')
    .split('\n')
    .filter((line) => !PASSING_FILES.some((file) => line.includes(file)))
  Error.stackTraceLimit = limit
  return frames.some((line) => line.includes('/src/')) || !frames.some((line) => line.includes('/test/'))
}
/** They pass statements on for any sender. */
const PASSING_FILES = [
  '/tenant-filter.ts',
  '/src/platform/db/kysely-pool.ts',
  '/src/platform/db/plan-cache.ts',
]

type Query = (...args: unknown[]) => unknown

const textOf = (query: unknown): string => {
  if (typeof query === 'string') return query
  const { text } = (query ?? {}) as { readonly text?: unknown }
  return typeof text === 'string' ? text : ''
}

/** A query object that is a stream, and so more than a text with values, cannot be copied. */
const isPlainObject = (value: object): boolean => Object.getPrototypeOf(value) === Object.prototype
/**
 * A pool sends a statement from a callback, without the stack of its caller: the marker is added where the caller is
 * known.
 */
function mark(query: unknown): unknown {
  if (typeof query === 'string') return `${query} ${SENT_BY_TEST}`
  const object = query as object
  return isPlainObject(object) ? { ...object, text: `${textOf(query)} ${SENT_BY_TEST}` } : query
}

function watch(prototype: { query: Query }, rejected: string[]): void {
  const query = prototype.query
  prototype.query = function (this: unknown, statement: unknown, ...rest: unknown[]) {
    const text = textOf(statement)
    const reason = text.includes(SENT_BY_TEST) ? undefined : rejectionOf(text)
    if (reason === undefined) return query.call(this, statement, ...rest)
    if (!isSentByService()) return query.call(this, mark(statement), ...rest)
    rejected.push(collapse(text))
    throw new Error(`${reason}: ${collapse(text)}`)
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
  expect(rejected, 'statements that break the routing rule (test/support/tenant-filter.ts)').toEqual([])
})
