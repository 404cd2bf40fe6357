import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: ['test/chaos/**', 'node_modules/**'],
    // Files of one worker share their modules: importing them anew took more than half of the processor time.
    isolate: false,
    // Tests wait for databases, sockets and processes as often as they compute: three at a time fill two processors.
    maxWorkers: availableParallelism() + 1,
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/tenant-filter.ts'],
    // For what hangs. A machine that others use as well has taken minutes for tests that take seconds here.
    testTimeout: 240_000,
    // What is waited for comes in milliseconds, on a machine that has them.
    expect: { poll: { timeout: 60_000 } },
    hookTimeout: 240_000,
    teardownTimeout: 60_000,
  },
})
