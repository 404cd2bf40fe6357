import { readdir, readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'

const MODULE_MOCK = /\bvi\s*\.\s*(?:doMock|mock|hoisted)\b/

// The test files of a worker share their modules (`isolate: false`): a replaced module would be in force for the next
// file too, or not even for its own file, depending on which file loaded it first.
it('no test replaces a module', async () => {
  const files = (
    await Promise.all(
      ['src', 'test'].map(async (folder) =>
        (await readdir(folder, { recursive: true })).map((name) => `${folder}/${name}`),
      ),
    )
  ).flat()
  const tests = files.filter((name) => name.endsWith('.test.ts') && name !== 'test/guards/mocks.test.ts')
  expect(tests.length).toBeGreaterThan(300)
  const texts = await Promise.all(tests.map(async (name) => ({ name, text: await readFile(name, 'utf8') })))
  expect(texts.filter(({ text }) => MODULE_MOCK.test(text)).map(({ name }) => name)).toEqual([])
})
