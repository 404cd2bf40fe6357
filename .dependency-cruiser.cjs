/**
 * Who may import whom (CONTRIBUTING.md). tools/check-imports.ts runs these rules, and proves first that they bite.
 * @type {import('dependency-cruiser').IConfiguration}
 */

/** From the bottom to the top: an area imports only areas of the lines before its own. */
const AREA_ORDER = [
  ['access'],
  ['metering'],
  ['equipment', 'alarms'],
  ['netting'],
  ['insight'],
  ['safety'],
  ['charging'],
  ['updates'],
  ['admin'],
]
/**
 * The modules of charging, from the bottom to the top: a module imports only modules of the lines before its own. The files
 * at the root of the area compose the modules, so that no module imports them; only the limits are everybody's.
 */
const CHARGING_ORDER = [
  ['registry', 'tags'],
  ['events', 'commands'],
  ['passwords', 'connections', 'connectors', 'variables', 'charging-profiles'],
  ['local-list', 'reservations', 'files', 'certificates'],
  ['groups', 'actions'],
  ['sessions', 'chargers'],
]
const AREA = '^src/areas/([^/]+)/'
const ROUTES = '/[^/]*\\broutes\\.ts$'
const MODULE = '^src/areas/([^/]+)/([^/]+)/'

const areasImportOnlyLowerAreas = AREA_ORDER.flatMap((names, level) =>
  names.map((name) => {
    const allowed = [name, ...AREA_ORDER.slice(0, level).flat()]
    return {
      name: `area-order-${name}`,
      severity: 'error',
      from: { path: `^src/areas/${name}/`, pathNot: '\\.test\\.ts$' },
      to: { path: '^src/areas/', pathNot: `^src/areas/(${allowed.join('|')})/` },
    }
  }),
)

const chargingModulesImportOnlyLowerModules = CHARGING_ORDER.flatMap((names, level) =>
  names.map((name) => ({
    name: `charging-order-${name}`,
    severity: 'error',
    from: { path: `^src/areas/charging/${name}/`, pathNot: '\\.test\\.ts$' },
    to: {
      path: '^src/areas/charging/',
      pathNot: `^src/areas/charging/((${[name, ...CHARGING_ORDER.slice(0, level).flat()].join('|')})/|(limits|messages)\\.ts$)`,
    },
  })),
)

/** The same inside netting, so that its folders have no cycle: a module imports only modules of the lines before its own. */
const NETTING_MODULE_ORDER = [
  ['shared'],
  ['stale'],
  ['alarms', 'limit-balances', 'tariffs', 'market', 'tenant-settings'],
  ['hourly-energy'],
  ['eligibility', 'osos'],
  ['calculation'],
  ['facility-hours'],
  ['hourly-forecasts'],
  ['audit', 'corrections', 'forecast', 'month-key-figures', 'reconciliation', 'reports', 'scenarios'],
  ['all-groups', 'optimisation', 'registry', 'sizings'],
  ['history'],
]

