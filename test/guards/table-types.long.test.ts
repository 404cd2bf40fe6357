import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { createDatabase } from '../support/database.ts'

describe('committed table types', () => {
  it('equal those that the generator makes of the migrated schema', async () => {
    const database = await createDatabase()
    const folder = await mkdtemp(join(tmpdir(), 'netsaat-types-'))
    try {
      const file = join(folder, 'types.ts')
      await promisify(execFile)('npx', ['tsx', 'tools/make-db-types.ts', file], {
        env: { ...process.env, DATABASE_URL: database.url },
      })
      const [created, committed] = await Promise.all([
        readFile(file, 'utf8'),
        readFile('src/platform/db/types.ts', 'utf8'),
      ])
      expect(created.length).toBeGreaterThan(5_000)
      expect(created === committed, 'run `npm run db:types` on an empty database').toBe(true)
    } finally {
      await rm(folder, { recursive: true, force: true })
      await database.drop()
    }
  })
})
