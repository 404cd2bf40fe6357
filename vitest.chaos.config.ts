import { defineConfig } from 'vitest/config'

/** What takes longer than `npm test` wants, mostly kills in the middle of the work; one file after the other. */
export default defineConfig({
  test: {
    include: ['test/chaos/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/tenant-filter.ts'],
    fileParallelism: false,
    retry: Number(process.env['TEST_RETRY'] ?? 0),
    testTimeout: 900_000,
    expect: { poll: { timeout: 60_000 } },
    hookTimeout: 120_000,
    teardownTimeout: 30_000,
  },
})
