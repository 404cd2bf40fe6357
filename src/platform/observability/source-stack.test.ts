import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sourceStack } from './source-stack.ts'

const SOURCE = `
export interface Unused { readonly a: string }

export function fail(): void {
  throw new Error('expected')
}
`

async function buildSource(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'netsaat-stack-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'failing.ts'), SOURCE)
  const outfile = join(folder, 'out.js')
  await build({
    entryPoints: [join(folder, 'failing.ts')],
    outfile,
    format: 'esm',
    sourcemap: true,
    minifyWhitespace: true,
  })
  return outfile
}

describe('stack traces', () => {
  it('name the positions of the sources', async () => {
    const path = await buildSource()
    const file = pathToFileURL(path)
    const lines = (await readFile(path, 'utf8')).split('\n')
    const line = lines.findIndex((text) => text.includes('new Error'))
    const column = lines[line]?.indexOf('new Error') ?? 0
    const stack = `Error: expected\n    at fail (${file}:${line + 1}:${column + 1})`
    expect(sourceStack(stack)).toBe(`Error: expected\n    at fail (${new URL('failing.ts', file)}:5:9)`)
  })

  it('stay as they are where a file has no map, or is missing', () => {
    const stack = 'Error: expected\n    at fail (file:///absent/out.js:1:2)\n    at node:internal/timers:3:4'
    expect(sourceStack(stack)).toBe(stack)
  })
})
