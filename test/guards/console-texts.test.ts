import { readdir, readFile } from 'node:fs/promises'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

/** Attributes that a reader sees or hears. */
const TEXT_ATTRIBUTES = new Set([
  'label',
  'title',
  'aria-label',
  'placeholder',
  'alt',
  'caption',
  'description',
  'empty',
])
/** Words that are the same in Turkish and English, and names. */
const SAME_WORDS = new Set([
  'Bit',
  'CSV',
  'Excel (XLSX)',
  'Home Assistant',
  'JSON',
  'MQTT',
  'PDF',
  'Microsoft Teams',
  'Modbus',
  'Modbus RTU',
  'Modbus TCP',
  'Model',
  'OCPP',
  'Port',
  'SHA-256',
  'SHA-384',
  'SHA-512',
  'SKTT',
  'Slack',
  'Telegram',
  'Zigbee',
  'limit',
  'ntfy',
  'webhook',
])
/** Texts of components that are not translated: the name of the product of a language, units, and a command. */
const UNTRANSLATED = new Set([
  'Netsaat',
  'Türkçe',
  'English',
  'TL',
  'TL/kWh',
  'kWh',
  'kW',
  'Wh',
  'TRY',
  'netsaat audit replay',
])

const hasWord = (text: string): boolean => /\p{L}{2}/u.test(text)

function parse(path: string, text: string): ts.SourceFile {
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind)
}

/** Texts that a component contains itself, instead of a table of texts in both languages. */
function textsOfComponent(file: ts.SourceFile): string[] {
  const found: string[] = []
  const walk = (node: ts.Node): void => {
    if (ts.isJsxText(node)) found.push(node.text.trim())
    const value = ts.isJsxAttribute(node) ? node.initializer : undefined
    if (
      ts.isJsxAttribute(node) &&
      value &&
      ts.isStringLiteral(value) &&
      TEXT_ATTRIBUTES.has(node.name.getText())
    )
      found.push(value.text)
    ts.forEachChild(node, walk)
  }
  walk(file)
  return found.filter((text) => hasWord(text) && !UNTRANSLATED.has(text))
}

/** Texts of tables that are the same in both languages. */
function sameTexts(file: ts.SourceFile): string[] {
  const found: string[] = []
  const walk = (node: ts.Node): void => {
    if (ts.isObjectLiteralExpression(node)) {
      const texts = new Map(
        node.properties.flatMap((property) =>
          ts.isPropertyAssignment(property) && ts.isStringLiteralLike(property.initializer)
            ? [[property.name.getText(), property.initializer.text] as const]
            : [],
        ),
      )
      const english = texts.get('en')
      if (english !== undefined && english === texts.get('tr')) found.push(english)
    }
    ts.forEachChild(node, walk)
  }
  walk(file)
  return found.filter((text) => hasWord(text.replaceAll(/\{[^}]*\}/g, '')) && !SAME_WORDS.has(text))
}

async function sources(): Promise<ts.SourceFile[]> {
  const names = await readdir('web/src', { recursive: true })
  const paths = names.filter((name) => /(?<!\.test)\.tsx?$/.test(name)).map((name) => `web/src/${name}`)
  return Promise.all(paths.map(async (path) => parse(path, await readFile(path, 'utf8'))))
}
const faults = (found: (file: ts.SourceFile) => string[], parsed: readonly ts.SourceFile[]): string[] =>
  parsed.flatMap((file) => found(file).map((text) => `${file.fileName}: ${text}`))

describe('texts of the console', () => {
  it('are in tables with both languages, not in components', async () => {
    const parsed = await sources()
    expect(parsed.length).toBeGreaterThan(100)
    expect(faults(textsOfComponent, parsed)).toEqual([])
  })

  it('differ between the languages', async () => {
    expect(faults(sameTexts, await sources())).toEqual([])
  })

  it('are found where they are written by hand', () => {
    const component = parse('a.tsx', 'const A = () => <p title="Total">Sum of {x} <b>{t(B())}</b></p>')
    expect(textsOfComponent(component)).toEqual(['Total', 'Sum of'])
    expect(
      sameTexts(parse('b.ts', "const T = { A: { en: 'Total', tr: 'Total' }, B: { en: '{a}', tr: '{a}' } }")),
    ).toEqual(['Total'])
  })
})
