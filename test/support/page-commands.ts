import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runCli } from '../../src/cli/cli.ts'
import { type ApiResponse, callApi } from './api.ts'

/** The examples of a page of the documentation. */
export interface PageExamples {
  /** Content by file name: a CSV block belongs to the file name that precedes it. */
  readonly files: Readonly<Record<string, string>>
  /** The command lines, with their continued lines joined. */
  readonly commands: readonly string[]
}

export async function readExamples(path: string): Promise<PageExamples> {
  const page = await readFile(path, 'utf8')
  const files = [...page.matchAll(/`([\w-]+\.csv)`[^`]*\n\n```csv\n([\s\S]*?)```/g)]
  const blocks = [...page.matchAll(/```(\w*)\n([\s\S]*?)```/g)].flatMap(([, language, text = '']) =>
    language === '' ? [text] : [],
  )
  return {
    files: Object.fromEntries(files.map(([, name = '', text = '']) => [name, text])),
    commands: blocks.flatMap((block) => block.split(/\n(?=netsaat |curl )/)).map((text) => text.trim()),
  }
}

/** Splits a command line as a POSIX shell does: quotes, continued lines and variables. */
export function shellWords(line: string, variables: Readonly<Record<string, string>>): string[] {
  const expand = (text: string): string =>
    text.replaceAll(/\$(\w+)/g, (_, name: string) => {
      const value = variables[name]
      if (value === undefined) throw new Error(`the example uses $${name}, which the test does not set`)
      return value
    })
  const words = line.replaceAll('\\\n', ' ').match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? []
  return words.map((word) =>
    word.replaceAll(/'([^']*)'|"([^"]*)"|([^'"]+)/g, (_, single, double, bare) =>
      single === undefined ? expand(double ?? bare) : single,
    ),
  )
}

/** Executes the words of a `curl` command; the names of its files are relative to the folder. */
export async function runCurl(words: readonly string[], folder: string): Promise<ApiResponse> {
  const form = new FormData()
  const headers: Record<string, string> = {}
  let [url, method, data]: (string | undefined)[] = []
  const [program, ...rest] = words
  if (program !== 'curl') throw new Error(`${program} is not curl`)
  while (rest.length > 0) {
    const word = rest.shift() ?? ''
    const value = word.startsWith('-') ? (rest.shift() ?? '') : ''
    if (!word.startsWith('-')) url = word
    else if (word === '-X') method = value
    else if (word === '-d') data = value
    else if (word === '-H') headers[(value.split(': ')[0] ?? '').toLowerCase()] = value.split(': ')[1] ?? ''
    else if (word === '-F') await addField(form, value, folder)
    else throw new Error(`the option ${word} of an example is unknown to this test`)
  }
  const isForm = [...form.keys()].length > 0
  const body = isForm ? form : data
  return callApi(url ?? '', method ?? (body === undefined ? 'GET' : 'POST'), '', {
    headers,
    ...(body !== undefined && { body }),
  })
}

async function addField(form: FormData, field: string, folder: string): Promise<void> {
  const [, name = '', value = ''] = /^(\w+)=(.*)$/s.exec(field) ?? []
  if (!value.startsWith('@')) form.append(name, value)
  else {
    const bytes = await readFile(join(folder, value.slice(1)))
    form.append(name, new Blob([new Uint8Array(bytes)]), value.split('/').at(-1))
  }
}

interface CliContext {
  readonly databaseUrl: string
  readonly now: number
}

/** Executes the words of a `netsaat` command in this process; throws unless it succeeds. Returns its output. */
export async function runNetsaatHere(words: readonly string[], { databaseUrl, now }: CliContext) {
  const lines: string[] = []
  const note = (line: string) => void lines.push(line)
  const io = { out: note, err: note, readInput: async () => '', now: () => now }
  const [program, ...argv] = words
  if (program !== 'netsaat') throw new Error(`${program} is not netsaat`)
  const code = await runCli(argv, { DATABASE_URL: databaseUrl, LOG_LEVEL: 'silent' }, io)
  if (code !== 0) throw new Error(`${words.join(' ')} exits with ${code}:\n${lines.join('\n')}`)
  return lines
}
