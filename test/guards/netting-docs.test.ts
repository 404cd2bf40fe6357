import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'

const ENGLISH = 'docs/understand/netting'
const TURKISH = `${ENGLISH}/tr`

interface Structure {
  /** The level of each heading, in order. */
  readonly headings: readonly number[]
  /** Rows and columns of each table, in order. */
  readonly tables: readonly string[]
  /** The code blocks, whole. */
  readonly code: readonly string[]
  /** Names in code style, which are the same in every language. */
  readonly names: readonly string[]
}

/** What both languages of a page have in common. Names are sorted, because the order of words differs. */
function structureOf(text: string): Structure {
  const code = [...text.matchAll(/^```[^\n]*\n.*?^```$/gms)].map(([block]) => block)
  const prose = text.replaceAll(/^```[^\n]*\n.*?^```$/gms, '')
  const lines = prose.split('\n')
  const tables: string[] = []
  let rows: string[] = []
  for (const line of [...lines, '']) {
    if (line.startsWith('|')) rows.push(line)
    else if (rows.length > 0) {
      tables.push(rows.map((row) => row.split('|').length - 2).join(' '))
      rows = []
    }
  }
  return {
    headings: lines.flatMap((line) => /^(#+) /.exec(line)?.[1]?.length ?? []),
    tables,
    code,
    names: [...prose.matchAll(/`([^`]*)`/g)].map(([, name = '']) => name.replaceAll(/\s+/g, ' ')).sort(),
  }
}

const pages = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter((name) => name.endsWith('.md')).sort()

describe('the Turkish documents of netting', () => {
  it('are the same pages as the English ones', async () => {
    expect(await pages(TURKISH)).toEqual(await pages(ENGLISH))
    expect((await pages(TURKISH)).length).toBeGreaterThan(4)
  })

  it('have the same headings, tables, code blocks and names', async () => {
    for (const page of await pages(ENGLISH)) {
      const [english, turkish] = await Promise.all(
        [ENGLISH, TURKISH].map(async (folder) => structureOf(await readFile(`${folder}/${page}`, 'utf8'))),
      )
      expect(turkish, page).toEqual(english)
    }
  })
})
