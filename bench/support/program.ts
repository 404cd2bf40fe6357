import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningService, runNetsaat, startService } from '../../test/support/process/service.ts'
import { peakOf } from './memory.ts'
import type { BenchService } from './service.ts'

/** Runs the built program in a process of its own on the database of a service while `use` measures it. */
export async function withProgram<T>(
  { databaseUrl, deps }: BenchService,
  env: Readonly<Record<string, string>>,
  use: (program: RunningService) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'netsaat-bench-'))
  try {
    const program = await startService({
      env: {
        DATABASE_URL: databaseUrl,
        DATA_DIR: join(folder, 'data'),
        PORT: '0',
        MQTT_PORT: '0',
        SECRET_KEY: deps.config.secretKey,
        ...env,
      },
    })
    return await use(program).finally(() => program.stop())
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The peak memory of the built program in bytes: before, and after each of several works, one after the other. */
export async function peaksOfProgram(
  service: BenchService,
  works: readonly ((url: string) => Promise<void>)[],
  env: Readonly<Record<string, string>> = {},
): Promise<number[]> {
  // The first start of a checkout builds the program, which takes more memory than an import.
  await runNetsaat(['version'], {})
  return withProgram(service, { LOG_LEVEL: 'warn', ...env }, async ({ url, pid }) => {
    const peaks = [(await peakOf(pid)) ?? Number.NaN]
    for (const work of works) {
      await work(url)
      peaks.push((await peakOf(pid)) ?? Number.NaN)
    }
    return peaks
  })
}
