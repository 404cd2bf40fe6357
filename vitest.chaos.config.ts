import { defineConfig } from 'vitest/config'

/** What takes minutes and kills processes: `npm run test:chaos`. One file at a time, so that a load is a load. */
export default defineConfig({
  test: {
    include: ['test/chaos/**/*.test.ts'],
    testTimeout: 900_000,
    hookTimeout: 120_000,
    teardownTimeout: 30_000,
    fileParallelism: false,
  },
})
