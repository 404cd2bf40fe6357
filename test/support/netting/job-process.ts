/**
 * A process that executes a job of the timetable until it is killed; its arguments are the database, the name of the
 * job, the time, and the data folder if the job uses files. It begins when it receives a line, so that its start does
 * not count as work.
 */
import { once } from 'node:events'
import { schedule } from '../../../src/jobs/schedule.ts'
import { makeLog } from '../../../src/platform/observability/log.ts'
import { makeDeps } from '../../../src/service/deps.ts'
import { testConfig } from '../config.ts'

const [, , url = '', name = '', now = '', dataDir = ''] = process.argv
const deps = makeDeps({
  config: testConfig({ dataDir }),
  url,
  log: makeLog('silent'),
  now: () => Number(now),
  mail: { send: async () => {} },
  maxConnections: 4,
})
const job = schedule(deps).find((each) => each.name === name)
if (!job) throw new Error(`there is no job ${name}`)
process.stdout.write('ready\n')
await once(process.stdin, 'data')
const signal = new AbortController().signal
await job.run(Number(now), { after: undefined, signal, partFailed: () => {} })
process.stdout.write('done\n')
process.exit(0)
