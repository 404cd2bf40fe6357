import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Mounts a file system of its own in memory, in a new folder when no path is given; undefined without the right to
 * mount one.
 */
export function mountDisk(bytes: number, at?: string): string | undefined {
  const path = at ?? mkdtempSync(join(tmpdir(), 'netsaat-disk-'))
  mkdirSync(path, { recursive: true })
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes},mode=755`, 'netsaat-test', path], {
      stdio: 'ignore',
    })
  } catch {
    if (at === undefined) rmSync(path, { recursive: true })
    return undefined
  }
  return path
}

export const remount = (path: string, mode: 'ro' | 'rw') =>
  execFileSync('mount', ['-o', `remount,${mode}`, path], { stdio: 'ignore' })

/**
 * Makes a folder read-only for what is opened by its path from now on, until it is unmounted. Files that are open stay
 * writable, and so is what a process opens relative to a working folder that it had before.
 */
export function mountReadOnly(path: string): void {
  execFileSync('mount', ['--bind', path, path], { stdio: 'ignore' })
  execFileSync('mount', ['-o', 'remount,bind,ro', path], { stdio: 'ignore' })
}

export function unmount(path: string): void {
  execFileSync('umount', ['-l', path], { stdio: 'ignore' })
}

export const freeBytes = async (path: string): Promise<number> => {
  const { bavail, bsize } = await statfs(path)
  return bavail * bsize
}
