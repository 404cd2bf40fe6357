import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

const SHARED = {
  // Files of one worker share their modules: importing them anew took more than half of the processor time.
  isolate: false,
  // For what hangs. A machine that others use as well has taken minutes for tests that take seconds here.
  testTimeout: 240_000,
  // What is waited for comes in milliseconds, on a machine that has them.
  expect: { poll: { timeout: 60_000 } },
  hookTimeout: 240_000,
  teardownTimeout: 60_000,
}

export default defineConfig({
  test: {
    // Tests wait for databases, sockets and processes as often as they compute: three at a time fill two processors.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        test: {
          ...SHARED,
          name: 'integration',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: ['test/chaos/**', 'test/acceptance/**', 'node_modules/**'],
          globalSetup: ['test/support/global-setup.ts'],
          setupFiles: ['test/support/tenant-filter.ts'],
        },
      },
      {
        test: {
          ...SHARED,
          name: 'acceptance',
          include: ['test/acceptance/**/*.test.ts'],
          globalSetup: ['test/acceptance/setup.ts'],
        },
      },
    ],
  },
})
