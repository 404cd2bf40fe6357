import { runUntilStopped } from '../service/run.ts'
import { type Service, type StartOptions, startService } from '../service/start.ts'
import type { Client } from './client.ts'
import { curlLines } from './curl.ts'
import { runMeters } from './live.ts'
import { loadedUntil, loadHistory, type Records, readRecords } from './load.ts'
import { type OpenSite, openSite } from './open-site.ts'
import { showProgress } from './progress.ts'
import { METHOD, readReport, reportLines } from './report.ts'
import { metersOf } from './series.ts'
import { verifyMonth } from './verify.ts'

export interface DemoOptions extends StartOptions {
  /** Compute the last full month independently and compare. */
  readonly verifies: boolean
  /** End after the tables instead of running on. */
  readonly exits: boolean
  /** How many months to load at the first start; at least 2. */
  readonly months?: number | undefined
}

/**
 * Starts the service, loads the demo site once, prints how to reach it, and runs on with simulated meters.
 * Resolves with the exit code; rejects when the verification finds a difference.
 */
export async function runDemo(options: DemoOptions): Promise<number> {
  const stopping = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort())
  const start = () => startAndShow(options, stopping.signal)
  if (!options.exits) return runUntilStopped(start, options.log)
  const service = await start()
  await service.stop()
  return stopping.signal.aborted ? 1 : 0
}

/** Starts the service and loads the demo; a stop during the load aborts only the load. */
async function startAndShow(options: DemoOptions, signal: AbortSignal): Promise<Service> {
  const service = await startService({ ...options, createsFirstAdmin: false })
  try {
    await perform(options, service, signal)
  } catch (error) {
    if (!signal.aborted) {
      await service.stop()
      throw error
    }
  }
  return service
}

/**
 * Loads missing data, prints the tables and verifies them if requested; the meters run on in the
 * background.
 */
async function perform(options: DemoOptions, service: Service, signal: AbortSignal): Promise<void> {
  const { url, deps } = service
  const { print } = options
  const opened = await openSite(service, options.months)
  const { client, world, tenantId } = opened
  const records = await readRecords(client, world.site)
  const meters = metersOf(world).filter(({ name }) => records.deviceIds.has(name))
  const progress = showProgress(process.stdout, print)
  const present = { calendar: world.calendar, records, now: deps.clock.now() }
  const from = await loadedUntil(client, present)
  await loadHistory({ deps, tenantId, records, meters, progress, signal }, from)
  for (const line of await showMonth(opened, records)) print(line)
  if (!options.exits) for (const line of await exampleLines(opened, records, url)) print(line)
  if (options.verifies) await verify(options, opened, url)
  if (options.exits) return
  void runMeters({ deps, tenantId, meters, deviceIds: records.deviceIds }, signal)
  print('The meters go on sending every few seconds. Ctrl-C stops.')
}

/** Returns the last full month of both groups as tables. */
async function showMonth({ client, world }: OpenSite, records: Records): Promise<string[]> {
  const lines: string[] = []
  for (const group of world.site.groups) {
    const groupId = records.groupIds.get(group.name)
    if (!groupId) continue
    const query = { groupId, month: world.calendar.lastFullMonth }
    lines.push('', ...reportLines(await readReport(client, group, query)))
  }
  return [...lines, '', METHOD, '']
}

/** Returns lines with the URL of the running service and example requests. */
async function exampleLines(
  { client, world, login }: OpenSite,
  records: Records,
  url: string,
): Promise<string[]> {
  const month = world.calendar.lastFullMonth
  const input = { url, login, month, ...(await findExampleIds(client, world, records)) }
  return [
    `Netsaat demo is ready at ${url}`,
    `  API         ${url}/docs`,
    `  log in as   ${login.email}`,
    `  password    ${login.password}`,
    '',
    'Example requests for a shell:',
    '',
    ...curlLines(input),
    '',
  ]
}

async function findExampleIds(client: Client, { site, calendar }: OpenSite['world'], records: Records) {
  const year = calendar.lastFullMonth.slice(0, 4)
  const [account] = await client.list(`mahsuplasma/limits/accounts?year=${year}`)
  const meter = site.groups[0]?.facilities.find((facility) => facility.load)?.meters[0]?.name ?? ''
  return {
    groupId: records.groupIds.get(site.groups[0]?.name ?? '') ?? '',
    deviceId: records.deviceIds.get(meter) ?? '',
    accountId: String(account?.['id']),
  }
}

async function verify({ print }: DemoOptions, { client, world }: OpenSite, url: string): Promise<void> {
  const { months, lastFullMonth: month } = world.calendar
  const verdict = await verifyMonth({ url, token: client.token, firstMonth: months[0] ?? month, month })
  if (verdict.difference !== null)
    throw new Error(`verification of ${month.slice(0, 7)}: ${verdict.difference}`)
  const { hours, amounts } = verdict
  print(
    `Verified ${month.slice(0, 7)}: ${hours} hours and ${amounts} amounts of both groups, computed twice: identical`,
  )
}
