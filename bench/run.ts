/**
 * Runs every benchmark, or those named on the command line, and prints each figure as a ratio within one run.
 * It only measures: the exit code is 0 even when an aim is not met. `--large` adds sizes that take minutes; `--quick`
 * measures the same figures in fewer rounds, often a single one, and in smaller sizes where the ratio does not depend
 * on the size; its ratios vary more. All databases of a run are on one server.
 */
import { cpus, loadavg, release, totalmem } from 'node:os'
import { parseArgs } from 'node:util'
import { fastPathBench } from '../src/field/mqtt/fast-path/fast-path.bench.ts'
import { signInBench } from './access/sign-in.ts'
import { alarmsBench } from './alarms/alarms.ts'
import { alarmsLiveBench } from './alarms/alarms-live.ts'
import { consoleBench } from './console/console.ts'
import { devicesListBench } from './equipment/devices-list.ts'
import { modbusBench } from './field/modbus.ts'
import { mqttBench } from './field/mqtt.ts'
import { ocppBench } from './field/ocpp.ts'
import { exportBench } from './insight/export.ts'
import { widgetsBench } from './insight/widgets.ts'
import { aggregatedBench } from './metering/aggregated.ts'
import { compressionBench } from './metering/compression.ts'
import { directoryBench } from './metering/directory.ts'
import { historyBench } from './metering/history.ts'
import { ingestBench } from './metering/ingest.ts'
import { ingestProcessesBench } from './metering/ingest-processes.ts'
import { liveBench } from './metering/live.ts'
import { manyDevicesBench } from './metering/many-devices.ts'
import { storesBench } from './metering/stores.ts'
import { calculateBench } from './netting/calculate.ts'
import { largeEngineBench } from './netting/large-engine.ts'
import { largeGroupBench } from './netting/large-group.ts'
import { marketImportBench } from './netting/market-import.ts'
import { nettingCostBench } from './netting/netting-cost.ts'
import { ososImportBench } from './netting/osos-import.ts'
import { sizingBench } from './netting/sizing.ts'
import { sizingApiBench } from './netting/sizing-api.ts'
import { tariffImportBench } from './netting/tariff-import.ts'
import { processesBench } from './platform/processes.ts'
import { scaleBench } from './platform/scale.ts'
import { startUpBench } from './service/start-up.ts'
import { closeDatabases } from './support/database.ts'
import { type Bench, type BenchOptions, type Figure, isMet } from './support/types.ts'

const BENCHES: readonly Bench[] = [
  ingestBench,
  ingestProcessesBench,
  aggregatedBench,
  calculateBench,
  nettingCostBench,
  largeGroupBench,
  largeEngineBench,
  sizingBench,
  sizingApiBench,
  modbusBench,
  mqttBench,
  fastPathBench,
  ocppBench,
  storesBench,
  manyDevicesBench,
  directoryBench,
  historyBench,
  compressionBench,
  devicesListBench,
  exportBench,
  tariffImportBench,
  marketImportBench,
  ososImportBench,
  liveBench,
  widgetsBench,
  alarmsBench,
  alarmsLiveBench,
  signInBench,
  startUpBench,
  consoleBench,
  processesBench,
  scaleBench,
]

const HEAD = ['figure', 'measured', 'reference', 'ratio', 'aim', 'met']

const metWord = (figure: Figure): string => {
  const met = isMet(figure)
  if (met === undefined) return ''
  return met ? 'yes' : 'no'
}
const cells = (figure: Figure): string[] => [
  figure.name,
  figure.measured,
  figure.against,
  figure.ratio === undefined ? '' : figure.ratio.toFixed(2),
  figure.aim,
  metWord(figure),
]

function print(figures: readonly Figure[]): void {
  const table = [HEAD, ...figures.map(cells)]
  const widths = HEAD.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)))
  for (const row of table) {
    const line = row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')
    process.stdout.write(`${line.trimEnd()}\n`)
  }
}

/** Reports a benchmark that fails in one line, and the others still run. */
async function runOne({ name, run }: Bench, options: BenchOptions): Promise<readonly Figure[]> {
  process.stderr.write(`${name} ...\n`)
  const startedAt = performance.now()
  try {
    const figures = await run(options)
    process.stderr.write(`${name}: ${((performance.now() - startedAt) / 1000).toFixed(0)} s\n`)
    return figures
  } catch (error) {
    process.stderr.write(`${name} failed: ${(error as Error).stack}\n`)
    return [{ name, measured: 'failed', against: '', ratio: undefined, aim: '' }]
  }
}

const machine = `${cpus().length} x ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, ${release()}, Node ${process.version}`
const { values: options, positionals: named } = parseArgs({
  options: { large: { type: 'boolean', default: false }, quick: { type: 'boolean', default: false } },
  allowPositionals: true,
})
if (options.large && options.quick) {
  process.stderr.write('--large and --quick exclude each other.\n')
  process.exit(2)
}
const unknown = named.filter((name) => BENCHES.every((bench) => bench.name !== name))
if (unknown.length > 0) {
  const names = BENCHES.map(({ name }) => name).join(', ')
  process.stderr.write(`There is no benchmark ${unknown.join(', ')}; there are ${names}.\n`)
}
const chosen = named.length === 0 ? BENCHES : BENCHES.filter(({ name }) => named.includes(name))
const database = process.env['DATABASE_URL'] ? 'DATABASE_URL' : 'embedded PostgreSQL'
const effort = options.quick ? '; quick: fewer rounds, smaller sizes' : ''
process.stdout.write(`${machine}; ${database}; load before: ${loadavg()[0]?.toFixed(1)}${effort}\n`)
const figures: Figure[] = []
for (const bench of chosen) figures.push(...(await runOne(bench, { isLarge: options.large })))
print(figures)
await closeDatabases()
process.exit(0)
