import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const doc = readFileSync(new URL('../../../docs/understand/netting/method.md', import.meta.url), 'utf8')
const blocks = [...doc.matchAll(/^```text case=(\S+)\n(.*?)^```$/gms)].map(([, name = '', text = '']) => ({
  name,
  lines: text.trimEnd().split('\n'),
}))

/** A golden case as plain text: `"matchedKwh": "60.000"` becomes `matchedKwh 60.000`. */
const caseText = (name: string): string =>
  readFileSync(new URL(`./cases/${name}.json`, import.meta.url), 'utf8').replaceAll(/"?: ?"/g, ' ')

test('every worked number of the method page is in the golden case it names', () => {
  expect(blocks.length).toBeGreaterThan(10)
  for (const { name, lines } of blocks) {
    const text = caseText(name)
    const strange = lines.filter((line) => !text.includes(`"${line}"`))
    expect(strange, `numbers that case ${name} does not have`).toEqual([])
  }
})
