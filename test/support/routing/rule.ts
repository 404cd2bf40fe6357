/**
 * The routing rule (ADR 0103): in a statement about a tenant, every distributed table is compared with the tenant's id
 * as a parameter. A distributed database then sends the statement to the one node that has the tenant's rows. Besides,
 * the forms of statements that Citus refuses, or answers wrongly without an error, are found.
 */
import { loadModule, parseSync } from 'libpg-query'
import { TABLE_PLACEMENT } from '../../../src/platform/db/table-placement.ts'
import {
  child,
  isQuery,
  isSide,
  type Node,
  nameParts,
  nodesOf,
  type QueryLevel,
  queryLevels,
  walk,
} from './query-levels.ts'

await loadModule()

const PLACEMENT = new Map(Object.entries(TABLE_PLACEMENT))
const isDistributed = (table: string | undefined): boolean =>
  table !== undefined && PLACEMENT.get(table) === 'distributed'

/** Names functions that are STABLE: an UPDATE must not apply them to columns. */
const STABLE_FUNCTIONS = new Set([
  'jsonb_build_object',
  'jsonb_build_array',
  'json_build_object',
  'to_jsonb',
  'to_json',
  'to_char',
  'concat',
  'concat_ws',
  'format',
  'array_to_string',
  'jsonb_agg',
])

/** What a statement violates, one line each; empty when it keeps the rule. A text that is no SQL violates nothing. */
export function violationsOf(text: string): string[] {
  const tree = parse(text)
  return tree === undefined ? [] : [...new Set(queryLevels(tree).flatMap(violationsOfLevel))]
}

function parse(text: string): unknown {
  try {
    return parseSync(text)
  } catch {
    return undefined
  }
}

const violationsOfLevel = (level: QueryLevel): string[] => [...unrouted(level), ...refusedForms(level)]

/** A parameter, a constant, or one of them with a type. */
const isValue = (node: Node): boolean => {
  const cast = child(node, 'TypeCast')
  if (cast) return isValue(child(cast, 'arg') ?? {})
  return 'ParamRef' in node || 'A_Const' in node
}

/** The names of the tables of a level that are not compared with a value. */
function unrouted({ relations, conditions, joinedByTenant }: QueryLevel): string[] {
  const distributed = relations.filter(({ table }) => isDistributed(table))
  if (distributed.length === 0) return []
  const equal = new Equalities()
  for (const [left, right] of joinedByTenant) equal.join(left, right)
  const nameOf = (node: Node): string | undefined => {
    if (isValue(node)) return VALUE
    const parts = nameParts(child(node, 'ColumnRef')?.['fields'])
    const column = parts.at(-1)
    const alias = parts.length > 1 ? parts.at(-2) : relations.find(({ table }) => hasTenantId(table))?.alias
    const relation = relations.find((one) => one.alias === alias)
    if (!relation) return undefined
    return column === (relation.table === 'tenant' ? 'id' : 'tenant_id') ? relation.alias : undefined
  }
  for (const [left, right] of conditions.flatMap(equalPairs)) {
    const [one, other] = [nameOf(left), nameOf(right)]
    if (one !== undefined && other !== undefined) equal.join(one, other)
  }
  return distributed
    .filter(({ alias }) => !equal.areEqual(alias, VALUE))
    .map(
      ({ table, alias }) =>
        `${table}${alias === table ? '' : ` ${alias}`}: tenant_id is not compared with a parameter`,
    )
}

const VALUE = '$'
const hasTenantId = (table: string | undefined): boolean =>
  table === undefined || isDistributed(table) || table === 'login_email' || table === 'charger_cpid'

/** The pairs that a condition states as equal: `a = b`, or `(a, b) = (c, d)`. */
function equalPairs(condition: Node): (readonly [Node, Node])[] {
  const expression = child(condition, 'A_Expr')
  if (expression?.['kind'] !== 'AEXPR_OP' || nameParts(expression['name']).join('') !== '=') return []
  const [left, right] = [child(expression, 'lexpr') ?? {}, child(expression, 'rexpr') ?? {}]
  const rows = [left, right].map((side) => nodesOf(child(side, 'RowExpr')?.['args']))
  const [lefts = [], rights = []] = rows
  if (lefts.length === 0) return [[left, right]]
  return lefts.flatMap((node, index) => {
    const other = rights[index]
    return other ? [[node, other] as const] : []
  })
}

/** Names that are equal, also through others. */
class Equalities {
  private readonly parents = new Map<string, string>()

  private rootOf(name: string): string {
    const parent = this.parents.get(name)
    return parent === undefined ? name : this.rootOf(parent)
  }

  join(one: string, other: string): void {
    const [root, otherRoot] = [this.rootOf(one), this.rootOf(other)]
    if (root !== otherRoot) this.parents.set(root, otherRoot)
  }

  areEqual = (one: string, other: string): boolean => this.rootOf(one) === this.rootOf(other)
}

const containsQuery = (value: unknown): boolean => {
  let found = false
  walk(value, (kind) => {
    found ||= isQuery(kind)
    return !found
  })
  return found
}

/** Forms that a distributed database refuses or answers wrongly, whatever the tenant. */
function refusedForms({ kind, fields, relations }: QueryLevel): string[] {
  const target = child(fields, 'relation')?.['relname']
  const tables = [...relations.map(({ table }) => table), ...(typeof target === 'string' ? [target] : [])]
  if (!tables.some(isDistributed)) return []
  const found: string[] = []
  if (kind === 'SelectStmt' && nodesOf(fields['targetList']).length === 0) found.push('an empty select list')
  if (tables.some((table) => table !== undefined && !PLACEMENT.has(table)))
    found.push('a join with a temporary table')
  if (containsQuery({ limit: fields['limitCount'], offset: fields['limitOffset'] }))
    found.push('a subquery in LIMIT')
  if (kind !== 'SelectStmt' && containsQuery({ list: fields['returningClause'] }))
    found.push('a subquery in RETURNING')
  const conflict = child(fields, 'onConflictClause')
  if (containsQuery({ conflict })) found.push('a subquery in ON CONFLICT')
  const values = child(child(fields, 'selectStmt'), 'SelectStmt')?.['valuesLists']
  if (containsQuery({ values })) found.push('a subquery in VALUES')
  if (kind === 'UpdateStmt' && hasStableFunction(fields['targetList']))
    found.push('a STABLE function of columns in UPDATE')
  walkLevel(fields, (name, node) => {
    const column = name === 'ColumnRef' ? nameParts(node['fields']).at(-1) : undefined
    if (column === 'xmin' || column === 'ctid') found.push(`the system column ${column}`)
  })
  return found
}

/** The nodes of a level without those of the queries below it. */
const walkLevel = (fields: Node, visit: (kind: string, node: Node) => void): void =>
  walk(fields, (kind, node) => {
    if (isQuery(kind) || isSide(kind, node)) return false
    visit(kind, node)
    return true
  })

function hasStableFunction(list: unknown): boolean {
  let found = false
  walk(list, (kind, node) => {
    if (kind !== 'FuncCall' || !STABLE_FUNCTIONS.has(nameParts(node['funcname']).at(-1) ?? '')) return true
    walk(node['args'], (inner) => {
      found ||= inner === 'ColumnRef'
      return true
    })
    return true
  })
  return found
}
