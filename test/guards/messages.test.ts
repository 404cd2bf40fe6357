import { readdir, readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { declaredMessages, LANGUAGES } from '../../src/kernel/messages.ts'

/** Imports every file that declares messages. */
beforeAll(async () => {
  for (const name of await readdir('src', { recursive: true })) {
    if (!name.endsWith('.ts') || name.endsWith('.test.ts') || name === 'kernel/messages.ts') continue
    const text = await readFile(resolve('src', name), 'utf8')
    if (/= messages\(\{/.test(text)) await import(resolve('src', name))
  }
})

/** Names of the placeholders of a text, without those of the plural, which a language may not need. */
function parametersOf(text: string): Set<string> {
  const found = [...text.matchAll(/\{([a-z0-9_]+)([:?][^}]*)?\}/g)]
  return new Set(found.filter(([, , rest]) => !rest?.startsWith('?')).map(([, name = '']) => name))
}

/** The messages of the service; test files that ran before in this process have declared TEST_ ones. */
const declared = () => new Map([...declaredMessages()].filter(([code]) => !code.startsWith('TEST_')))

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

  it('are used by every error of the sources instead of a text in one language', async () => {
    const literal = /\b(?:AppError\(\s*\d+,|conflict\(|unprocessable\()\s*'[A-Za-z_]+',\s*['"`]/
    const names = (await readdir('src', { recursive: true })).filter(
      (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
    )
    const texts = await Promise.all(names.map((name) => readFile(resolve('src', name), 'utf8')))
    expect(names.filter((_, index) => literal.test(texts[index] ?? ''))).toEqual([])
    expect(literal.test("throw conflict('STATE_CONFLICT', `a text`)")).toBe(true)
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
