import type { FuzzRandom } from './random.ts'

/** Headers that change how a request is processed, valid and invalid. */
const HEADERS: readonly (readonly [name: string, values: readonly string[]])[] = [
  ['If-Match', ['*', '"stale"', 'W/"weak"', '', '"a", "b"', 'x'.repeat(5_000)]],
  ['If-None-Match', ['*', '"stale"', 'W/"weak"', ',,,']],
  ['If-Modified-Since', ['Thu, 01 Jan 1970 00:00:00 GMT', 'not a date']],
  [
    'Range',
    ['bytes=0-0', 'bytes=-1', 'bytes=999999999-', 'bytes=5-1', 'bytes=0-1,2-3', 'lines=1-2', 'bytes='],
  ],
  ['If-Range', ['"stale"', 'W/"weak"']],
  ['Idempotency-Key', ['key 1', 'key-1', 'key-2', '', 'k'.repeat(255), 'k'.repeat(256), '\u00e9']],
  ['Accept', ['application/xml', '*/*', 'text/html;q=0.1', '', 'nonsense', 'application/pdf']],
  ['Accept-Encoding', ['gzip', 'identity;q=0', 'br;q=1.0, *;q=0']],
  ['Accept-Language', ['tr', 'tr-TR;q=0.5', '*', 'x'.repeat(300)]],
  ['Content-Encoding', ['gzip', 'deflate', 'identity', 'nonsense']],
  ['Expect', ['100-continue', 'nonsense']],
  ['Upgrade', ['websocket', 'h2c']],
  ['Origin', ['https://elsewhere.invalid', 'null', '\u00e9']],
  ['X-Request-Id', ['fuzz', 'x'.repeat(5_000), 'a b', '<b>']],
  ['X-Forwarded-For', ['10.0.0.1', '::1, 127.0.0.1', 'nonsense']],
  ['X-HTTP-Method-Override', ['DELETE']],
  ['Cookie', ['a=b; __proto__=1']],
  ['Host', ['localhost', 'elsewhere.invalid:1', '[::1]:99999']],
  ['vernemq-hook', ['auth_on_register', 'on_client_wakeup', 'on_client_gone', 'nonsense']],
]

const CONTENT_TYPES = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/xml',
  'application/json; charset=utf-16',
  'application/json; charset="',
  'application/jsonx',
  'APPLICATION/JSON',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  'application/octet-stream',
  'text/csv',
  'nonsense',
  ';',
  ',',
] as const

/** One or two strange headers. */
export function strangeHeaders(random: FuzzRandom): Record<string, string> {
  const chosen = Array.from({ length: random.between(1, 2) }, () => random.choose(HEADERS))
  return Object.fromEntries(
    chosen.flatMap((entry) => (entry ? [[entry[0], random.choose(entry[1]) ?? '']] : [])),
  )
}

export const strangeContentType = (random: FuzzRandom): string => random.choose(CONTENT_TYPES) ?? ''
