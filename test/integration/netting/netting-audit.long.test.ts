import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makePackageSigner } from '../../../src/areas/netting/audit/signature.ts'
import { runCli } from '../../../src/cli/cli.ts'
import { HOUR_MS } from '../../../src/kernel/time.ts'
import { readZip, writeZip } from '../../../src/platform/files/zip.ts'
import type { Json } from '../../support/json.ts'
import { base, calculate, MONTH, makePair, openSite, type Site } from '../../support/netting/calculation.ts'
import { addFacts, hourlyFacts } from '../../support/netting/energy.ts'
import { makeGroup, type TestGroup } from '../../support/netting/netting.ts'

let site: Site
let folder: string
let group: TestGroup
let good: Buffer

const LIMITS = { entriesMax: 100, bytesMax: 100_000_000 }

const download = (id: string, token: string): Promise<Response> =>
  fetch(`${site.api.url}${base({ id })}/audit-package?billing_period=2026-11`, {
    headers: { authorization: `Bearer ${token}` },
  })
const packageOf = async (id: string): Promise<Buffer> => {
  const response = await download(id, site.tenant.viewer.token)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip'])
  return Buffer.from(await response.arrayBuffer())
}

async function replay(bytes: Buffer, publicKey?: string) {
  const file = join(folder, 'package.zip')
  await writeFile(file, bytes)
  const keyFile = join(folder, 'key.pem')
  if (publicKey !== undefined) await writeFile(keyFile, publicKey)
  const options = publicKey === undefined ? [] : ['--public-key', keyFile]
  const lines: string[] = []
  const io = {
    out: (line: string) => void lines.push(line),
    err: (line: string) => void lines.push(line),
    readInput: async () => '',
    now: () => 0,
  }
  const code = await runCli(['audit', 'replay', file, ...options], {}, io)
  return { code, text: lines.join('\n'), lines }
}

/** A package that the replay rejects with the message. */
type Rejected = [what: string, make: () => Promise<Buffer>, message: string]

/** The package with changed files; the signature stays that of the unchanged manifest. */
async function repack(change: (files: Map<string, Buffer>) => void): Promise<Buffer> {
  const files = await readZip(good, LIMITS)
  change(files)
  const entries = [...files].map(([name, bytes]) => ({ name, bytes }))
  return buffer(writeZip(entries, new Date(0)))
}

const auditKey = async (): Promise<Json> =>
  (await site.api.call('GET', '/api/mahsuplasma/audit-key', { token: site.tenant.viewer.token })).body

/** The package as a service with another SECRET_KEY would have signed it. */
const signAgain = (change: (manifest: Json) => void) =>
  repack((files) => {
    const other = makePackageSigner('the secret key of another installation')
    const manifest = JSON.parse(String(files.get('manifest.json')))
    change(manifest)
    files.set('public-key.pem', Buffer.from(other.publicKeyPem))
    manifest.files['public-key.pem'] = createHash('sha256').update(other.publicKeyPem).digest('hex')
    const bytes = Buffer.from(JSON.stringify(manifest))
    files.set('manifest.json', bytes)
    files.set('manifest.sig', other.sign(bytes))
  })

/** The package with one changed file, and with digests that match unless the case needs wrong ones. */
async function tamper(name: RegExp, change: (json: Json) => void, { fitting = true } = {}): Promise<Buffer> {
  const files = await readZip(good, LIMITS)
  const manifest = JSON.parse(String(files.get('manifest.json')))
  for (const [file, bytes] of files) {
    if (!name.test(file)) continue
    const json = file === 'manifest.json' ? manifest : JSON.parse(String(bytes))
    change(json)
    const changed = Buffer.from(JSON.stringify(json))
    files.set(file, changed)
    if (fitting && file in manifest.files) {
      manifest.files[file] = createHash('sha256').update(changed).digest('hex')
    }
    break
  }
  files.set('manifest.json', Buffer.from(JSON.stringify(manifest)))
  const entries = [...files].map(([file, bytes]) => ({ name: file, bytes }))
  return buffer(writeZip(entries, new Date(0)))
}

