import { copyFile, type FileHandle, open, rename, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { EMBEDDED_LOG_BYTES_MAX, EMBEDDED_LOG_CHECK_MS } from './limits.ts'

export interface ServerLog {
  /** Given to the server as its stdout and stderr. */
  readonly fd: number
  /** The last lines, for an error message. */
  tail(): Promise<string>
  close(): Promise<void>
}

/**
 * The server writes straight into a file. A pipe into this process could fill up while the event loop is busy
 * and then stop the server; a file cannot, and it outlives a killed service. The file is opened for
 * appending, so cutting it at the limit is safe while the server goes on writing.
 */
export async function openServerLog(base: string): Promise<ServerLog> {
  const path = join(base, 'server.log')
  await rename(path, `${path}.1`).catch(() => undefined)
  const handle = await open(path, 'a', 0o600)
  const timer = setInterval(() => void cut(path).catch(() => undefined), EMBEDDED_LOG_CHECK_MS).unref()
  return {
    fd: handle.fd,
    tail: () => readTail(path),
    async close() {
      clearInterval(timer)
      await handle.close()
    },
  }
}

async function cut(path: string): Promise<void> {
  if ((await stat(path)).size <= EMBEDDED_LOG_BYTES_MAX) return
  await copyFile(path, `${path}.1`)
  await truncate(path, 0)
}

async function readTail(path: string): Promise<string> {
  let handle: FileHandle | undefined
  try {
    handle = await open(path, 'r')
    const { size } = await handle.stat()
    const length = Math.min(size, 4096)
    const { buffer } = await handle.read(Buffer.alloc(length), 0, length, size - length)
    return buffer.toString('utf8').trim().split('\n').slice(-12).join('\n')
  } catch {
    return ''
  } finally {
    await handle?.close()
  }
}
