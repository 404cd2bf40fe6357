import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { makeTlsFiles, type TlsFiles } from '../../../test/support/field/tls-files.ts'
import { waitFor } from '../../../test/support/wait-for.ts'
import { makeLog } from '../observability/log.ts'
import { makeMetrics } from '../observability/metrics.ts'
import { makeReadiness } from '../observability/readiness.ts'
import { type Certificates, makeCertificates } from './certificates.ts'
import { TLS_RELOAD_EVERY_MS } from './limits.ts'

let files: TlsFiles
let certificates: Certificates
let now: number
const used: unknown[] = []
const errors: string[] = []

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  used.length = 0
  errors.length = 0
  now = Date.now()
  files = await makeTlsFiles('certificates')
  const { cert, key, clientCa } = files.settings
  const log = makeLog('silent')
  certificates = makeCertificates({
    deps: {
      log: Object.assign(log, { error: ({ reason }: { reason: string }) => void errors.push(reason) }),
      clock: { now: () => now },
      metrics: makeMetrics(),
      readiness: makeReadiness(),
    },
    listener: 'test',
    cert: { setting: 'CERT', path: cert },
    key: { setting: 'KEY', path: key },
    clientCa: { setting: 'CA', path: clientCa },
  })
})
afterEach(async () => {
  certificates.stop()
  vi.useRealTimers()
  await files.remove()
})

const attach = () => certificates.attach({ setSecureContext: (context) => void used.push(context.cert) })

it('uses changed files at the next check, and reports unusable ones once', async () => {
  await attach()
  const next = await files.issue()
  await files.replace(next)
  vi.advanceTimersByTime(TLS_RELOAD_EVERY_MS)
  await waitFor(() => used.length === 2)
  expect(used[1]).toBe(next.cert)
  await files.replace({ ...next, key: 'nonsense' })
  await certificates.check()
  await certificates.check()
  expect(errors).toHaveLength(1)
  expect(errors[0]).toMatch(/^CERT, KEY: /)
  expect(used).toHaveLength(2)
})

it('does not replace a valid certificate by an expired one', async () => {
  const { servers } = files
  const lasting = await servers.issue('localhost', [], 'ECDSA', 10)
  await files.replace(lasting)
  await attach()
  now += 5 * 86_400_000
  await files.replace(await servers.issue('localhost'))
  await certificates.check()
  expect(errors).toEqual(['CERT, KEY: the certificate has expired'])
  expect(used).toEqual([lasting.cert])
})

it('does not start with files that cannot be used', async () => {
  await files.replace({ cert: '', key: '' })
  await expect(attach()).rejects.toThrow(/^CERT, KEY: /)
})