beforeAll(async () => {
  site = await openSite()
  folder = await mkdtemp(join(tmpdir(), 'netsaat-audit-'))
  const created = await makePair('300.000', 96, (hour) => [
    (hour % 24 < 8 ? 0 : 20 + hour / 7).toFixed(3),
    (5 + (hour % 5)).toFixed(3),
  ])
  group = created.group
  // The month has two runs.
  expect((await calculate(group, 0, 48)).status).toBe(201)
  expect((await calculate(group, 48, 96)).status).toBe(201)
  good = await packageOf(group.id)
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await site.api.close()
})

describe('an audit package', () => {
  it('contains every input and result of the current runs and the description of its format', async () => {
    const files = await readZip(good, LIMITS)
    const manifest = JSON.parse(String(files.get('manifest.json')))
    expect(manifest).toMatchObject({
      group: { id: group.id },
      billing_period: '2026-11-01',
      engine_version: '3',
      created_at: '2026-11-20T09:30:00.000Z',
    })
    expect(manifest.runs).toHaveLength(2)
    const [first] = manifest.runs
    expect([...files.keys()].sort()).toEqual(
      ['README.txt', 'manifest.json', 'manifest.sig', 'public-key.pem', 'summary.json', 'eligibility.json']
        .concat(manifest.runs.flatMap(({ id }: Json) => [`run-${id}/input.json`, `run-${id}/result.json`]))
        .sort(),
    )
    const input = JSON.parse(String(files.get(`run-${first.id}/input.json`)))
    expect(input.facts).toHaveLength(96)
    expect(input.accounts).toEqual([expect.objectContaining({ opening_balance_kwh: '300.000' })])
    expect(input.facts[0].hour).toMatch(/^2026-1.*Z$/)
    const result = JSON.parse(String(files.get(`run-${first.id}/result.json`)))
    expect(result.hours).toHaveLength(48)
    expect(String(files.get('README.txt'))).toMatch(/DENETİM PAKETİ[\s\S]*netsaat audit replay/)
  })

  it('is replayed offline with identical rows', async () => {
    const { code, text } = await replay(good)
    expect(text).toContain('identical: group')
    expect(text).toContain('2 runs from 192 facts: 96 hours')
    expect(code).toBe(0)
  })

  it('contains the input of the run even after later corrections of facts and limits', async () => {
    const { group: late, producer, account } = await makePair('50.000', 24, () => ['9.000', '4.000'])
    await calculate(late, 0, 24)
    const before = await packageOf(late.id)
    await addFacts(site.api.deps, site.tenant, [
      { facilityId: producer.id, hour: MONTH, role: 'main_production', production: '77.000' },
    ])
    await site.api.call('POST', `/api/mahsuplasma/limits/accounts/${account}/adjust`, {
      token: site.tenant.admin.token,
      body: { amount_kwh: '-10.000', reason: 'a test' },
    })
    const after = await packageOf(late.id)
    const runOf = async (bytes: Buffer) =>
      [...(await readZip(bytes, LIMITS))].filter(([name]) => name.startsWith('run-'))
    expect(await runOf(after)).toEqual(await runOf(before))
    expect((await replay(after)).code).toBe(0)
    const corrected = await site.api.call('POST', `${base(late)}/corrections`, {
      token: site.tenant.admin.token,
      body: { billing_period: '2026-11', reason: 'a late fact' },
    })
    expect(corrected.status).toBe(201)
    const third = await packageOf(late.id)
    expect(String((await runOf(third))[0]?.[1])).toContain('"production_kwh":"77.000"')
    expect((await replay(third)).text).toContain('identical')
  })

  it('verifies monthly-netted homes and blocked groups, also without prices', async () => {
    const range = { from: MONTH, to: MONTH + 40 * HOUR_MS }
    for (const status of ['valid', 'blocked'] as const) {
      const homes = await makeGroup(site.api.deps, site.tenant, {
        members: [
          { role: 'mixed', aboneGrubu: 'mesken', hasStorage: true },
          { role: 'consumption', aboneGrubu: 'mesken' },
        ],
      })
      await site.api.deps.database.pool.query(
        'update netting_group set eligibility_status = $2 where id = $1',
        [homes.id, status],
      )
      const [mixed, home] = homes.facilities
      await addFacts(site.api.deps, site.tenant, [
        ...hourlyFacts(range, { facilityId: mixed?.id ?? '', role: 'main_production' }, (hour) => ({
          production: `${hour}.125`,
          quality: hour === 7 ? 'estimated_profiled' : 'complete',
        })),
        ...hourlyFacts(range, { facilityId: mixed?.id ?? '', role: 'pcc_import_export' }, (hour) =>
          hour % 3 === 0 ? undefined : { import: '2.000', export: '1.500' },
        ),
        ...hourlyFacts(range, { facilityId: home?.id ?? '', role: 'main_consumption' }, () => ({
          consumption: '3.333',
        })),
      ])
      expect((await calculate(homes, 0, 40)).status).toBe(201)
      const { text, code } = await replay(await packageOf(homes.id))
      expect([text.split(':')[0], code]).toEqual(['identical', 0])
    }
  })

  it('is built from inputs that the service role cannot change', async () => {
    for (const statement of ["update calculation_input set input = ''", 'delete from calculation_input']) {
      await expect(site.api.deps.database.pool.query(statement)).rejects.toThrow('permission denied')
    }
  })

  it('is answered with 404 for another tenant and 422 when nothing is calculated', async () => {
    expect((await download(group.id, site.foreignTenant.viewer.token)).status).toBe(404)
    const empty = await makeGroup(site.api.deps, site.tenant, { members: [] })
    expect((await download(empty.id, site.tenant.viewer.token)).status).toBe(422)
  })
})

