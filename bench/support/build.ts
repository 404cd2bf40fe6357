import { execFile } from 'node:child_process'
import { cp, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** Compiles the program into a folder, as an installed package has it; answers the path of its command. */
export async function buildInto(folder: string): Promise<string> {
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
  const project = join(ROOT, 'tsconfig.build.json')
  await promisify(execFile)(process.execPath, [
    tsc,
    '-p',
    project,
    '--noCheck',
    '--outDir',
    join(folder, 'dist'),
  ])
  for (const part of ['bin', 'migrations', 'seed', 'package.json'])
    await cp(join(ROOT, part), join(folder, part), { recursive: true })
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  return join(folder, 'bin', 'netsaat.js')
}
