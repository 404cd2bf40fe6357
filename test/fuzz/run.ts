/** `npm run fuzz`: see README.md in this folder. */
import { readFile } from 'node:fs/promises'
import { OPENAPI_FILE } from '../../tools/openapi-document.ts'
import { type OpenApiDocument, operationsOf } from './document.ts'
import { type FuzzReport, fuzz } from './fuzz.ts'
import { readOptions, USAGE } from './options.ts'
import { type OwnService, startOwnService } from './own-service.ts'
import { findingText } from './report.ts'
import { type Deployment, prepareTarget } from './target.ts'

/** Only a request that hangs takes this long, also on a slow machine. */
const HANG_MS = 120_000
const print = (text: string): void => void process.stdout.write(`${text}\n`)

function deployed(baseUrl: string): Deployment {
  const { FUZZ_EMAIL: email, FUZZ_PASSWORD: password } = process.env
  if (!email || !password)
    throw new Error('BASE_URL needs FUZZ_EMAIL and FUZZ_PASSWORD of a superuser as well')
  return { baseUrl: baseUrl.replace(/\/$/, ''), email, password, logFaults: () => [] }
}

function printReport({ requests, findings, statuses, neverSucceeded }: FuzzReport): void {
  const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`)
  print(`\n${requests} requests; responses by status: ${counts.join(', ')}`)
  if (neverSucceeded.length > 0)
    print(`operations without a success (${neverSucceeded.length}):\n  ${neverSucceeded.join('\n  ')}`)
  for (const finding of findings) print(findingText(finding))
  print(findings.length === 0 ? 'no faults' : `\n${findings.length} faults`)
}

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2))
  if (!options) {
    print(USAGE)
    return 0
  }
  const document = JSON.parse(await readFile(OPENAPI_FILE, 'utf8')) as OpenApiDocument
  const baseUrl = process.env['BASE_URL']
  print(`seed ${options.seed} (repeat the run with --seed ${options.seed})`)
  let own: OwnService | undefined
  try {
    if (!baseUrl) own = await startOwnService()
    const deployment = own ?? deployed(baseUrl ?? '')
    const target = await prepareTarget(deployment)
    const report = await fuzz({
      operations: operationsOf(document),
      target,
      options,
      hangMs: HANG_MS,
      onProgress: (requests, findings) => print(`${requests} requests, ${findings} faults`),
    })
    const isAlive = await target.isAlive()
    if (!isAlive) print('the service is not alive after the run')
    printReport(report)
    const code = await own?.stop()
    own = undefined
    const lateFaults = deployment.logFaults()
    for (const line of lateFaults) print(`error in the log: ${line}`)
    if (code) print(`the service ended with ${code}`)
    return report.findings.length === 0 && lateFaults.length === 0 && isAlive && !code ? 0 : 1
  } finally {
    await own?.stop()
  }
}

process.exitCode = await main()