describe('audit replay', () => {
  it.each([
    [
      'a changed file',
      () => tamper(/input/, (json) => json.facts.pop(), { fitting: false }),
      /different[\s\S]*input\.json[\s\S]*sha-256/,
    ],
    [
      'a changed fact with a recomputed digest',
      () =>
        tamper(/input/, (json) => {
          json.facts.find((fact: Json) => fact.consumption_kwh !== null).consumption_kwh = '6.001'
        }),
      /different[\s\S]*manifest\.json[\s\S]*input_hash/,
    ],
    [
      'a changed amount',
      () =>
        tamper(/result/, (json) => {
          json.amounts[0].amount_try = '999.000000'
        }),
      /result\.json[\s\S]*amounts: hour[\s\S]*field +amount_try[\s\S]*stored +999\.000000\n +computed +\d/,
    ],
    [
      'a missing row',
      () => tamper(/result/, (json) => json.hours.splice(5, 1)),
      /hours: hour 2026-11-01T02[\s\S]*stored +no such row/,
    ],
    [
      'an added ledger movement',
      () =>
        tamper(/result/, (json) =>
          json.movements.push({
            account_id: 'x',
            movement_type: 'mahsuplasan_consumption',
            amount_kwh: '-1.000',
          }),
        ),
      /movements: account_id x[\s\S]*computed +no such row/,
    ],
    [
      'a changed month',
      () =>
        tamper(/summary/, (json) => {
          json.kwh.matched_kwh = '1.000'
        }),
      /summary\.json[\s\S]*matched_kwh[\s\S]*stored +1\.000/,
    ],
    [
      'a changed name',
      () => tamper(/manifest\.json/, (json) => (json.group.name = 'another group')),
      /manifest\.json\n +field +signature\n[\s\S]*the manifest was changed/,
    ],
    [
      'a changed name of a facility with a recomputed digest',
      () => tamper(/input/, (json) => (json.members[0].facility_name = 'another roof')),
      /field +signature/,
    ],
    [
      'a changed time',
      () => tamper(/manifest\.json/, (json) => (json.runs[0].started_at = '2026-11-02T00:00:00.000Z')),
      /field +signature/,
    ],
    [
      'another group in the manifest',
      () => tamper(/manifest\.json/, (json) => (json.group.id = json.runs[0].id)),
      /manifest\.json[\s\S]*field +group\n/,
    ],
    [
      'another end of a run in the manifest',
      () => tamper(/manifest\.json/, (json) => (json.runs[0].to_hour = '2026-11-02T00:00:00.000Z')),
      /manifest\.json[\s\S]*field +to_hour\n/,
    ],
    [
      'a changed time of the package',
      () => tamper(/manifest\.json/, (json) => (json.created_at = '2026-10-02T00:00:00.000Z')),
      /field +signature/,
    ],
    [
      'an additional file',
      () => repack((files) => void files.set('note.txt', Buffer.from('the bill is right'))),
      /file +note\.txt\n[\s\S]*not listed in the manifest/,
    ],
    [
      'a changed README',
      () => repack((files) => void files.set('README.txt', Buffer.from('hello'))),
      /file +README\.txt\n +field +sha-256/,
    ],
    [
      'a signature of other bytes',
      () => repack((files) => void files.set('manifest.sig', Buffer.alloc(64))),
      /field +signature/,
    ],
  ])('reports %s', async (_what, make, report) => {
    const { code, text } = await replay(await make())
    expect(text).toMatch(report)
    expect(code).toBe(1)
  })

  it.each<Rejected>([
    [
      'a different engine version',
      () => tamper(/manifest\.json/, (json) => (json.engine_version = '99')),
      'engine "99"',
    ],
    [
      'a run of a different engine version',
      () => tamper(/manifest\.json/, (json) => (json.runs[0].engine_version = '99')),
      'engine "99"',
    ],
    [
      'a different format version',
      () => tamper(/manifest\.json/, (json) => (json.format_version = 99)),
      'format 99',
    ],
    ['a truncated file', async () => good.subarray(0, good.length - 100), 'not a whole ZIP'],
    ['a file cut in half', async () => good.subarray(0, good.length / 2), 'not a whole ZIP'],
    ['a file that is no ZIP', async () => Buffer.from('hello'), 'not a whole ZIP'],
    ['an empty file', async () => Buffer.alloc(0), 'not a whole ZIP'],
    ['a ZIP with unrelated content', () => zipOf([['a.txt', 'a']]), 'has no manifest.json'],
    ['a manifest that is no JSON', () => zipOf([['manifest.json', '{']]), 'manifest.json is not JSON'],
    ['a manifest with another schema', () => zipOf([['manifest.json', '{}']]), 'not as expected'],
    [
      'too many entries',
      () => zipOf(Array.from({ length: 6000 }, (_, index) => [`${index}`, ''] as const)),
      'more than 5000 entries',
    ],
    ['an entry with a path outside of the archive', climbingZip, 'not a whole ZIP'],
    ['an entry that declares a false size', async () => lyingZip(), 'not a whole ZIP'],
    [
      'an input that the engine rejects',
      () => tamper(/input/, (json) => (json.window.to = json.window.from)),
      'cannot be computed',
    ],
    ...without('README.txt'),
    ...without('manifest.sig'),
    ...without('public-key.pem'),
    ...without('summary.json'),
    [
      'a package without a file and its digest',
      () =>
        tamper(/manifest\.json/, (json) => {
          delete json.files['README.txt']
        }),
      'has no digest of README.txt',
    ],
    [
      'a key that is none',
      () => repack((files) => void files.set('public-key.pem', Buffer.from('hello'))),
      'no Ed25519 public key',
    ],
    ['an input without facts', () => tamper(/input/, (json) => delete json.facts), 'not as expected'],
  ])('rejects %s with a message of one line', async (_what, make, message) => {
    const { code, lines } = await replay(await make())
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain(message)
    expect(code).toBe(1)
  })

  it('reports an error for arbitrary bytes and never crashes', async () => {
    const edits = fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { minLength: 1, maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(edits, async (changes) => {
        const bytes = Buffer.from(good)
        for (const [index, byte] of changes) bytes[index] = byte
        const { code, lines } = await replay(bytes)
        expect(lines[0]).toMatch(/^(netsaat: |identical: |different: )/)
        expect(code).toBe(lines[0]?.startsWith('identical') ? 0 : 1)
      }),
      { numRuns: 60 },
    )
  })

  it('accepts only the signature of the given public key', async () => {
    const { public_key, key_id, algorithm } = await auditKey()
    expect(algorithm).toBe('ed25519')
    const own = await replay(good, public_key)
    expect([own.code, own.text]).toEqual([0, expect.stringContaining(`signed by key ${key_id}`)])
    expect(own.text).not.toContain('compare it')
    expect((await replay(good)).text).toContain('compare it with the key of the service')
    const forged = await signAgain((manifest) => {
      manifest.group.name = 'another group'
    })
    expect((await replay(forged)).code).toBe(1) // The manifest names the key of the service.
    const renamed = await signAgain((manifest) => {
      manifest.group.name = 'another group'
      manifest.signed_by.key_id = makePackageSigner('the secret key of another installation').keyId
    })
    expect((await replay(renamed)).code).toBe(0)
    const refused = await replay(renamed, public_key)
    expect([refused.code, refused.text]).toEqual([1, expect.stringContaining('another service')])
    expect((await replay(good, 'hello')).text).toContain('the key is no Ed25519 public key')
  })

  it('verifies what OpenSSL verifies', async () => {
    const files = await readZip(good, LIMITS)
    for (const name of ['manifest.json', 'manifest.sig']) {
      await writeFile(join(folder, name), files.get(name) ?? '')
    }
    await writeFile(join(folder, 'key.pem'), (await auditKey()).public_key)
    const verify = ['-verify', '-pubin', '-inkey', 'key.pem', '-rawin', '-in', 'manifest.json']
    const { status, stdout, error } = spawnSync(
      'openssl',
      ['pkeyutl', ...verify, '-sigfile', 'manifest.sig'],
      {
        cwd: folder,
        encoding: 'utf8',
      },
    )
    if (error) return console.warn('openssl is not installed: its verification is not tested')
    expect([status, stdout.trim()]).toEqual([0, 'Signature Verified Successfully'])
  })

  it('reports a file that does not exist', async () => {
    const errors: string[] = []
    const io = {
      out: () => {},
      err: (line: string) => void errors.push(line),
      readInput: async () => '',
      now: () => 0,
    }
    expect(await runCli(['audit', 'replay', join(folder, 'none.zip')], {}, io)).toBe(1)
    expect(errors).toEqual([expect.stringContaining('cannot be read')])
  })
})

