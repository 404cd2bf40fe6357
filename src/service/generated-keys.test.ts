import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeSealer } from '../platform/auth/sealer.ts'
import { makeDataFolder } from '../platform/files/data-folder.ts'
import {
  CREDENTIAL_KEY,
  loadGeneratedKey,
  readGeneratedKeys,
  requireGeneratedKeys,
  requireNoOtherKey,
  restoreGeneratedKeys,
  SECRET_KEY,
  writeGeneratedKeys,
} from './generated-keys.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'netsaat-keys-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe('generated keys', () => {
  it('are generated once, are private files, and can be used', async () => {
    for (const kind of [SECRET_KEY, CREDENTIAL_KEY]) {
      const first = await loadGeneratedKey(folder, kind)
      expect(first).toMatchObject({ isNew: true, file: join(folder, kind.fileName) })
      expect((await stat(first.file)).mode & 0o777).toBe(0o600)
      expect(await loadGeneratedKey(folder, kind)).toEqual({ ...first, isNew: false })
    }
    const { key } = await loadGeneratedKey(folder, CREDENTIAL_KEY)
    const sealer = makeSealer(key)
    expect(sealer.open(sealer.seal('secret', 'context'), 'context')).toBe('secret')
  })

  it('are the same for processes that start at the same time', async () => {
    const keys = await Promise.all(Array.from({ length: 8 }, () => loadGeneratedKey(folder, CREDENTIAL_KEY)))
    expect(new Set(keys.map(({ key }) => key)).size).toBe(1)
    expect(keys.filter(({ isNew }) => isNew)).toHaveLength(1)
    expect(await readdir(folder)).toEqual(['credential-key'])
  })

  it('that are damaged stop the start with the name of the file and of the setting', async () => {
    await writeFile(join(folder, 'credential-key'), 'nonsense')
    await expect(loadGeneratedKey(folder, CREDENTIAL_KEY)).rejects.toThrow(
      /credential-key does not contain a key: set CREDENTIAL_ENCRYPTION_KEY/,
    )
  })

  it('are backed up and restored, and a restore replaces no other key', async () => {
    const [data, backup, other] = [join(folder, 'data'), join(folder, 'backup'), join(folder, 'other')]
    const { key } = await loadGeneratedKey(data, CREDENTIAL_KEY)
    await loadGeneratedKey(data, SECRET_KEY)
    await expect(requireGeneratedKeys(backup)).rejects.toThrow('contains no generated key')
    expect(await restoreGeneratedKeys(backup, data)).toEqual([])

    await makeDataFolder(backup)
    await loadGeneratedKey(other, CREDENTIAL_KEY)
    await writeGeneratedKeys(backup, await requireGeneratedKeys(data))
    await requireNoOtherKey(backup, data)
    await expect(requireNoOtherKey(backup, other)).rejects.toThrow(/credential-key is another key/)
    await rm(other, { recursive: true })
    await requireNoOtherKey(backup, other)
    expect(await restoreGeneratedKeys(backup, other)).toEqual(['SECRET_KEY', 'CREDENTIAL_ENCRYPTION_KEY'])
    expect(await readGeneratedKeys(other)).toEqual(await readGeneratedKeys(data))
    expect((await readFile(join(other, 'credential-key'), 'utf8')).trim()).toBe(key)
  })
})
