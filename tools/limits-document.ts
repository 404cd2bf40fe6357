/**
 * The text of docs/operate/limits.md: every constant of every limits.ts with its value and its doc comment. The values
 * come from the modules themselves, the comments from their sources. test/guards/limits-doc.test.ts compares the
 * committed file with it.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import ts from 'typescript'

export const LIMITS_FILE = new URL('../docs/operate/limits.md', import.meta.url)
const SRC = fileURLToPath(new URL('../src/', import.meta.url))

interface Limit {
  readonly name: string
  readonly value: unknown
  readonly comment: string
}

export interface LimitsModule {
  /** The folder below src, such as areas/metering/intake. */
  readonly folder: string
  readonly limits: readonly Limit[]
}

/** Every exported constant with the text of its doc comment ('' when it has none). */
function commentsOf(file: string): ReadonlyMap<string, string> {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)
  const comments = new Map<string, string>()
  for (const statement of source.statements) {
    if (!ts.isVariableStatement(statement)) continue
    const [doc] = ts.getJSDocCommentsAndTags(statement).filter(ts.isJSDoc)
    const text = ts.getTextOfJSDocComment(doc?.comment) ?? ''
    for (const { name } of statement.declarationList.declarations)
      comments.set(name.getText(source), text.replace(/\s+/g, ' ').trim())
  }
  return comments
}

/** All limits.ts below src, by folder. */
export async function readLimits(): Promise<LimitsModule[]> {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((name) => /(^|[/\\])limits\.ts$/.test(name))
    .map((name) => `${SRC}${name}`)
    .sort()
  return Promise.all(
    files.map(async (file) => {
      const values = (await import(pathToFileURL(file).href)) as Readonly<Record<string, unknown>>
      const limits = [...commentsOf(file)]
        .filter(([name]) => name in values)
        .map(([name, comment]) => ({ name, value: values[name], comment }))
      return { folder: relative(SRC, dirname(file)).replaceAll('\\', '/'), limits }
    }),
  )
}

const UNITS: readonly (readonly [size: number, unit: string])[] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
]

const duration = (ms: number): string => {
  const unit = UNITS.find(([size]) => ms !== 0 && ms % size === 0 && ms / size < 1_000)
  return unit ? `${ms / unit[0]} ${unit[1]}` : `${grouped(ms)} ms`
}

const bytes = (size: number): string => {
  for (const [power, unit] of [
    [3, 'GiB'],
    [2, 'MiB'],
    [1, 'KiB'],
  ] as const)
    if (size >= 1024 ** power && size % 1024 ** power === 0) return `${size / 1024 ** power} ${unit}`
  return `${grouped(size)} bytes`
}

const grouped = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 6 })

/** A value with the unit that its name ends with. An instant, a list and a table are written as JSON. */
export function limitValue(name: string, value: unknown): string {
  if (typeof value === 'bigint') return `${value}`
  if (typeof value !== 'number') return `\`${JSON.stringify(value)}\``
  if (/_MS\b|_MS$|_MS_/.test(name))
    return Math.abs(value) > 10_000 * 86_400_000 ? new Date(value).toISOString() : duration(value)
  if (/_S$/.test(name)) return duration(value * 1_000)
  if (/BYTES/.test(name)) return bytes(value)
  return grouped(value)
}

const HEAD = `# Limits

Every list has a limit, every queue a size, every outgoing call a timeout. This page lists them by the folder that enforces
them. It is generated from the \`limits.ts\` files (\`npm run limits\`); a test compares it.
`

/** The whole document. */
export async function limitsDocument(): Promise<string> {
  const sections = (await readLimits())
    .filter(({ limits }) => limits.length > 0)
    .map(({ folder, limits }) => {
      const rows = limits.map(
        ({ name, value, comment }) =>
          `| \`${name}\` | ${limitValue(name, value)} | ${comment.replaceAll('|', '\\|')} |`,
      )
      return `## ${folder}\n\n| constant | value | meaning |\n|---|---|---|\n${rows.join('\n')}\n`
    })
  return `${HEAD}\n${sections.join('\n')}`
}
