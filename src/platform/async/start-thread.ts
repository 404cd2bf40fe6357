import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { type ResourceLimits, Worker } from 'node:worker_threads'

const require = createRequire(import.meta.url)

/** The script of a thread: its source file, and the name of its entry point in `tools/build.js`. */
export interface ThreadScript {
  readonly source: URL
  readonly built: string
}

/**
 * Starts a thread. The built program contains its script as a file beside the chunk with this function; from
 * sources, as in tests, it needs a loader.
 */
export function startThread(
  { source, built }: ThreadScript,
  resourceLimits: ResourceLimits,
  workerData?: string,
): Worker {
  const options = { execArgv: [], resourceLimits, workerData }
  if (!import.meta.url.endsWith('.ts')) return new Worker(new URL(`./${built}.js`, import.meta.url), options)
  const loader = new URL('./dist/esm/api/index.mjs', pathToFileURL(require.resolve('tsx/package.json')))
  const lines = `import(${quoted(loader)}).then(({ register }) => register()).then(() => import(${quoted(source)}))`
  return new Worker(lines, { ...options, eval: true })
}

const quoted = ({ href }: URL): string => JSON.stringify(href)
