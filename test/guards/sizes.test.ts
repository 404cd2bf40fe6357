import { readdir, readFile } from 'node:fs/promises'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

/**
 * The lengths of CONTRIBUTING.md, over all files. A function that holds other functions (a factory, a list of routes)
 * reads like a class: its own lines have the limit of a function, all of it a wider one. Callbacks of tests are not
 * counted. Text and SQL in literals cannot be wrapped by the formatter, so a line of code has a wider limit than a
 * comment.
 */
const FILE_MAX = 300
const TEST_FILE_MAX = 500
const FUNCTION_MAX = 70
const WHOLE_FUNCTION_MAX = 100
/** A list of routes is a table of declarations. */
const ROUTES_FUNCTION_MAX = 100
const COMMENT_LINE_MAX = 120
const LINE_MAX = 120

const FOLDERS = ['src', 'test', 'bench', 'tools', 'clients/typescript/src', 'web/src']
const GENERATED = /(^src\/platform\/db\/types\.ts$|^clients\/typescript\/src\/api\.ts$|\/messages-v\d+\.ts$)/
const isTest = (file: string): boolean => file.startsWith('test/') || file.endsWith('.test.ts')

interface Source {
  readonly file: string
  readonly text: string
}

async function sources(): Promise<Source[]> {
  const names = await Promise.all(
    FOLDERS.map(async (folder) =>
      (await readdir(folder, { recursive: true })).map((name) => `${folder}/${name}`.replaceAll('\\', '/')),
    ),
  )
  const files = names.flat().filter((name) => /\.tsx?$/.test(name) && !GENERATED.test(name))
  return Promise.all(files.map(async (file) => ({ file, text: await readFile(file, 'utf8') })))
}

/** The functions of a file that are too long, alone or with the functions in them. */
function longFunctions({ file, text }: Source): string[] {
  if (text.split('\n').length <= FUNCTION_MAX) return []
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, false)
  const lineAt = (position: number): number => source.getLineAndCharacterOfPosition(position).line
  const found: string[] = []
  /** Returns how many lines the functions below a node take. */
  const visit = (node: ts.Node): number => {
    let nested = 0
    ts.forEachChild(node, (child) => {
      nested += visit(child)
    })
    if (!(ts.isFunctionLike(node) && 'body' in node && node.body)) return nested
    const whole = lineAt(node.end) - lineAt(node.getStart(source)) + 1
    const max = file.endsWith('routes.ts') ? ROUTES_FUNCTION_MAX : FUNCTION_MAX
    if (whole > WHOLE_FUNCTION_MAX || whole - nested > max)
      found.push(
        `${file}:${lineAt(node.getStart(source)) + 1} has ${whole} lines, ${whole - nested} of its own`,
      )
    return whole
  }
  visit(source)
  return found
}

/** The lines, from 0, that hold a template literal or a regular expression, which cannot be wrapped. */
function linesOfLiterals({ file, text }: Source): ReadonlySet<number> {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, false)
  const lineAt = (position: number): number => source.getLineAndCharacterOfPosition(position).line
  const lines = new Set<number>()
  const visit = (node: ts.Node): void => {
    if (
      ts.isTemplateExpression(node) ||
      ts.isNoSubstitutionTemplateLiteral(node) ||
      ts.isRegularExpressionLiteral(node)
    )
      for (let line = lineAt(node.getStart(source)); line <= lineAt(node.end); line++) lines.add(line)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return lines
}

const isTooLong = (line: string): boolean => {
  if (line.length <= COMMENT_LINE_MAX) return false
  const isComment = /^\s*(\/\*|\*|\/\/)/.test(line)
  return [...line].length > (isComment ? COMMENT_LINE_MAX : LINE_MAX)
}

/** A text of a message is one literal: the compiler reads its parameters, which it cannot in a sum of strings. */
const isCatalogue = (file: string): boolean =>
  file.endsWith('/messages.ts') || (file.startsWith('web/') && file.endsWith('texts.ts'))

/** The lines of a file that are too long. */
function longLines(source: Source): string[] {
  if (isCatalogue(source.file)) return []
  const lines = source.text.split('\n')
  if (!lines.some(isTooLong)) return []
  const literals = linesOfLiterals(source)
  return lines.flatMap((line, index) =>
    isTooLong(line) && !literals.has(index)
      ? [`${source.file}:${index + 1} has ${[...line].length} characters`]
      : [],
  )
}

describe('lengths of files, functions and lines', () => {
  it('are detected when too long', () => {
    const long = { file: 'x.ts', text: `function f() {\n${'  g()\n'.repeat(80)}}\n// ${'x'.repeat(130)}\n` }
    expect(longFunctions(long)).toEqual(['x.ts:1 has 82 lines, 82 of its own'])
    expect(longLines(long)).toEqual(['x.ts:83 has 133 characters'])
  })

  it('are within the limit for every file', async () => {
    const files = await sources()
    expect(files.length).toBeGreaterThan(1_000)
    const lengths = files.map(({ file, text }) => ({ file, lines: text.split('\n').length - 1 }))
    expect(lengths.filter(({ file, lines }) => lines > (isTest(file) ? TEST_FILE_MAX : FILE_MAX))).toEqual([])
  })

  it('are within the limit for every function', async () => {
    const files = (await sources()).filter(({ file }) => !isTest(file))
    expect(files.flatMap(longFunctions)).toEqual([])
  })

  it('are within the limit for every line', async () => {
    expect((await sources()).flatMap(longLines)).toEqual([])
  })
})
