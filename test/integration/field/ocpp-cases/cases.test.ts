import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CASES } from './cases.ts'

test('every OCA case has a test with its number and title, and no other test has one', async () => {
  const folder = import.meta.dirname
  const names = (await readdir(folder)).filter((name) => name.endsWith('.test.ts'))
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  // A skipped test is not written as `it('TC_`, so it does not count. Whole groups may not be skipped either.
  const titles = texts.flatMap((text) =>
    [...text.matchAll(/^ *it\('(TC_[^']+)'/gm)].map(([, title]) => title),
  )
  expect(texts.join('\n')).not.toMatch(/\.(skip|only|todo|runIf)/)
  expect(CASES.length).toBeGreaterThan(75)
  expect(titles.toSorted()).toEqual(CASES.toSorted())
})
