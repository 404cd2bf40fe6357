import { runCli } from '../../../src/cli/cli.ts'
import { DAY_MS, iso } from '../../../src/kernel/time.ts'
import type { TestApi } from '../api.ts'

/** The end of June 2025 in Turkey, and an instant 501 days later. */
export const JUNE_END = Date.parse('2025-07-01T00:00:00+03:00')
export const NOW = iso(JUNE_END + 501 * DAY_MS)
export const JUNE = '2025-06-01'

/** Runs a command over the service's database, by its clock. */
export async function runOn(api: TestApi, ...args: string[]) {
  const texts = { out: '', err: '' }
  const collect = (name: 'out' | 'err') => (line: string) => {
    texts[name] += `${line}\n`
  }
  const code = await runCli(
    args,
    { DATABASE_URL: api.deps.database.pool.options.connectionString ?? '', LOG_LEVEL: 'silent' },
    { out: collect('out'), err: collect('err'), readInput: async () => '', now: () => api.clock.now() },
  )
  return { code, ...texts }
}
