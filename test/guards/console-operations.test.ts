import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path/posix'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

/** What is read of the description of a kind of record. */
interface Resource {
  readonly list: string
  readonly create?: string
  readonly createTitle?: unknown
  readonly item?: { readonly path: string }
  readonly update?: string
  readonly isDeletable?: boolean
  readonly actions?: readonly { readonly method: string; readonly path: string }[]
}

/** Write operations that the console does not call, with the reason. */
const NOT_CALLED: Readonly<Record<string, string>> = {
  'POST /api/auth/refresh': 'programs; the console has its token in a cookie',
  'POST /api/internal/gateway/connected': 'an outside message broker',
  'POST /api/internal/gateway/disconnected': 'an outside message broker',
  'POST /api/measurements': 'devices and programs that send samples',
  'POST /api/v2/write': 'Telegraf',
  'POST /api/v1/write': 'Prometheus',
  'POST /api/live/tickets': 'called through the client, which opens the socket',
  'POST /api/ocpp/uploads/{}': 'charging stations',
  'PUT /api/ocpp/uploads/{}': 'charging stations',
  'POST /api/ocpp/uploads/{}/{}': 'charging stations',
  'PUT /api/ocpp/uploads/{}/{}': 'charging stations',
  'POST /api/v1/zigbee/claims/redeem': 'Zigbee gateways',
  'POST /api/osos/installations/{}/readings': 'programs; the console imports files',
  'POST /api/mahsuplasma/groups/{}/corrections':
    'the console corrects over the bulk operation, also one group',
  'POST /api/mahsuplasma/history/calculate': 'the import of history starts the calculation itself',
  'POST /api/mahsuplasma/inverter-type/apply': 'the form of a device has the field',
  'POST /api/measurements/export':
    'programs read samples as files; the console exports the energy of a device as a report',
  'DELETE /api/measurements/exports/{}': 'exports are deleted when they expire',
}

const METHODS = ['post', 'put', 'patch', 'delete']

/** A method and a path, without the names of the parameters. */
const operation = (method: string, path: string): string =>
  `${method.toUpperCase()} ${path.replaceAll(/\{[^}]*\}/g, '{}')}`

async function writeOperations(): Promise<string[]> {
  const document: { paths: Record<string, Record<string, unknown>> } = JSON.parse(
    await readFile('docs/api/openapi.json', 'utf8'),
  )
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => method in item).map((method) => operation(method, path)),
  )
}

const parse = (path: string, text: string): ts.SourceFile =>
  ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX)

/** The texts that an expression may have: both branches of a condition, and those of a variable of the file. */
function textsOf(node: ts.Expression, variables: ReadonlyMap<string, ts.Expression>): string[] {
  if (ts.isStringLiteralLike(node)) return [node.text]
  if (ts.isTemplateExpression(node))
    // A part that is no text of the console is the value of a parameter.
    return [
      node.templateSpans.reduce(
        (text, { expression, literal }) => text + (textsOf(expression, variables)[0] ?? '{}') + literal.text,
        node.head.text,
      ),
    ]
  if (ts.isConditionalExpression(node))
    return [...textsOf(node.whenTrue, variables), ...textsOf(node.whenFalse, variables)]
  const value = ts.isIdentifier(node) ? variables.get(node.text) : undefined
  return value ? textsOf(value, variables) : []
}

/** The variables of a file by their names. */
function variablesOf(file: ts.SourceFile): Map<string, ts.Expression> {
  const variables = new Map<string, ts.Expression>()
  const walk = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer)
      variables.set(node.name.text, node.initializer)
    ts.forEachChild(node, walk)
  }
  walk(file)
  return variables
}

/** The variables that a file imports from others of the console. */
function importsOf(file: ts.SourceFile, files: ReadonlyMap<string, ts.SourceFile>) {
  const found = new Map<string, ts.Expression>()
  for (const statement of file.statements) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue
    const source = files.get(join(dirname(file.fileName), statement.moduleSpecifier.text))
    const bindings = statement.importClause?.namedBindings
    if (!source || !bindings || !ts.isNamedImports(bindings)) continue
    const exported = variablesOf(source)
    for (const { name, propertyName } of bindings.elements) {
      const value = exported.get((propertyName ?? name).text)
      if (value) found.set(name.text, value)
    }
  }
  return found
}

/** Calls of the client, and uploads. */
function callsOf(file: ts.SourceFile, files: ReadonlyMap<string, ts.SourceFile> = new Map()): string[] {
  const variables = new Map([...importsOf(file, files), ...variablesOf(file)])
  const calls: ts.CallExpression[] = []
  const walk = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) calls.push(node)
    ts.forEachChild(node, walk)
  }
  walk(file)
  return calls.flatMap(({ expression, arguments: [first] }) => {
    if (!first) return []
    if (ts.isPropertyAccessExpression(expression)) {
      const method = expression.name.text === 'edit' ? 'put' : expression.name.text
      return METHODS.includes(method) ? textsOf(first, variables).map((path) => operation(method, path)) : []
    }
    if (!ts.isIdentifier(expression) || expression.text !== 'upload') return []
    const [path = [], [method = 'post'] = []] = ['path', 'method'].map((name) =>
      propertyTexts(first, name, variables),
    )
    return path.map((one) => operation(method, one))
  })
}

