import { once } from 'node:events'
import { type MessagePort, parentPort } from 'node:worker_threads'
import { TABLE_PORTION_ROWS } from '../../kernel/table-limits.ts'
import { packRows } from './portion.ts'
import { readHere } from './read.ts'
import { TableFault, type TableLimits, type TableRow } from './table.ts'
import type { ThreadAnswer, ThreadOrder } from './thread.ts'

// What runs in the reading thread: one file at a time, its rows handed out portion by portion as they are asked for.

async function serve(port: MessagePort): Promise<never> {
  for (;;) {
    const [{ bytes, limits }] = (await once(port, 'message')) as [ThreadOrder]
    await answer(port, Buffer.from(bytes), limits)
  }
}

async function answer(port: MessagePort, bytes: Buffer, limits: TableLimits): Promise<void> {
  const say = (text: ThreadAnswer): void => port.postMessage(text)
  let rows: TableRow[]
  try {
    rows = await readHere(bytes, limits)
  } catch (error) {
    if (error instanceof TableFault) return say({ fault: { kind: error.kind, message: error.message } })
    return say({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  }
  for (let start = 0; ; start += TABLE_PORTION_ROWS) {
    const isLast = start + TABLE_PORTION_ROWS >= rows.length
    say({ rows: packRows(rows.slice(start, start + TABLE_PORTION_ROWS)), isLast })
    if (isLast) return
    await once(port, 'message')
  }
}

if (parentPort) void serve(parentPort)