const nettingModulesImportOnlyLowerModules = [
  ...NETTING_MODULE_ORDER.flatMap((names, level) =>
    names.map((name) => {
      const allowed = [name, ...NETTING_MODULE_ORDER.slice(0, level).flat()]
      return {
        name: `netting-module-order-${name}`,
        severity: 'error',
        from: { path: `^src/areas/netting/${name}/`, pathNot: '\\.test\\.ts$' },
        to: { path: '^src/areas/netting/[^/]+/', pathNot: `^src/areas/netting/(${allowed.join('|')})/` },
      }
    }),
  ),
  {
    name: 'netting-module-is-listed-in-the-order',
    severity: 'error',
    from: {
      path: '^src/areas/netting/[^/]+/',
      pathNot: `^src/areas/netting/(${NETTING_MODULE_ORDER.flat().join('|')})/`,
    },
    to: {},
  },
]

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
      from: { path: '^src/core/netting/', pathNot: '\\.test\\.ts$' },
      to: { pathNot: ['^src/(kernel/|core/netting/)', '^(assert|assert/strict|crypto)$'] },
    },
    {
      name: 'register-map-is-pure',
      severity: 'error',
      from: { path: '^src/core/register-map/', pathNot: '\\.test\\.ts$' },
      to: { pathNot: ['^src/(kernel/|core/register-map/)'] },
    },
    {
      name: 'alarm-core-is-pure',
      severity: 'error',
      from: { path: '^src/core/alarms/', pathNot: '\\.test\\.ts$' },
      to: { pathNot: ['^src/(kernel/|core/alarms/)'] },
    },
    {
      name: 'platform-knows-no-feature',
      severity: 'error',
      from: { path: '^src/platform/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/', pathNot: '^src/(platform|kernel)/' },
    },
    ...areasImportOnlyLowerAreas,
    ...chargingModulesImportOnlyLowerModules,
    {
      name: 'area-is-listed-in-the-order',
      severity: 'error',
      from: { path: '^src/areas/' },
      to: { path: '^src/areas/', pathNot: `^src/areas/(${AREA_ORDER.flat().join('|')})/` },
    },
    {
      name: 'other-area-only-through-an-index',
      severity: 'error',
      from: { path: AREA, pathNot: '\\.test\\.ts$' },
      to: { path: AREA, pathNot: ['^src/areas/$1/', '/index\\.ts$'] },
    },
    {
      name: 'other-module-only-through-its-index',
      severity: 'error',
      from: { path: MODULE, pathNot: '\\.test\\.ts$' },
      to: { path: MODULE, pathNot: ['^src/areas/$1/$2/', '/index\\.ts$'] },
    },
    {
      // The index and the routes of netting compose its modules; `limits.ts` has no imports but the kernel.
      name: 'netting-composes-modules-by-their-index',
      severity: 'error',
      from: { path: '^src/areas/netting/[^/]+\\.ts$' },
      to: { path: '^src/areas/netting/[^/]+/', pathNot: ['/index\\.ts$', ROUTES] },
    },
    {
      name: 'netting-registry-folders-are-independent',
      severity: 'error',
      from: { path: '^src/areas/netting/registry/([^/]+)/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/areas/netting/registry/', pathNot: '^src/areas/netting/registry/$1/' },
    },
    {
      name: 'netting-module-imports-no-composition',
      severity: 'error',
      from: { path: '^src/areas/netting/[^/]+/' },
      to: { path: '^src/areas/netting/(index|routes)\\.ts$' },
    },
    ...nettingModulesImportOnlyLowerModules,
    {
      // An index holds what others call; routes are for the application alone, which lists all of them.
      name: 'application-imports-routes-or-an-index',
      severity: 'error',
      from: { path: '^src/http/(app|routes)\\.ts$' },
      to: { path: '^src/areas/', pathNot: ['/index\\.ts$', ROUTES] },
    },
    {
      name: 'areas-only-through-an-index',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: [
          '^src/areas/',
          '^src/http/(app|routes)\\.ts$',
          '^src/service/settings\\.ts$',
          '\\.test\\.ts$',
        ],
      },
      to: { path: '^src/areas/', pathNot: ['/index\\.ts$', '^src/areas/charging/stations\\.ts$'] },
    },
    {
      // The database starts while the parts of the service are loaded, so that nothing before it may load them.
      name: 'start-imports-no-part',
      severity: 'error',
      from: { path: '^src/service/(start|closers|listen|generated-keys)\\.ts$' },
      to: { path: '^src/(areas|field|http|jobs|mcp)/' },
    },
    {
      // The settings are read before the areas are loaded.
      name: 'settings-import-settings',
      severity: 'error',
      from: { path: '^src/service/settings\\.ts$' },
      to: { path: '^src/(areas|field|mcp)/', pathNot: '/settings\\.ts$' },
    },
    {
      name: 'charging-only-through-its-entry-points',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/areas/charging/', '\\.test\\.ts$'] },
      to: { path: '^src/areas/charging/', pathNot: '^src/areas/charging/(index|stations)\\.ts$' },
    },
    {
      name: 'charging-has-an-entry-point-for-stations',
      severity: 'error',
      from: { path: '^src/field/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/areas/charging/index\\.ts$' },
    },
    {
      name: 'stations-entry-point-is-for-the-field',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/field/', '\\.test\\.ts$'] },
      to: { path: '^src/areas/charging/stations\\.ts$' },
    },
    {
      name: 'areas-import-downwards',
      severity: 'error',
      from: { path: '^src/areas/' },
      to: { path: '^src/', pathNot: '^src/(areas|platform|kernel|core)/' },
    },
    {
      name: 'field-imports-downwards',
      severity: 'error',
      from: { path: '^src/field/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/', pathNot: '^src/(field|areas|platform|kernel|core)/' },
    },
    {
      name: 'store-calls-no-service',
      severity: 'error',
      from: { path: '^src/areas/.*/[^/]*\\bstore\\.ts$' },
      to: { path: '^src/areas/.*/[^/]*\\b(service|routes)\\.ts$' },
    },
    {
      name: 'service-knows-no-routes',
      severity: 'error',
      from: { path: '^src/areas/.*/[^/]*\\bservice\\.ts$' },
      to: { path: '^src/areas/.*/[^/]*\\broutes\\.ts$' },
    },
    {
      name: 'only-routes-know-fastify',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: [
          '^src/http/(app|routes)\\.ts$',
          '^src/platform/http/',
          '/[^/]*\\broutes\\.ts$',
          '\\.test\\.ts$',
        ],
      },
      to: { path: '^node_modules/(@?fastify)', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'only-stores-know-sql',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: [
          '^src/platform/(db|embedded-postgres)/',
          '^src/areas/.*/[^/]*\\bstore\\.ts$',
          '\\.test\\.ts$',
        ],
      },
      to: { path: '^node_modules/(kysely|pg|pg-copy-streams)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'acceptance-tests-know-only-the-address',
      severity: 'error',
      from: { path: '^test/acceptance/' },
      to: { path: '^(src|test|bench|tools)/', pathNot: '^test/acceptance/' },
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
      to: { pathNot: ['^src/demo/verify', '^src/platform/files/package-file\\.ts$', '^fs$'] },
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
