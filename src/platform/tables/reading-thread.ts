import { once } from 'node:events'
import { type MessagePort, parentPort } from 'node:worker_threads'
import { packRows } from './packed-rows.ts'
import { portionsOf } from './read.ts'
import { TableFault } from './table.ts'
import type { ThreadRequest, ThreadResponse } from './thread.ts'

// The script of the reading thread: it reads one file at a time, as far as chunks are requested.

async function serve(port: MessagePort): Promise<never> {
  for (;;) {
    const [{ bytes, limits, sheetIndex }] = (await once(port, 'message')) as [ThreadRequest]
    port.postMessage(await answer(port, Buffer.from(bytes), { limits, sheetIndex }))
  }
}

/** Returns the last message about a file; the messages before it are chunks. */
async function answer(
  port: MessagePort,
  bytes: Buffer,
  sheet: Pick<ThreadRequest, 'limits' | 'sheetIndex'>,
): Promise<ThreadResponse> {
  try {
    for await (const rows of portionsOf(bytes, sheet, packRows)) {
      const isAskedFor = once(port, 'message')
      port.postMessage({ rows } satisfies ThreadResponse)
      await isAskedFor
    }
    return 'end'
  } catch (error) {
    if (error instanceof TableFault) return { fault: { kind: error.kind, content: error.content } }
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

if (parentPort) void serve(parentPort)
