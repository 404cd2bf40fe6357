import { text } from 'node:stream/consumers'
import { runCli } from './cli/cli.ts'
import { flushed } from './cli/output.ts'

/**
 * The only file that does something when it is imported: the command line, the environment and the clock come in here.
 */
const code = await runCli(process.argv.slice(2), process.env, {
  out: (line) => void process.stdout.write(`${line}\n`),
  err: (line) => void process.stderr.write(`${line}\n`),
  readInput: () => text(process.stdin),
  now: Date.now,
})
await Promise.all([flushed(process.stdout), flushed(process.stderr)])
process.exit(code)
