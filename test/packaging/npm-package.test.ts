import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const run = promisify(execFile)

let folder: string
let tarball: string

/** The environment of a user who has nothing but Node.js and npm. */
const bareEnvironment = () => ({ ...process.env, NODE_PATH: '', DATA_DIR: join(folder, 'data') })

describe('the npm package', { timeout: 900_000 }, () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'netsaat-package-'))
    const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', folder])
    tarball = join(folder, stdout.trim().split('\n').at(-1) ?? '')
  }, 900_000)
  afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 }))

  it('runs the verified demo with npx in an empty folder', async () => {
    const empty = join(folder, 'empty')
    await mkdir(empty)
    await writeFile(join(empty, 'package.json'), '{ "private": true }')
    await run('npm', ['install', '--no-audit', '--no-fund', tarball], { cwd: empty, env: bareEnvironment() })
    const { stdout } = await run('npx', ['--no-install', 'netsaat', 'demo', '--verify', '--exit'], {
      cwd: empty,
      env: { ...bareEnvironment(), PORT: '0' },
    })
    expect(stdout).toMatch(/Verified .*: identical/)
  })

  it('installs the locked versions without tools of development when it is unpacked', async () => {
    const unpacked = join(folder, 'package')
    await run('tar', ['-xzf', tarball, '-C', folder])
    const { stderr } = await run('npm', ['ci', '--omit=dev', '--no-audit', '--no-fund'], { cwd: unpacked })
    expect(stderr).not.toMatch(/EBADENGINE|deprecated/)
    const { stdout } = await run(process.execPath, ['bin/netsaat.js', 'version'], { cwd: unpacked })
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
    const { stdout: files } = await run('ls', [join(unpacked, 'dist', 'web', 'assets')])
    expect(files).toMatch(/^index-\S+\.js$/m)
    const { stdout: built } = await run('ls', [join(unpacked, 'dist')])
    expect(built.split('\n')).toEqual(expect.arrayContaining(['openapi.json', 'openapi-explorer.js']))
    const { stdout: installed } = await run('ls', [join(unpacked, 'node_modules')])
    expect(installed.split('\n').filter((name) => ['vitest', 'esbuild', 'tsx'].includes(name))).toEqual([])
  })
})
