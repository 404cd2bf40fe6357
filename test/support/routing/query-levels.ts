/**
 * Reads the parse tree of a statement (libpg-query) as query levels: each SELECT, UPDATE, DELETE and INSERT, also below
 * another one, with the tables that it names and the conditions that hold for every row of its result.
 */

/** A node of the parse tree: an object whose only key is its kind, or the fields of a node whose kind is known. */
export type Node = Readonly<Record<string, unknown>>

export type QueryKind = 'SelectStmt' | 'UpdateStmt' | 'DeleteStmt' | 'InsertStmt'
const QUERY_KINDS: readonly QueryKind[] = ['SelectStmt', 'UpdateStmt', 'DeleteStmt', 'InsertStmt']

export interface Relation {
  /** The name of the table; undefined for a subquery, a function or a query of WITH. */
  readonly table: string | undefined
  readonly alias: string
}

export interface QueryLevel {
  readonly kind: QueryKind
  readonly fields: Node
  readonly relations: readonly Relation[]
  /** The conditions of WHERE and ON that are connected with AND. */
  readonly conditions: readonly Node[]
  /** Pairs of aliases whose tenant_id a join with USING compares. */
  readonly joinedByTenant: readonly (readonly [left: string, right: string])[]
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const nodesOf = (value: unknown): readonly Node[] => (Array.isArray(value) ? value.filter(isNode) : [])

export const child = (node: Node | undefined, key: string): Node | undefined => {
  const value = node?.[key]
  return isNode(value) ? value : undefined
}

const textAt = (node: Node | undefined, key: string): string | undefined => {
  const value = node?.[key]
  return typeof value === 'string' ? value : undefined
}

/** The parts of a name: `d.tenant_id` is ['d', 'tenant_id']. */
export const nameParts = (fields: unknown): string[] =>
  nodesOf(fields).flatMap((field) => textAt(child(field, 'String'), 'sval') ?? [])

/** Calls `visit` for every node below a value, outer nodes first; it does not go below a node that `visit` rejects. */
export function walk(value: unknown, visit: (kind: string, node: Node) => boolean): void {
  if (Array.isArray(value)) {
    for (const element of value) walk(element, visit)
  } else if (isNode(value)) {
    for (const [key, field] of Object.entries(value))
      if (!isNode(field) || visit(key, field)) walk(field, visit)
  }
}

export const isQuery = (kind: string): kind is QueryKind => (QUERY_KINDS as readonly string[]).includes(kind)

/** Every query level of a statement, outer levels first. */
export function queryLevels(tree: unknown): QueryLevel[] {
  const levels: QueryLevel[] = []
  visitQueries(tree, new Set(), levels)
  return levels
}

function visitQueries(value: unknown, outerNames: ReadonlySet<string>, levels: QueryLevel[]): void {
  walk(value, (kind, node) => {
    // The two sides of UNION are queries without the name of their kind.
    if (!isQuery(kind) && !isSide(kind, node)) return true
    const names = new Set([...outerNames, ...namesOfWith(node)])
    levels.push(readLevel(isQuery(kind) ? kind : 'SelectStmt', node, names))
    visitQueries(node, names, levels)
    return false
  })
}

export const isSide = (kind: string, node: Node): boolean =>
  (kind === 'larg' || kind === 'rarg') && 'op' in node && 'limitOption' in node

const namesOfWith = (query: Node): string[] =>
  nodesOf(child(query, 'withClause')?.['ctes']).flatMap(
    (cte) => textAt(child(cte, 'CommonTableExpr'), 'ctename') ?? [],
  )

function readLevel(kind: QueryKind, fields: Node, names: ReadonlySet<string>): QueryLevel {
  const relations: Relation[] = []
  const conditions: Node[] = []
  const joinedByTenant: [string, string][] = []
  const from = { relations, conditions, joinedByTenant, names }
  const target = child(fields, 'relation')
  if (target && kind !== 'InsertStmt') readFrom({ RangeVar: target }, from)
  for (const item of [...nodesOf(fields['fromClause']), ...nodesOf(fields['usingClause'])])
    readFrom(item, from)
  addConditions(child(fields, 'whereClause'), conditions)
  return { kind, fields, relations, conditions, joinedByTenant }
}

interface From {
  readonly relations: Relation[]
  readonly conditions: Node[]
  readonly joinedByTenant: [string, string][]
  readonly names: ReadonlySet<string>
}

/** Adds an item of FROM, and returns the aliases that it consists of. */
function readFrom(item: Node, from: From): string[] {
  const join = child(item, 'JoinExpr')
  if (join) return readJoin(join, from)
  const [kind = '', fields = {}] = Object.entries(item)[0] ?? []
  const node = isNode(fields) ? fields : {}
  const name = kind === 'RangeVar' ? textAt(node, 'relname') : undefined
  const alias = textAt(child(node, 'alias'), 'aliasname') ?? name ?? ''
  const isOfWith = name !== undefined && from.names.has(name) && textAt(node, 'schemaname') === undefined
  from.relations.push({ table: isOfWith ? undefined : name, alias })
  return [alias]
}

function readJoin(join: Node, from: From): string[] {
  const left = readFrom(child(join, 'larg') ?? {}, from)
  const right = readFrom(child(join, 'rarg') ?? {}, from)
  addConditions(child(join, 'quals'), from.conditions)
  if (nameParts(join['usingClause']).includes('tenant_id'))
    for (const [index, alias] of [...left, ...right].entries())
      if (index > 0 && left[0] !== undefined) from.joinedByTenant.push([left[0], alias])
  return [...left, ...right]
}

function addConditions(node: Node | undefined, conditions: Node[]): void {
  if (!node) return
  const and = child(node, 'BoolExpr')
  if (and?.['boolop'] === 'AND_EXPR')
    for (const condition of nodesOf(and['args'])) addConditions(condition, conditions)
  else conditions.push(node)
}
