import { Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { flushed } from './output.ts'

describe('the end of the output', () => {
  it('is awaited until a slow reader has taken all lines', async () => {
    const taken: string[] = []
    const slow = new Writable({
      highWaterMark: 1,
      write(chunk: Buffer, _encoding, done) {
        setImmediate(() => {
          taken.push(String(chunk))
          done()
        })
      },
    })
    for (let line = 0; line < 100; line++) slow.write(`${line}\n`)
    expect(taken).toEqual([])
    await flushed(slow)
    expect(taken.join('').trimEnd().split('\n')).toHaveLength(100)
  })

  it('is not awaited after the reader has gone', async () => {
    const broken = new Writable({
      write: (_chunk, _encoding, done) => setImmediate(() => done(new Error('EPIPE'))),
    })
    broken.write('a line\n')
    await flushed(broken)
    expect(broken.destroyed).toBe(true)
  })

  it('is not awaited for ever when the reader takes nothing', async () => {
    const stalled = new Writable({ write: () => {} })
    stalled.write('a line\n')
    await flushed(stalled, 10)
    expect(stalled.writableNeedDrain || stalled.writableLength > 0).toBe(true)
  })
})
