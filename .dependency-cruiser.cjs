/**
 * Who may import whom (CONTRIBUTING.md). tools/check-imports.ts runs these rules, and proves first that they bite.
 * @type {import('dependency-cruiser').IConfiguration}
 */
const MODULE = '^src/modules/([^/]+)/'

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'no-dev-dependencies-in-src',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg'] },
    },
    {
      name: 'kernel-imports-nothing',
      severity: 'error',
      from: { path: '^src/kernel/', pathNot: '\\.test\\.ts$' },
      to: { pathNot: ['^src/kernel/', '^assert/strict$'] },
    },
    {
      name: 'netting-core-is-pure',
      severity: 'error',
      from: { path: '^src/netting-core/', pathNot: '\\.test\\.ts$' },
      to: { pathNot: ['^src/(kernel|netting-core)/', '^(assert|assert/strict|crypto)$'] },
    },
    {
      name: 'register-map-is-pure',
      severity: 'error',
      from: { path: '^src/register-map/', pathNot: '\\.test\\.ts$' },
      to: { pathNot: ['^src/(kernel|register-map)/'] },
    },
    {
      name: 'alarm-core-is-pure',
      severity: 'error',
      from: { path: '^src/alarm-core/', pathNot: '\\.test\\.ts$' },
      to: { pathNot: ['^src/(kernel|alarm-core)/'] },
    },
    {
      name: 'platform-knows-no-feature',
      severity: 'error',
      from: { path: '^src/platform/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/', pathNot: '^src/(platform|kernel)/' },
    },
    {
      name: 'module-only-through-its-index',
      severity: 'error',
      from: { path: MODULE, pathNot: '\\.test\\.ts$' },
      to: { path: MODULE, pathNot: ['^src/modules/$1/', '^src/modules/[^/]+/index\\.ts$'] },
    },
    {
      name: 'from-outside-only-the-index',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/modules/', '\\.test\\.ts$'] },
      to: { path: MODULE, pathNot: '^src/modules/[^/]+/index\\.ts$' },
    },
    {
      name: 'modules-look-down-only',
      severity: 'error',
      from: { path: '^src/modules/' },
      to: { path: '^src/', pathNot: '^src/(modules|platform|kernel|netting-core|register-map|alarm-core)/' },
    },
    {
      name: 'store-calls-no-service',
      severity: 'error',
      from: { path: '^src/modules/.*[/-]?store\\.ts$' },
      to: { path: '^src/modules/.*/(service|routes)\\.ts$' },
    },
    {
      name: 'service-knows-no-routes',
      severity: 'error',
      from: { path: '^src/modules/.*/service\\.ts$' },
      to: { path: '^src/modules/.*/routes\\.ts$' },
    },
    {
      name: 'only-routes-know-fastify',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: ['^src/app\\.ts$', '^src/platform/http/', '/routes\\.ts$', '\\.test\\.ts$'],
      },
      to: { path: '^node_modules/(@?fastify)', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'only-stores-know-sql',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: [
          '^src/platform/(db|embedded)/',
          '^src/ingest/writer\\.ts$',
          '^src/modules/measurements/stage\\.ts$',
          '^src/modules/.*store\\.ts$',
          '\\.test\\.ts$',
        ],
      },
      to: { path: '^node_modules/(kysely|pg|pg-copy-streams)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'nobody-imports-main',
      severity: 'error',
      from: {},
      to: { path: '^src/main\\.ts$' },
    },
    {
      name: 'verification-shares-no-code-with-the-engine',
      severity: 'error',
      from: { path: '^src/demo/verify' },
      to: { pathNot: ['^src/demo/verify', '^fs$'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.js', '.json'],
    },
  },
}
