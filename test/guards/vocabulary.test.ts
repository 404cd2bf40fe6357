import { readdir, readFile } from 'node:fs/promises'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

/**
 * Words that an engineer would not search for (docs/develop/vocabulary.md). Identifiers, file names and
 * comments must not contain them. Names with an underscore are columns and fields of the wire, which keep
 * their names.
 */
const IN_NAMES = [
  'told',
  'tell',
  'tells',
  'teller',
  'telling',
  'glance',
  'bury',
  'buries',
  'knock',
  'anew',
  'speech',
  'saying',
  'tidy',
  'crossing',
  'foresight',
  'judge',
  'judged',
  'judging',
  'judges',
  'beside',
  'theirs',
  'wish',
  'mends',
  'mend',
]
/** Rejected as a whole name only: an index, an offset, a slot or a location has its own term. A lock is placed. */
const WHOLE_NAMES = new Set(['place'])
const IN_COMMENTS = [
  'told',
  'tell',
  'tells',
  'teller',
  'telling',
  'anew',
  'bury',
  'buried',
  'knock',
  'tidy',
  'tidied',
  'foresight',
  'judge',
  'judged',
  'judges',
  'judging',
  'so many',
  'mend',
  'mends',
  'mended',
  'looks after',
  'look after',
  'gives way',
  'give way',
  'whoever',
  'wishes',
  'dear',
]
/** Fields of the wire and of stored JSON, which keep their names. */
const WIRE_NAMES = new Set(['theirs'])
const FOLDERS = ['src', 'test', 'bench', 'tools', 'web/src']
const GENERATED = /(^src\/platform\/db\/types\.ts$|\/messages-v\d+\.ts$|^test\/guards\/vocabulary\.test\.ts$)/

async function sourceFiles(): Promise<string[]> {
  const names = await Promise.all(
    FOLDERS.map(async (folder) =>
      (await readdir(folder, { recursive: true })).map((name) => `${folder}/${name}`.replaceAll('\\', '/')),
    ),
  )
  return names.flat().filter((name) => /\.tsx?$/.test(name) && !GENERATED.test(name))
}

/** The words of a name: readMissingSeqNos is read, missing, seq, nos. */
const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)

const namePattern = new Set(IN_NAMES)
const commentPattern = new RegExp(`\\b(${IN_COMMENTS.join('|')})\\b`, 'i')

/** A pattern of a word that stands alone or begins a part of a name, in any case. */
const startOf = (word: string): string => {
  const withGap = (text: string): string => text.replaceAll(' ', '[\\s*]+')
  const upper = word.toUpperCase()
  const capitalised = withGap(upper.slice(0, 1) + word.slice(1))
  return `(?:(?<![A-Za-z])${withGap(word)}|${capitalised})(?![a-z])|(?<![A-Za-z])${withGap(upper)}(?![A-Za-z])`
}

/** Matches every text that may hold a word of the lists; most files do not, and are not parsed. */
const anyWordPattern = new RegExp([...IN_NAMES, ...IN_COMMENTS, ...WHOLE_NAMES].map(startOf).join('|'))

interface Finding {
  readonly file: string
  readonly text: string
}

/** The tokens of a node in source order, without the nodes of JSDoc, which are comments. */
function* tokensOf(node: ts.Node, source: ts.SourceFile): Generator<ts.Node> {
  const children = node.getChildren(source).filter((child) => !ts.isJSDoc(child))
  if (children.length === 0) yield node
  for (const child of children) yield* tokensOf(child, source)
}

/**
 * The identifiers and comments of a source that use a rejected word. The syntax tree is walked, because a plain scanner
 * does not know where the text of a template literal goes on. What stands before a token is white space and comments.
 */
function rejectedWords(file: string, text: string): Finding[] {
  if (!anyWordPattern.test(text)) return []
  const found: Finding[] = []
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, false)
  for (const token of tokensOf(source, source)) {
    const comment = text.slice(token.getFullStart(), token.getStart(source)).replace(/\s*\n\s*\*?\s*/g, ' ')
    const [word] = commentPattern.exec(comment) ?? []
    if (word) found.push({ file, text: `${word}: ${comment.replace(/\s+/g, ' ').slice(0, 100)}` })
    if (!ts.isIdentifier(token) && !ts.isPrivateIdentifier(token)) continue
    const name = token.getText(source)
    if (WIRE_NAMES.has(name) || name.includes('_')) continue
    if (WHOLE_NAMES.has(name) || wordsOf(name).some((part) => namePattern.has(part)))
      found.push({ file, text: name })
  }
  return found
}

/** The lines of a migration that use a rejected word, in the name of a table, column or index or in a comment. */
const rejectedLines = (text: string): string[] =>
  text.split('\n').filter((line) => {
    const [statement = '', comment = ''] = line.split('--')
    return commentPattern.test(comment) || wordsOf(statement).some((word) => namePattern.has(word))
  })

describe('vocabulary guard', () => {
  it.each([
    ['an identifier', 'const toldAt = 1'],
    ['a type', 'interface TellOrder {}'],
    ['a comment', '/** Whoever asks is told. */ const a = 1'],
    ['a line comment', '// Judged later.'],
    ['a comment over two lines', '/** Reads so\n * many rows. */'],
    ['a name after a template literal', `const a = \`\${b}\`\nconst toldAt = 1`],
    ['a name within a template literal', `const a = \`\${toldAt} told\``],
    ['a comment after a template literal', `f(\`a \${b} c\`) // Judged later.\n`],
    ['a comment at the end of a block', 'if (a) {\n  b()\n  // Judged later.\n}'],
    ['a private member', 'class A { #told = 1 }'],
    ['a whole name', 'list.map((row, place) => place)'],
  ])('finds a rejected word in %s', (_, source) => {
    expect(rejectedWords('x.ts', source)).not.toEqual([])
  })

  it.each([
    'row.told_at',
    'placeLock()',
    'const intelligent = 1',
    "const text = 'told'",
    `const text = \`told \${a} // told\``,
    'const both = { theirs: 1 }',
    '// A table of values.',
  ])('accepts %s', (source) => {
    expect(rejectedWords('x.ts', source)).toEqual([])
  })

  it('finds no rejected word in names and comments of the sources', async () => {
    const files = await sourceFiles()
    const findings = await Promise.all(
      files.map(async (file) => rejectedWords(file, await readFile(file, 'utf8'))),
    )
    expect(files.length).toBeGreaterThan(1_000)
    expect(findings.flat().map(({ file, text }) => `${file}: ${text}`)).toEqual([])
  })

  it('finds no rejected word in file names', async () => {
    const files = await sourceFiles()
    expect(files.filter((file) => wordsOf(file).some((word) => namePattern.has(word)))).toEqual([])
  })

  it.each([
    '  told_at timestamptz,',
    'create index alarm_event_told_idx on alarm_event (id);',
    '-- Judged later.',
  ])('finds a rejected word in the migration line %s', (line) => {
    expect(rejectedLines(line)).toEqual([line])
  })

  it('finds no rejected word in the migrations', async () => {
    const files = (await readdir('migrations')).filter((name) => name.endsWith('.sql'))
    const texts = await Promise.all(files.map((name) => readFile(`migrations/${name}`, 'utf8')))
    expect(texts.join('').length).toBeGreaterThan(50_000)
    expect(texts.flatMap(rejectedLines)).toEqual([])
  })
})
