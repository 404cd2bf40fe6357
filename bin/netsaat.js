#!/usr/bin/env node
import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`netsaat: Node.js 20.19 or newer is needed, this is ${process.versions.node}\n`)
  process.exit(1)
}

// Node has the global `navigator` from version 21 on. pg recognizes the runtime by it, and where it is missing makes
// a Response, for which Node loads its HTTP client: 4 MB of memory and 40 ms of each start.
globalThis.navigator ??= { userAgent: `Node.js/${major}` }

/** An installed package carries the built program. A checkout builds it after each change of its sources. */
async function programUrl() {
  if (!existsSync(new URL('../src/main.ts', import.meta.url)))
    return new URL('../dist/main.js', import.meta.url)
  const { currentBuild } = await import('../tools/build.js')
  return pathToFileURL(await currentBuild())
}

/** Runs the sources directly where the folder of a checkout cannot be written. */
async function runSources(reason) {
  process.stderr.write(`netsaat: running from the sources, which is slower: ${reason.message}\n`)
  process.setSourceMapsEnabled(true)
  const { register } = await import('tsx/esm/api')
  register()
  return new URL('../src/main.ts', import.meta.url)
}

const url = await programUrl().catch(runSources)
await import(url.href)
