import { parentPort, workerData } from 'node:worker_threads'
import { connect } from '../../../platform/db/pool.ts'
import { compressDay, type DayStep } from './compress-day.ts'
import type { DeviceDay } from './reopen-store.ts'

// The script of the thread that compresses large device-days, one at a time, over a connection of its own.

export type DayResponse = { readonly value: DayStep } | { readonly error: string }

const database = connect({ url: String(workerData), maxConnections: 1 })

parentPort?.on('message', (day: DeviceDay) => {
  void compressDay(database, day)
    .then((value): DayResponse => ({ value }))
    .catch((error: unknown): DayResponse => {
      return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) }
    })
    .then((response) => parentPort?.postMessage(response))
})
