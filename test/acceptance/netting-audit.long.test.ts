/** The audit package of a month, and its replay by the command of this checkout, as an auditor runs it. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import yauzl from 'yauzl'
import yazl from 'yazl'
import { baseUrl, call, tokenOf } from './client.ts'
import { calculate, declare, groupPath, importPair, MONTH } from './netting-fixture.ts'

const PROGRAM = fileURLToPath(new URL('../../bin/netsaat.js', import.meta.url))
let folder: string
let keyFile: string
let files: Map<string, Buffer>

async function unpack(bytes: Buffer): Promise<Map<string, Buffer>> {
  const unpacked = new Map<string, Buffer>()
  const zip = await yauzl.fromBufferPromise(bytes, { autoClose: false })
  for await (const entry of zip.eachEntry())
    unpacked.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)))
  return unpacked
}

function pack(entries: ReadonlyMap<string, Buffer>): Promise<Buffer> {
  const zip = new yazl.ZipFile()
  for (const [name, bytes] of entries) zip.addBuffer(bytes, name)
  zip.end()
  return buffer(zip.outputStream)
}

/** The exit code and the output of the replay of the package after a change of its files. */
async function replay(change: (changed: Map<string, Buffer>) => void) {
  const changed = new Map(files)
  change(changed)
  const file = join(folder, 'package.zip')
  await writeFile(file, await pack(changed))
  return new Promise<{ code: number | string; text: string }>((resolve) => {
    const args = [PROGRAM, 'audit', 'replay', file, '--public-key', keyFile]
    execFile(process.execPath, args, (error, out, err) =>
      resolve({ code: error ? (error.code ?? 'killed') : 0, text: out + err }),
    )
  })
}

/** Replaces a text of the manifest by another one, which must be different. */
const inManifest = (pattern: RegExp, value: string) => (changed: Map<string, Buffer>) => {
  const manifest = String(changed.get('manifest.json'))
  expect(manifest).toMatch(pattern)
  changed.set('manifest.json', Buffer.from(manifest.replace(pattern, value)))
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'netsaat-audit-'))
  keyFile = join(folder, 'key.pem')
  const pair = await importPair()
  await declare({ facility: pair.producer, role: 'main_production', values: [10, 11] })
  await declare({ facility: pair.consumer, role: 'main_consumption', values: [4, 5] })
  await calculate(pair)
  const response = await fetch(`${baseUrl()}${groupPath(pair)}/audit-package?billing_period=${MONTH}`, {
    headers: { authorization: `Bearer ${tokenOf('viewer')}` },
  })
  expect(response.status).toBe(200)
  files = await unpack(Buffer.from(await response.arrayBuffer()))
  await writeFile(keyFile, (await call('viewer', 'GET', '/api/mahsuplasma/audit-key')).body.public_key)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it('a package of the service is identical to its replay and signed by the key of the service', async () => {
  const { code, text } = await replay(() => {})
  expect([code, text]).toEqual([0, expect.stringMatching(/^identical: [\s\S]*signed by key/)])
})

it.each<[string, (changed: Map<string, Buffer>) => void, RegExp]>([
  ['a changed name', inManifest(/"name": ?"[^"]*"/, '"name":"another"'), /field +signature/],
  [
    'a changed time',
    inManifest(/"started_at": ?"[^"]*"/, '"started_at":"2020-01-01T00:00:00.000Z"'),
    /field +signature/,
  ],
  ['a missing file', (changed) => void changed.delete('summary.json'), /summary\.json/],
  ['a missing signature', (changed) => void changed.delete('manifest.sig'), /manifest\.sig/],
  [
    'an additional file',
    (changed) => void changed.set('note.txt', Buffer.from('the bill is right')),
    /note\.txt\n[\s\S]*not listed in the manifest/,
  ],
])('the replay reports %s', async (_what, change, report) => {
  const { code, text } = await replay(change)
  expect(text).toMatch(report)
  expect(code).toBe(1)
})
