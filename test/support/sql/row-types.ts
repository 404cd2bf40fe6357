import { readFileSync } from 'node:fs'
import ts from 'typescript'
import { resultColumns, UNKNOWN } from './result-columns.ts'
import { isSqlTemplate, StatementTexts } from './statement-text.ts'

export interface RowTypeFindings {
  /** Statements that were compared. */
  compared: number
  /** Properties that no column of their statement has: file, line and name. */
  readonly missing: string[]
  /** Statements with properties of which their text does not show whether there is such a column. */
  readonly skipped: string[]
}

/** The declarations of the language, which all programs share. */
const parsedLibraries = new Map<string, ts.SourceFile>()

/**
 * A program of files with all that they import from this repository. Packages are left out, which saves most of the
 * time. `virtual` files are not read from the disk.
 */
export function makeProgram(files: readonly string[], virtual: ReadonlyMap<string, string> = new Map()) {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2023,
    lib: ['lib.es2023.d.ts'],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    allowImportingTsExtensions: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    strict: true,
    types: [],
  }
  const host = ts.createCompilerHost(options)
  const { fileExists, getSourceFile, readFile } = host
  host.getSourceFile = (file, ...rest) => {
    if (!file.includes('/node_modules/')) return getSourceFile(file, ...rest)
    const parsed = parsedLibraries.get(file) ?? getSourceFile(file, ...rest)
    if (parsed) parsedLibraries.set(file, parsed)
    return parsed
  }
  host.fileExists = (file) => virtual.has(file) || fileExists(file)
  host.readFile = (file) => virtual.get(file) ?? readFile(file)
  host.resolveModuleNameLiterals = (literals, containingFile) =>
    literals.map(({ text }) =>
      text.startsWith('.')
        ? ts.resolveModuleName(text, containingFile, options, host)
        : { resolvedModule: undefined },
    )
  return ts.createProgram([...files, ...virtual.keys()], options, host)
}

/** Compares the row types of all statements of files with the columns of the statements. */
export function compareRowTypes(program: ts.Program, files: readonly string[]): RowTypeFindings {
  const checker = program.getTypeChecker()
  const texts = new StatementTexts(checker)
  const findings: RowTypeFindings = { compared: 0, missing: [], skipped: [] }
  for (const file of files) {
    const source = program.getSourceFile(file)
    if (!source) throw new Error(`${file} is no file of the program`)
    const visit = (node: ts.Node): void => {
      ts.forEachChild(node, visit)
      const statement = statementOf(node, texts)
      if (!statement) return
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source))
      const row = checker.getTypeFromTypeNode(statement.row)
      compare(findings, { where: `${file}:${line + 1}`, text: statement.text, row, checker })
    }
    visit(source)
  }
  return findings
}

/** A statement with the type of its rows: a template `sql<Row>`, or a text in `query<Row>(…)`. */
function statementOf(
  node: ts.Node,
  texts: StatementTexts,
): { readonly row: ts.TypeNode; readonly text: string } | undefined {
  if (isSqlTemplate(node)) {
    const [row] = node.typeArguments ?? []
    const text = row ? texts.textOf(node) : ''
    return row && isStatement(node, text) ? { row, text } : undefined
  }
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined
  const { typeArguments: [row] = [], arguments: [query] = [] } = node
  // Rows as lists have no names.
  if (node.expression.name.text !== 'query' || !row || !query || ts.isArrayTypeNode(row)) return undefined
  return { row, text: texts.stringOf(query) }
}

/** An expression in another statement, as `sql<string[]>` of a subquery, has no row. */
function isStatement(node: ts.Node, text: string): boolean {
  const { parent } = node
  if (ts.isPropertyAccessExpression(parent) && parent.name.text === 'execute') return true
  return /^\s*(select|with|insert|update|delete)\b/i.test(text)
}

interface Statement {
  readonly where: string
  readonly text: string
  readonly row: ts.Type
  readonly checker: ts.TypeChecker
}

function compare(findings: RowTypeFindings, { where, text, row, checker }: Statement): void {
  const names = requiredNames(checker, row)
  const columns = resultColumns(text)
  const missing = names.filter((name) => !columns?.names.has(name))
  const isOpen = columns?.isOpen || text === UNKNOWN
  const known = isOpen ? namesIn(text) : undefined
  const isUnknown = (row.flags & ts.TypeFlags.Any) !== 0
  if (isUnknown || (known && missing.some((name) => !known.has(name)))) {
    findings.skipped.push(where)
    return
  }
  findings.compared += 1
  if (!known) findings.missing.push(...missing.map((name) => `${where} ${name}`))
}

/** The properties that every row has. */
function requiredNames(checker: ts.TypeChecker, row: ts.Type): string[] {
  const properties = checker.getPropertiesOfType(row)
  return properties
    .filter(({ flags }) => (flags & ts.SymbolFlags.Optional) === 0)
    .map((property) => property.name)
}

const TABLE_TYPES = new URL('../../../src/platform/db/types.ts', import.meta.url)

/** The columns by table, as the generated types have them. */
function readTables(): ReadonlyMap<string, readonly string[]> {
  const types = readFileSync(TABLE_TYPES, 'utf8')
  const interfaces = new Map(
    [...types.matchAll(/^export interface (\w+) \{\n([^}]*)\}/gm)].map(([, name = '', body = '']) => [
      name,
      [...body.matchAll(/^ {2}(\w+):/gm)].map(([, column = '']) => column),
    ]),
  )
  const [, tables = ''] = /^export interface DB \{\n([^}]*)\}/m.exec(types) ?? []
  return new Map(
    [...tables.matchAll(/^ {2}(\w+): (\w+);$/gm)].map(([, table = '', name = '']) => [
      table,
      interfaces.get(name) ?? [],
    ]),
  )
}

const TABLES = readTables()

/** The words of a statement, and the columns of the tables that it names: what `*` may stand for. */
function namesIn(text: string): ReadonlySet<string> {
  const words = new Set([...text.matchAll(/[\p{L}_][\w$]*/gu)].map(([word]) => word))
  for (const word of [...words]) for (const column of TABLES.get(word) ?? []) words.add(column)
  return words
}
