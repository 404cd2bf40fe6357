/** Runs every benchmark, or those named on the command line, and prints each figure as a ratio within one run. */
import { cpus, release, totalmem } from 'node:os'
import { aggregatedBench } from './aggregated.ts'
import { ingestBench } from './ingest.ts'
import type { Bench, Figure } from './support/types.ts'

const BENCHES: readonly Bench[] = [ingestBench, aggregatedBench]

const HEAD = ['figure', 'measured', 'against', 'ratio', 'aim']
const cells = ({ name, measured, against, ratio, aim }: Figure): string[] => [
  name,
  measured,
  against,
  ratio === undefined ? '' : ratio.toFixed(2),
  aim,
]

function print(figures: readonly Figure[]): void {
  const table = [HEAD, ...figures.map(cells)]
  const widths = HEAD.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)))
  for (const row of table) {
    process.stdout.write(`${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}\n`)
  }
}

const machine = `${cpus().length} x ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, ${release()}, Node ${process.version}`
const named = process.argv.slice(2)
const chosen = named.length === 0 ? BENCHES : BENCHES.filter(({ name }) => named.includes(name))
process.stdout.write(`${machine}; ${process.env['DATABASE_URL'] ? 'DATABASE_URL' : 'embedded PostgreSQL'}\n`)
const figures: Figure[] = []
for (const bench of chosen) figures.push(...(await bench.run()))
print(figures)
