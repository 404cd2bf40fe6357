/**
 * Builds the program: the TypeScript sources become a few JavaScript files, which start several times faster than
 * sources that are transpiled at each start. Packages stay outside of them, and types are not checked here.
 *
 * `node tools/build.js` writes the files of `dist`, which the npm package carries. A checkout runs from `dist/HASH`, which is
 * built at the first start after a change of the sources (`currentBuild`): the hash covers names, sizes and times of
 * all source files, so a stale build is never run, and processes that start at the same time may build it twice
 * without disturbing each other, because a finished build is put in place by one rename.
 */
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const DIST = join(ROOT, 'dist')
/** Builds that stay: a service that runs from an older one may still load a part of it. */
const KEPT_BUILDS = 3
const BUILD_NAME = /^[0-9a-f]{16}$/

const isProgram = (name) => name.endsWith('.ts') && !/\.(test|bench)\.ts$/.test(name)

function sourceHash() {
  const hash = createHash('sha256')
  const names = readdirSync(join(ROOT, 'src'), { recursive: true })
    .filter(isProgram)
    .map((name) => join('src', name))
  for (const name of [...names.sort(), 'tools/build.js', 'package.json']) {
    const { size, mtimeMs } = statSync(join(ROOT, name))
    hash.update(`${name} ${size} ${mtimeMs}\n`)
  }
  return hash.digest('hex').slice(0, 16)
}

async function buildInto(folder) {
  const { build } = await import('esbuild')
  await build({
    absWorkingDir: ROOT,
    entryPoints: {
      main: 'src/main.ts',
      // The scripts of threads (src/platform/async/start-thread.ts).
      'reading-thread': 'src/platform/tables/reading-thread.ts',
      'hashing-thread': 'src/platform/auth/hashing-thread.ts',
    },
    outdir: folder,
    bundle: true,
    splitting: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'error',
  })
  // The script of the page /docs (src/platform/http/docs-page.ts).
  const explorer = join('node_modules', 'openapi-explorer', 'dist', 'browser', 'openapi-explorer.min.js')
  copyFileSync(join(ROOT, explorer), join(folder, 'openapi-explorer.js'))
}

/** Removes the files of the build for the npm package, and no build from which a service of this checkout may run. */
function removePackageBuild() {
  if (!existsSync(DIST)) return
  for (const entry of readdirSync(DIST, { withFileTypes: true }))
    if (entry.isFile()) rmSync(join(DIST, entry.name), { force: true })
}

function removeOldBuilds() {
  const builds = readdirSync(DIST)
    .filter((name) => BUILD_NAME.test(name))
    .map((name) => ({ path: join(DIST, name), builtAt: statSync(join(DIST, name)).mtimeMs }))
    .sort((a, b) => b.builtAt - a.builtAt)
  for (const { path } of builds.slice(KEPT_BUILDS)) rmSync(path, { recursive: true, force: true })
}

/** The path of the built program of these sources, built first where it is missing. */
export async function currentBuild() {
  const folder = join(DIST, sourceHash())
  if (existsSync(folder)) return join(folder, 'main.js')
  const unfinished = `${folder}.${process.pid}.tmp`
  try {
    await buildInto(unfinished)
    renameSync(unfinished, folder)
    removeOldBuilds()
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    // Another process was faster.
    if (!existsSync(folder)) throw error
  }
  return join(folder, 'main.js')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  removePackageBuild()
  await buildInto(DIST)
}
