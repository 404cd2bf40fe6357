import { readFile } from 'node:fs/promises'
import { dayStart, HOUR_MS } from '../../../src/kernel/time.ts'

export interface RealPrice {
  /** The start of the hour, epoch milliseconds. */
  readonly ts: number
  /** TRY/MWh, as published. */
  readonly text: string
}

/** The 8,784 hours of 2024 of both markets (test/data/README.md), in order. */
export async function prices2024(): Promise<Readonly<Record<'ptf' | 'smf', RealPrice[]>>> {
  const prices: Record<'ptf' | 'smf', RealPrice[]> = { ptf: [], smf: [] }
  const lines = (await readFile('test/data/epias-2024.csv', 'utf8')).trim().split('\n').slice(1)
  for (const line of lines) {
    const [day = '', market, hours = ''] = line.split(',')
    for (const [hour, text] of hours.split(' ').entries())
      prices[market as 'ptf' | 'smf'].push({ ts: dayStart(day) + hour * HOUR_MS, text })
  }
  return prices
}
