/**
 * The text of docs/api/message-codes.md: every declared message by the folder that declares it. The texts come from the
 * modules themselves. test/guards/messages.test.ts compares the committed file with it.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { declaredMessages, type Texts } from '../src/kernel/messages.ts'

export const MESSAGE_CODES_FILE = new URL('../docs/api/message-codes.md', import.meta.url)
const SRC = fileURLToPath(new URL('../src/', import.meta.url))

const HEAD = `# Message codes

This page lists the texts that the service shows to people. \`message_code\` and \`parameters\` of an error, a warning, a
reason or an alarm name one of them; \`{name}\` is a parameter. Codes are added, never renamed; texts may be improved.
The error codes (\`error_code\`), by which programs decide, are in [errors.md](errors.md). Written by
\`npm run message-codes\` from the \`messages.ts\` files.
`

const DECLARATION = /= messages\(\{/
const CODE = /^\s+([A-Z][A-Z0-9_]+): ?(?:\{|[A-Z_]+,)/gm

/** The codes that a file declares, in its order. */
export const codesOf = (text: string): string[] => [...text.matchAll(CODE)].map(([, code = '']) => code)

interface MessagesModule {
  /** The file below src, such as areas/netting/calculation/messages.ts. */
  readonly file: string
  readonly messages: readonly (readonly [code: string, texts: Texts])[]
}

/** All files below src that declare messages. */
export async function readMessages(): Promise<MessagesModule[]> {
  const modules: MessagesModule[] = []
  for (const name of readdirSync(SRC, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!name.endsWith('.ts') || name.endsWith('.test.ts') || name === 'kernel/messages.ts') continue
    const text = readFileSync(`${SRC}${name}`, 'utf8')
    if (!DECLARATION.test(text)) continue
    await import(pathToFileURL(`${SRC}${name}`).href)
    const catalogue = declaredMessages()
    const messages = codesOf(text).flatMap((code) => {
      const texts = catalogue.get(code)
      return texts ? [[code, texts] as const] : []
    })
    modules.push({ file: relative(SRC, `${SRC}${name}`).replaceAll('\\', '/'), messages })
  }
  return modules
}

const cell = (text: string): string => text.replaceAll('|', '\\|')

function section({ file, messages }: MessagesModule): string {
  const rows = messages.map(([code, { en, tr }]) => `| \`${code}\` | ${cell(en)} | ${cell(tr)} |`)
  return [`## ${dirname(file)}`, '', '| Code | English | Turkish |', '|---|---|---|', ...rows].join('\n')
}

export async function messageCodesDocument(): Promise<string> {
  const modules = await readMessages()
  return `${[HEAD, ...modules.map(section)].join('\n\n').replace('\n\n\n', '\n\n')}\n`
}
