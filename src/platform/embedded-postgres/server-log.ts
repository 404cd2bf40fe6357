import { copyFile, type FileHandle, open, rename, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { EMBEDDED_LOG_BYTES_MAX, EMBEDDED_LOG_CHECK_MS } from './limits.ts'

export interface ServerLog {
  /** The file descriptor that the server receives as stdout and stderr. */
  readonly fd: number
  /** The last lines, for an error message. */
  tail(): Promise<string>
  close(): Promise<void>
}

/**
 * Opens the log file, into which the server writes directly. A pipe into this process could fill up while
 * the event loop is busy and would then block the server; a file cannot, and it is kept when the service is
 * killed. The file is opened for appending, so that truncating it at the limit is safe while the server
 * writes.
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
