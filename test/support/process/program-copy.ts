import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { currentBuild } from '../../../tools/build.js'

interface ProgramVersion {
  readonly version: string
  /** Further migrations, by file name. */
  readonly migrations?: Readonly<Record<string, string>>
}

/** A copy of the built program under another version, as an installed package has it. Returns its command. */
export async function copyProgram(
  folder: string,
  { version, migrations = {} }: ProgramVersion,
): Promise<string> {
  await mkdir(folder, { recursive: true })
  await cp(dirname(await currentBuild()), join(folder, 'dist'), { recursive: true })
  for (const name of ['bin', 'migrations', 'seed']) await cp(name, join(folder, name), { recursive: true })
  await symlink(resolve('node_modules'), join(folder, 'node_modules'))
  const manifest = JSON.parse(await readFile('package.json', 'utf8'))
  await writeFile(join(folder, 'package.json'), JSON.stringify({ ...manifest, version }))
  for (const [name, sql] of Object.entries(migrations)) await writeFile(join(folder, 'migrations', name), sql)
  return join(folder, 'bin', 'netsaat.js')
}