function propertyTexts(
  node: ts.Expression,
  name: string,
  variables: ReadonlyMap<string, ts.Expression>,
): string[] {
  if (!ts.isObjectLiteralExpression(node)) return []
  return node.properties.flatMap((property) => {
    if (property.name?.getText() !== name) return []
    if (ts.isPropertyAssignment(property)) return textsOf(property.initializer, variables)
    return ts.isShorthandPropertyAssignment(property) ? textsOf(property.name, variables) : []
  })
}

/** The values of the attributes of an element; those that are no texts are left out. */
function attributesOf({ attributes }: ts.JsxOpeningLikeElement): ReadonlyMap<string, string> {
  return new Map(
    attributes.properties.flatMap((property) =>
      ts.isJsxAttribute(property) && property.initializer && ts.isStringLiteral(property.initializer)
        ? [[property.name.getText(), property.initializer.text] as const]
        : [],
    ),
  )
}

/** The operations of forms whose elements name a method and a path. */
function formsOf(file: ts.SourceFile): string[] {
  const found: string[] = []
  const walk = (node: ts.Node): void => {
    if (ts.isJsxOpeningElement(node) || ts.isJsxSelfClosingElement(node)) {
      const attributes = attributesOf(node)
      const [method, path] = [attributes.get('method'), attributes.get('path')]
      if (method !== undefined && path !== undefined) found.push(operation(method, path))
    }
    ts.forEachChild(node, walk)
  }
  walk(file)
  return found
}

/** The operations of the forms, deletions and actions of a kind of record. */
function operationsOf(resource: Resource): string[] {
  const { list, create = list, createTitle, item, update, isDeletable, actions = [] } = resource
  return [
    ...(createTitle ? [operation('post', create)] : []),
    ...(item && update ? [operation(update, item.path)] : []),
    ...(item && isDeletable ? [operation('delete', item.path)] : []),
    ...actions.map(({ method, path }) => operation(method, path)),
  ]
}

const isResource = (value: unknown): value is Resource =>
  typeof value === 'object' && value !== null && ('columns' in value || 'item' in value) && 'list' in value

async function calledOperations(): Promise<Set<string>> {
  const names = (await readdir('web/src', { recursive: true })).filter((name) =>
    /(?<!\.test)\.tsx?$/.test(name),
  )
  const files = new Map(
    await Promise.all(
      names.map(async (name) => [name, parse(name, await readFile(`web/src/${name}`, 'utf8'))] as const),
    ),
  )
  const calls = [...files.values()].map((file) => [...callsOf(file, files), ...formsOf(file)])
  const modules: Record<string, unknown>[] = await Promise.all(
    names
      .filter((name) => name.endsWith('-resources.ts'))
      .map((name) => import(`../../web/src/${name}`) as Promise<Record<string, unknown>>),
  )
  const values = modules.flatMap((module) => Object.values(module))
  const actions = values.filter(Array.isArray).flat() as NonNullable<Resource['actions']>
  return new Set([
    ...calls.flat(),
    ...values.filter(isResource).flatMap(operationsOf),
    ...actions.map(({ method, path }) => operation(method, path)),
  ])
}

describe('write operations of the API', () => {
  it('are called by the console, or listed with a reason', async () => {
    const [operations, called] = await Promise.all([writeOperations(), calledOperations()])
    const listed = new Set(Object.keys(NOT_CALLED))
    expect(operations.filter((one) => !called.has(one) && !listed.has(one))).toEqual([])
    expect([...listed].filter((one) => !operations.includes(one))).toEqual([])
  })

  it('are found in every form in which the console calls them', () => {
    const text = `
      const ITEM = '/api/a/{id}'
      const path = isNew ? '/api/b' : \`/api/b/\${id}/file\`
      api.post('/api/a', {}); api.edit(ITEM, {}); api.delete(ITEM); api.get('/api/c')
      upload({ path, body }); upload({ method: 'PUT', path: ITEM })
      actions.delete('key')`
    expect(callsOf(parse('a.tsx', text))).toEqual([
      ...['POST /api/a', 'PUT /api/a/{}', 'DELETE /api/a/{}'],
      ...['POST /api/b', 'POST /api/b/{}/file', 'PUT /api/a/{}', 'DELETE key'],
    ])
    const paths = new Map([['x/paths.ts', parse('x/paths.ts', "export const E = '/api/e'")]])
    expect(callsOf(parse('x/c.ts', "import { E as F } from './paths.ts'; api.post(F, {})"), paths)).toEqual([
      'POST /api/e',
    ])
    expect(formsOf(parse('b.tsx', '<Form path="/api/d/{id}" method="PUT" />'))).toEqual(['PUT /api/d/{}'])
  })
})
