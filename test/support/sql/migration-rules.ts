/**
 * Finds what a migration takes from the program that runs beside it during a rolling upgrade (ADR 0129): tables,
 * columns and names that disappear, and rules that rows of the older program would break.
 * What the file creates itself is free.
 */
import { loadModule, parseSync } from 'libpg-query'
import { child, type Node, nodesOf, walk } from '../routing/query-levels.ts'

await loadModule()

type Text = string | undefined
const text = (node: Node | undefined, key: string): Text => {
  const value = node?.[key]
  return typeof value === 'string' ? value : undefined
}
const nameOf = (node: Node): string => text(child(node, 'String'), 'sval') ?? ''
const relationOf = (node: Node | undefined): string => text(child(node, 'relation') ?? node, 'relname') ?? ''

/** What the file makes: tables, columns as `table.column`, and what it drops in order to make it again. */
interface Made {
  readonly tables: ReadonlySet<string>
  readonly columns: ReadonlySet<string>
  readonly triggers: ReadonlySet<string>
  /** As `table.constraint`. */
  readonly replacedChecks: ReadonlySet<string>
}

const HARMLESS = new Set([
  ...[
    'CreateStmt',
    'CreateSeqStmt',
    'CreateFunctionStmt',
    'CreateTrigStmt',
    'CreateEnumStmt',
    'CreateDomainStmt',
  ],
  ...['CreateExtensionStmt', 'CreateStatsStmt', 'CreateTableAsStmt', 'ViewStmt', 'CommentStmt', 'SelectStmt'],
  ...['InsertStmt', 'AlterEnumStmt'],
])

const HARMLESS_CHANGES = new Set([
  ...['AT_SetStorage', 'AT_SetStatistics', 'AT_SetRelOptions', 'AT_SetOptions', 'AT_ValidateConstraint'],
  ...['AT_AttachPartition', 'AT_SetCompression', 'AT_ReplicaIdentity'],
])

/** One line for each; empty when the migration only adds. */
export function contractionsOf(sql: string): string[] {
  const statements = (parseSync(sql).stmts ?? []).map(({ stmt }) => (stmt ?? {}) as Node)
  const made = madeBy(statements)
  return statements.flatMap((statement) => {
    const [[kind, fields] = ['', {}]] = Object.entries(statement)
    return contractionsOfStatement(kind, fields as Node, made)
  })
}

function contractionsOfStatement(kind: string, fields: Node, made: Made): string[] {
  if (HARMLESS.has(kind)) return []
  const table = relationOf(fields)
  if (made.tables.has(table)) return []
  switch (kind) {
    case 'AlterTableStmt':
      return nodesOf(fields['cmds']).flatMap((command) =>
        contractionsOfChange(table, child(command, 'AlterTableCmd') ?? {}, made),
      )
    case 'IndexStmt':
      return fields['unique'] === true ? [`a unique index on ${table}`] : []
    case 'UpdateStmt':
      return nodesOf(fields['targetList'])
        .map((target) => text(child(target, 'ResTarget'), 'name') ?? '')
        .filter((column) => !made.columns.has(`${table}.${column}`))
        .map((column) => `changed values of ${table}.${column}`)
    case 'GrantStmt': {
      const objects = nodesOf(fields['objects']).map((object) => relationOf(child(object, 'RangeVar')))
      if (fields['is_grant'] === true || objects.every((name) => made.tables.has(name))) return []
      return [`revoked rights on ${objects.join(', ')}`]
    }
    case 'DropStmt':
      return droppedBy(fields)
        .filter((name) => !made.triggers.has(name))
        .map((name) => `dropped ${name}`)
    default:
      return [`${kind}, which is not known to add only`]
  }
}

