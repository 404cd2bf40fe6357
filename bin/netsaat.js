#!/usr/bin/env node
import { existsSync } from 'node:fs'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`netsaat: Node.js 20.19 or newer is needed, this is ${process.versions.node}\n`)
  process.exit(1)
}

// An installed package holds the compiled program; a checkout runs from its sources.
const built = new URL('../dist/main.js', import.meta.url)
if (existsSync(built)) {
  await import(built.href)
} else {
  const { register } = await import('tsx/esm/api')
  register()
  await import(new URL('../src/main.ts', import.meta.url).href)
}
