import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/support/longest-first.ts'
import { SLOWNESS } from './test/support/slowness.ts'
import { NOT_ON_CITUS } from './tools/citus/long-suite.ts'

const SHARED = {
  // Files of one worker share their modules: importing them anew took more than half of the processor time.
  isolate: false,
  // How often a failed test is repeated; tests that look for lost data set `retry: 0`.
  retry: Number(process.env['TEST_RETRY'] ?? 0),
  // For what hangs. A machine that others use as well has taken minutes for tests that take seconds here.
  testTimeout: 240_000 * SLOWNESS,
  // What is waited for comes in milliseconds, on a machine that has them.
  expect: { poll: { timeout: 60_000 } },
  hookTimeout: 240_000 * SLOWNESS,
  teardownTimeout: 60_000,
  // A report names what differs, not "[ Array(1) ]".
  chaiConfig: { truncateThreshold: 2_000 },
}

const LONG = '**/*.long.test.ts'
const GUARDS = 'test/guards/**/*.test.ts'
const OTHER_RUNS = ['test/chaos/**', 'test/acceptance/**', 'test/packaging/**', 'node_modules/**']
/** Of the long suite on a cluster; an exclusion on the command line does not reach the projects. */
const LEFT_OUT = process.env['CITUS_NODES']
  ? NOT_ON_CITUS.map(([path]) => (path.endsWith('.ts') ? path : `${path}/**`))
  : []
const INTEGRATION = {
  ...SHARED,
  include: ['src/**/*.test.ts', 'web/src/**/*.test.ts', 'test/**/*.test.ts'],
  globalSetup: ['test/support/global-setup.ts'],
  setupFiles: ['test/support/tenant-filter.ts'],
}

const ACCEPTANCE = {
  ...SHARED,
  globalSetup: ['test/acceptance/setup.ts'],
  setupFiles: ['test/acceptance/renew-tokens.ts'],
}

export default defineConfig({
  test: {
    // Tests wait for databases, sockets and processes as often as they compute: three at a time fill two processors.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    projects: [
      { test: { ...INTEGRATION, name: 'integration', exclude: [...OTHER_RUNS, LONG, GUARDS] } },
      // Rules of the repository: names, sizes, documents, statements. `npm run check` runs them.
      { test: { ...INTEGRATION, name: 'guards', include: [GUARDS], exclude: [...OTHER_RUNS, LONG] } },
      // Tests that are slow by nature: kills, a year of data, many random inputs. `npm run test:full` adds them.
      { test: { ...INTEGRATION, name: 'long', include: [LONG], exclude: [...OTHER_RUNS, ...LEFT_OUT] } },
      {
        test: {
          ...ACCEPTANCE,
          name: 'acceptance',
          include: ['test/acceptance/**/*.test.ts'],
          exclude: [LONG],
          // One file after the other, after the other projects: prices count for all tenants of their service.
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
      { test: { ...ACCEPTANCE, name: 'acceptance-long', include: [`test/acceptance/${LONG}`] } },
      // The npm package and the image, installed as users do. They need the registry, so only the build machine runs them.
      { test: { ...SHARED, name: 'packaging', include: ['test/packaging/**/*.test.ts'] } },
    ],
  },
})
