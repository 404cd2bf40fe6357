import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { fileURLToPath } from 'node:url'

/** A position in a file of a stack trace: its URL, line and column. */
const POSITION = /(file:\/\/[^\s()]+\.js):(\d+):(\d+)/g

/** By the URL of the file; undefined where a file has none. There is one entry for each file of the program. */
const maps = new Map<string, SourceMap | undefined>()

function mapOf(file: string): SourceMap | undefined {
  if (!maps.has(file)) maps.set(file, readMap(`${file}.map`))
  return maps.get(file)
}

function readMap(url: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(fileURLToPath(url), 'utf8')))
  } catch {
    return undefined
  }
}

/**
 * Returns a stack trace whose positions are those of the sources instead of the built program's. The maps are read with
 * the first trace that needs them: Node's own mapping reads those of all files at every start.
 */
export const sourceStack = (stack: string): string =>
  stack.replace(POSITION, (position, file: string, line: string, column: string) => {
    const origin = mapOf(file)?.findOrigin(Number(line), Number(column))
    if (!origin || !('fileName' in origin)) return position
    return `${new URL(origin.fileName, file)}:${origin.lineNumber}:${origin.columnNumber}`
  })