function contractionsOfChange(table: string, command: Node, made: Made): string[] {
  const kind = text(command, 'subtype') ?? ''
  const column = `${table}.${text(command, 'name') ?? ''}`
  if (HARMLESS_CHANGES.has(kind) || made.columns.has(column)) return []
  switch (kind) {
    case 'AT_AddColumn':
      return needsValue(command) ? [`a new column of ${table} that is not null and has no default`] : []
    case 'AT_ColumnDefault':
      return command['def'] === undefined ? [`no default of ${column} any more`] : []
    case 'AT_DropConstraint':
      return made.replacedChecks.has(column) ? [] : [`dropped constraint ${column}`]
    case 'AT_AddConstraint':
      return restricts(table, child(child(command, 'def'), 'Constraint') ?? {}, made)
        ? [`a constraint on the rows of ${table}`]
        : []
    default:
      return [`${kind} of ${column}`]
  }
}

const needsValue = (command: Node): boolean => {
  const kinds = nodesOf(child(child(command, 'def'), 'ColumnDef')?.['constraints']).map((constraint) =>
    text(child(constraint, 'Constraint'), 'contype'),
  )
  const isRequired = kinds.includes('CONSTR_NOTNULL') || kinds.includes('CONSTR_PRIMARY')
  return (
    isRequired &&
    !['CONSTR_DEFAULT', 'CONSTR_IDENTITY', 'CONSTR_GENERATED'].some((kind) => kinds.includes(kind))
  )
}

/** A constraint that a row of the older program, which does not set the new columns, can break. */
function restricts(table: string, constraint: Node, made: Made): boolean {
  const isNew = (column: string): boolean => made.columns.has(`${table}.${column}`)
  const kind = text(constraint, 'contype')
  // A check is replaced when it shall allow more. Whether it does is for the reviewer.
  if (kind === 'CONSTR_CHECK')
    return !(
      made.replacedChecks.has(`${table}.${text(constraint, 'conname')}`) || columnsIn(constraint).every(isNew)
    )
  const columns = nodesOf(kind === 'CONSTR_FOREIGN' ? constraint['fk_attrs'] : constraint['keys']).map(nameOf)
  return !columns.some(isNew)
}

function columnsIn(node: Node): string[] {
  const columns: string[] = []
  walk(node, (kind, inner) => {
    const column = kind === 'ColumnRef' ? nodesOf(inner['fields']).map(nameOf).at(-1) : undefined
    if (column !== undefined) columns.push(column)
    return true
  })
  return columns
}

/** `KIND name`, or `OBJECT_TRIGGER table.name`. */
const droppedBy = (fields: Node): string[] =>
  nodesOf(fields['objects']).map((object) => {
    const items = child(object, 'List')?.['items'] ?? child(object, 'ObjectWithArgs')?.['objname']
    const parts = nodesOf(items).map(nameOf)
    return `${text(fields, 'removeType')} ${parts.join('.')}`
  })

function madeBy(statements: readonly Node[]): Made {
  const tables = new Set<string>()
  const columns = new Set<string>()
  const triggers = new Set<string>()
  const checks = new Set<string>()
  const dropped = new Set<string>()
  for (const statement of statements) {
    const create = child(statement, 'CreateStmt')
    if (create) tables.add(relationOf(create))
    const trigger = child(statement, 'CreateTrigStmt')
    if (trigger) triggers.add(`OBJECT_TRIGGER ${relationOf(trigger)}.${text(trigger, 'trigname')}`)
    const alter = child(statement, 'AlterTableStmt')
    for (const command of nodesOf(alter?.['cmds'])) {
      const change = child(command, 'AlterTableCmd')
      const def = child(change, 'def')
      if (text(change, 'subtype') === 'AT_DropConstraint')
        dropped.add(`${relationOf(alter)}.${text(change, 'name')}`)
      const column = text(child(def, 'ColumnDef'), 'colname')
      if (column) columns.add(`${relationOf(alter)}.${column}`)
      const constraint = child(def, 'Constraint')
      if (text(constraint, 'contype') === 'CONSTR_CHECK')
        checks.add(`${relationOf(alter)}.${text(constraint, 'conname')}`)
    }
  }
  const replaced = new Set([...checks].filter((check) => dropped.has(check)))
  return { tables, columns, triggers, replacedChecks: replaced }
}
