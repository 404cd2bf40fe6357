import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeTenantFolders, tenantFolder } from './data-folder.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'netsaat-data-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('folders of tenants in an existing data folder', () => {
  it('are closed to other users', async () => {
    const path = join(folder, 'exports')
    await mkdir(path)
    await chmod(path, 0o755)
    expect(await closeTenantFolders(folder)).toEqual([])
    expect((await stat(path)).mode & 0o777).toBe(0o700)
  })

  it('are reported when their mode cannot be changed', async () => {
    const file = join(folder, 'file')
    await writeFile(file, '')
    expect(await closeTenantFolders(file)).toHaveLength(4)
  })
})

it('the folders of tenants are never those of the working folder', () => {
  expect(tenantFolder({ dataDir: folder }, 'firmware')).toBe(join(folder, 'firmware'))
  expect(() => tenantFolder({ dataDir: '' }, 'firmware')).toThrow('need a data folder')
})
