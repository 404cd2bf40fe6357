import { readdirSync, readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { declaredMessages, LANGUAGES } from '../../src/kernel/messages.ts'
import {
  codesOf,
  MESSAGE_CODES_FILE,
  messageCodesDocument,
  readMessages,
} from '../../tools/message-codes-document.ts'

/** Imports every file that declares messages. */
beforeAll(() => readMessages())

/** Names of the placeholders of a text, without those of the plural, which a language may not need. */
function parametersOf(text: string): Set<string> {
  const found = [...text.matchAll(/\{([a-z0-9_]+)([:?][^}]*)?\}/g)]
  return new Set(found.filter(([, , rest]) => !rest?.startsWith('?')).map(([, name = '']) => name))
}

const CONSOLE_CODES = new Set(
  readdirSync('web/src', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => codesOf(readFileSync(`web/src/${name}`, 'utf8'))),
)

/** The messages of the service; files that ran before in this process have declared TEST_ ones and the console's. */
const declared = () =>
  new Map([...declaredMessages()].filter(([code]) => !code.startsWith('TEST_') && !CONSOLE_CODES.has(code)))

const isPlural = (text: string, name: string): boolean => text.includes(`{${name}?`)

/** The codes whose texts have different parameters. The compiler does not see those of concatenated texts. */
const differing = (table: ReadonlyMap<string, Readonly<Record<'en' | 'tr', string>>>): string[] =>
  [...table].flatMap(([code, { en, tr }]) => {
    const [english, turkish] = [parametersOf(en), parametersOf(tr)]
    const only = [...english, ...turkish].filter((name) => !english.has(name) || !turkish.has(name))
    return only.some((name) => !isPlural(en, name) && !isPlural(tr, name)) ? [code] : []
  })

describe('messages', () => {
  it('have the same parameters in all languages', () => {
    expect(declared().size).toBeGreaterThan(150)
    expect(differing(declared())).toEqual([])
  })

  it('with different parameters are detected', () => {
    const table = new Map([
      ['SAME', { en: '{count} {count?row:rows} of {name}', tr: '{name:word}: {count} satır' }],
      ['OTHER', { en: 'of {name}', tr: 'ad: {names}' }],
    ])
    expect(differing(table)).toEqual(['OTHER'])
  })

  it('are all listed in docs/api/message-codes.md', async () => {
    expect(await messageCodesDocument(), 'run `npm run message-codes`').toBe(
      readFileSync(MESSAGE_CODES_FILE, 'utf8'),
    )
    const listed = (await readMessages()).flatMap(({ messages }) => messages.map(([code]) => code))
    expect(listed.toSorted()).toEqual([...declared().keys()].toSorted())
  })

  it('have a text without line breaks in each language', () => {
    const empty = [...declared()].flatMap(([code, texts]) =>
      LANGUAGES.filter((language) => texts[language].trim() === '' || texts[language].includes('\n')).map(
        (language) => `${code} ${language}`,
      ),
    )
    expect(empty).toEqual([])
  })
})