function without(name: string): Rejected[] {
  return [[`a package without ${name}`, () => repack((files) => void files.delete(name)), `has no ${name}`]]
}

const zipOf = (files: readonly (readonly [string, string])[]): Promise<Buffer> =>
  buffer(
    writeZip(
      files.map(([name, text]) => ({ name, bytes: Buffer.from(text) })),
      new Date(0),
    ),
  )

/** The replaced name has the same length. */
async function climbingZip(): Promise<Buffer> {
  const bytes = await zipOf([['aa/b', 'x']])
  return Buffer.from(bytes.toString('latin1').replaceAll('aa/b', '../b'), 'latin1')
}

/** The header declares 10 bytes for the only entry; it unpacks to 50 million. */
async function lyingZip(): Promise<Buffer> {
  const packed = deflateRawSync(Buffer.alloc(50_000_000))
  const name = Buffer.from('manifest.json')
  const local = Buffer.alloc(30)
  local.writeUInt32LE(0x04034b50, 0)
  local.writeUInt16LE(8, 8)
  local.writeUInt32LE(packed.length, 18)
  local.writeUInt32LE(10, 22)
  local.writeUInt16LE(name.length, 26)
  const central = Buffer.alloc(46)
  central.writeUInt32LE(0x02014b50, 0)
  central.writeUInt16LE(8, 10)
  central.writeUInt32LE(packed.length, 20)
  central.writeUInt32LE(10, 24)
  central.writeUInt16LE(name.length, 28)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(central.length + name.length, 12)
  end.writeUInt32LE(local.length + name.length + packed.length, 16)
  return Buffer.concat([local, name, packed, central, name, end])
}
