/**
 * Checks the imports against the rules of .dependency-cruiser.cjs, and checks that check: it once passed because it had
 * read no file at all. So it also fails when it read too few modules, and when it does not report a planted violation.
 */
import { execFile } from 'node:child_process'
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, relative, resolve } from 'node:path'
import { promisify } from 'node:util'

interface Summary {
  readonly totalCruised: number
  readonly totalDependenciesCruised: number
  readonly violations: readonly { rule: { name: string }; from: string; to: string }[]
}

const MODULES_MIN = 50
/** A tree of its own, so that nobody who reads the real one meanwhile sees the violation. */
const PLANT = 'node_modules/.cache/planted-violation'

async function cruise(paths: readonly string[], cwd = '.'): Promise<Summary> {
  const config = resolve('.dependency-cruiser.cjs')
  const args = ['depcruise', '--config', config, '--output-type', 'json', ...paths]
  const options = { cwd, maxBuffer: 256 * 1024 * 1024 }
  const { stdout } = await promisify(execFile)('npx', args, options).catch(
    // The exit code counts violations; the report on stdout is whole all the same.
    (failure: { stdout?: string }) => {
      if (!failure.stdout) throw failure
      return { stdout: failure.stdout }
    },
  )
  return (JSON.parse(stdout) as { summary: Summary }).summary
}

/** Imports that a rule must report: the file on the left imports the one on the right. */
const PLANTED: readonly { readonly rule: string; readonly from: string; readonly to: string }[] = [
  { rule: 'kernel-imports-nothing', from: 'src/kernel/planted.ts', to: 'src/platform/infrastructure.ts' },
  {
    rule: 'other-module-only-through-its-index',
    from: 'src/areas/charging/sessions/planted-store.ts',
    to: 'src/areas/charging/commands/store.ts',
  },
  {
    rule: 'charging-order-commands',
    from: 'src/areas/charging/commands/planted.ts',
    to: 'src/areas/charging/sessions/index.ts',
  },
  {
    rule: 'charging-only-through-its-entry-points',
    from: 'src/jobs/planted.ts',
    to: 'src/areas/charging/commands/index.ts',
  },
  {
    rule: 'stations-entry-point-is-for-the-field',
    from: 'src/http/planted.ts',
    to: 'src/areas/charging/stations.ts',
  },
  {
    rule: 'charging-has-an-entry-point-for-stations',
    from: 'src/field/ocpp/planted.ts',
    to: 'src/areas/charging/index.ts',
  },
  {
    rule: 'other-module-only-through-its-index',
    from: 'src/areas/netting/corrections/planted.ts',
    to: 'src/areas/netting/calculation/store.ts',
  },
  {
    rule: 'netting-module-order-alarms',
    from: 'src/areas/netting/alarms/planted.ts',
    to: 'src/areas/netting/calculation/index.ts',
  },
  {
    rule: 'netting-module-is-listed-in-the-order',
    from: 'src/areas/netting/unlisted/planted.ts',
    to: 'src/areas/netting/calculation/index.ts',
  },
  {
    rule: 'netting-composes-modules-by-their-index',
    from: 'src/areas/netting/routes.ts',
    to: 'src/areas/netting/calculation/store.ts',
  },
  {
    rule: 'application-imports-routes-or-an-index',
    from: 'src/http/routes.ts',
    to: 'src/areas/alarms/policies/store.ts',
  },
  {
    rule: 'netting-module-imports-no-composition',
    from: 'src/areas/netting/market/planted.ts',
    to: 'src/areas/netting/index.ts',
  },
  {
    rule: 'netting-registry-folders-are-independent',
    from: 'src/areas/netting/registry/limits/planted.ts',
    to: 'src/areas/netting/registry/groups/store.ts',
  },
]

/** The planted violations that were not reported. */
async function findUnreported(): Promise<string[]> {
  const plant = async (path: string, text: string) => {
    await mkdir(dirname(`${PLANT}/${path}`), { recursive: true })
    await writeFile(`${PLANT}/${path}`, text)
  }
  try {
    for (const { to } of PLANTED) await plant(to, 'export const planted = 1\n')
    for (const { from, to } of PLANTED) {
      const path = relative(dirname(from), to)
      await plant(from, `import '${path.startsWith('.') ? path : `./${path}`}'\n`)
    }
    await copyFile('tsconfig.json', `${PLANT}/tsconfig.json`)
    const { violations } = await cruise(['src'], PLANT)
    return PLANTED.filter(
      ({ rule, from }) => !violations.some((one) => one.rule.name === rule && one.from === from),
    ).map(({ rule }) => rule)
  } finally {
    await rm(PLANT, { recursive: true, force: true })
  }
}

const { violations, totalCruised, totalDependenciesCruised } = await cruise(['src', 'test', 'tools'])
const problems = violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`)
if (totalCruised < MODULES_MIN) problems.push(`only ${totalCruised} modules were read`)
for (const rule of await findUnreported()) problems.push(`a planted violation of ${rule} was not reported`)
for (const problem of problems) console.error(problem)
console.log(
  `imports: ${totalCruised} modules, ${totalDependenciesCruised} dependencies, ${problems.length} problems`,
)
process.exitCode = problems.length > 0 ? 1 : 0
