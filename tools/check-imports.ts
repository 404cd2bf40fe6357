/**
 * Holds the imports to the rules of .dependency-cruiser.cjs, and guards that guard: it once was green because it had
 * read no file at all. So it fails when it saw too few modules, and when it does not see a violation planted for it.
 */
import { execFile } from 'node:child_process'
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
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

async function seesPlantedViolation(): Promise<boolean> {
  await mkdir(`${PLANT}/src/kernel`, { recursive: true })
  await mkdir(`${PLANT}/src/platform`, { recursive: true })
  try {
    await copyFile('tsconfig.json', `${PLANT}/tsconfig.json`)
    await writeFile(`${PLANT}/src/platform/infrastructure.ts`, 'export const url = 1\n')
    await writeFile(`${PLANT}/src/kernel/planted.ts`, `import '../platform/infrastructure.ts'\n`)
    const { violations } = await cruise(['src'], PLANT)
    return violations.some(({ rule }) => rule.name === 'kernel-imports-nothing')
  } finally {
    await rm(PLANT, { recursive: true, force: true })
  }
}

const { violations, totalCruised, totalDependenciesCruised } = await cruise(['src', 'test', 'tools'])
const problems = violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`)
if (totalCruised < MODULES_MIN) problems.push(`only ${totalCruised} modules were read`)
if (!(await seesPlantedViolation())) problems.push('a planted violation was not seen')
for (const problem of problems) console.error(problem)
console.log(
  `imports: ${totalCruised} modules, ${totalDependenciesCruised} dependencies, ${problems.length} problems`,
)
process.exitCode = problems.length > 0 ? 1 : 0
