import { readdir } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { NOT_ON_CITUS } from '../../tools/citus/long-suite.ts'

describe('what the long suite leaves out on Citus', () => {
  it('is there: each path has a long test, and none is named twice', async () => {
    const folders = ['src', 'test']
    const names = await Promise.all(folders.map((folder) => readdir(folder, { recursive: true })))
    const files = names
      .flatMap((own, index) => own.map((name) => `${folders[index]}/${name}`))
      .filter((name) => name.endsWith('.long.test.ts'))
    const isOf = (file: string, path: string) => file === path || file.startsWith(`${path}/`)
    expect(NOT_ON_CITUS.filter(([path]) => !files.some((file) => isOf(file, path)))).toEqual([])
    const twice = files.filter((file) => NOT_ON_CITUS.filter(([path]) => isOf(file, path)).length > 1)
    expect(twice).toEqual([])
    expect(NOT_ON_CITUS.every(([, reason]) => reason.length > 10)).toBe(true)
  })
})
