import pg from 'pg'
import { collapse, isCrossTenant } from './cross-tenant.ts'

/**
 * The statements of the list of cross-tenant statements that are sent while `work` runs. Other work of the process at
 * the same time counts as well.
 */
export async function crossTenantStatementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const sent: string[] = []
  const { prototype } = pg.Client as unknown as { prototype: { query: (...args: unknown[]) => unknown } }
  const query = prototype.query
  prototype.query = function (this: unknown, statement: unknown, ...rest: unknown[]) {
    const text = typeof statement === 'string' ? statement : (statement as { text?: unknown } | null)?.text
    if (typeof text === 'string' && isCrossTenant(text)) sent.push(collapse(text))
    return query.call(this, statement, ...rest)
  }
  try {
    await work()
  } finally {
    prototype.query = query
  }
  return sent
}
