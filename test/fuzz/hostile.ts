import type { FuzzRandom } from './random.ts'

const DEEP = 5_000

/** Replacements for a JSON value: boundaries, wrong types, texts that break careless code. */
const VALUES: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -0,
  -1,
  1,
  0.1,
  255,
  256,
  32_767,
  32_768,
  65_536,
  2_147_483_647,
  2_147_483_648,
  -2_147_483_649,
  9_007_199_254_740_991,
  9_007_199_254_740_992,
  1e15,
  1e21,
  1e308,
  5e-324,
  -1e308,
  '',
  ' ',
  '\t\n',
  '0',
  '-1',
  '1e5',
  '1e400',
  'NaN',
  'Infinity',
  '0x10',
  '1,5',
  '٣',
  'true',
  'null',
  '[]',
  'x'.repeat(256),
  'x'.repeat(10_000),
  'ş'.repeat(70_000),
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udc00\ud800',
  '\ufeff',
  '\u202eabc',
  '😀'.repeat(300),
  'e\u0301'.repeat(200),
  "'; select 1 --",
  '%',
  '%s%n',
  '\\',
  '\\u0000',
  '../../etc/passwd',
  '<b>x</b>',
  '=1+1',
  '\r\nX-Injected: 1',
  'http://[::1',
  'javascript:alert(1)',
  '2026-02-30',
  '0000-01-01',
  '9999-12-31',
  '9999-12-31T23:59:59.999Z',
  '+275760-09-13T00:00:00Z',
  '-000001-01-01T00:00:00Z',
  '2026-11-01T24:00:00Z',
  '2026-11-01T00:00:00+99:99',
  '2016-12-31T23:59:60Z',
  '1970-01-01',
  '2026-13',
  '294276-12-31',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '{00000000-0000-4000-8000-000000000000}',
  '00000000000000000000000000000000',
  '__proto__',
  'constructor',
  'toString',
  [],
  [[]],
  [null],
  {},
  { length: -1 },
  { toString: 'x' },
  { toJSON: 'x' },
  { $ne: null },
  { constructor: { prototype: {} } },
  Array.from({ length: 2_000 }, (_, index) => index),
  Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`k${i}`, i])),
]

const hostileValue = (random: FuzzRandom): unknown => random.choose(VALUES)

/** Replacements for a text in a path or a query string, not yet encoded. */
export function hostileText(random: FuzzRandom): string {
  const value = random.chance(70) ? hostileValue(random) : ''
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  // A lone surrogate has no encoding in a URL; the server's limit of a request line applies to longer texts.
  return text.replaceAll(/[\ud800-\udfff]/g, '?').slice(0, random.chance(5) ? 9_000 : 300)
}

type Position = { readonly holder: Record<string, unknown> | unknown[]; readonly key: string }

/** Every position in a JSON value at which another value can be set. */
function positionsOf(value: unknown): Position[] {
  if (typeof value !== 'object' || value === null) return []
  const holder = value as Record<string, unknown>
  return Object.keys(holder).flatMap((key) => [{ holder, key }, ...positionsOf(holder[key])])
}

/** Returns a copy with one value replaced, removed or added. */
export function withHostileValue(body: unknown, random: FuzzRandom): unknown {
  const copy = structuredClone(body)
  const position = random.choose(positionsOf(copy))
  if (!position || random.chance(6)) return hostileValue(random)
  const holder = position.holder as Record<string, unknown>
  if (random.chance(15)) delete holder[position.key]
  else if (random.chance(10))
    holder[random.choose(['unknown', 'id', 'tenant_id', '0', ''] as const) ?? ''] = hostileValue(random)
  else holder[position.key] = hostileValue(random)
  return copy
}

const firstKey = (json: string): string => /^\{"([^"\\]+)"/.exec(json)?.[1] ?? 'name'

/** Texts that a JSON serializer never produces. */
const TEXTS: readonly ((json: string) => string | Buffer)[] = [
  () => '',
  () => '{',
  () => 'null',
  () => '"text"',
  () => '[]',
  () => '1e999',
  (json) => json.slice(0, -1),
  (json) => `${json}x`,
  (json) => `${json}${json}`,
  (json) => `\ufeff${json}`,
  (json) => `  ${json}\r\n\t `,
  (json) => json.replaceAll('"', "'"),
  (json) => json.replace('{', `{"${firstKey(json)}":null,`),
  (json) => json.replace(/\}$/, `,"${firstKey(json)}":1e999}`),
  (json) => json.replace('{', '{"__proto__":{"isAdmin":true},'),
  (json) => json.replace('{', '{"constructor":{"prototype":{"x":1}},'),
  (json) => json.replace('{', '{"\\u0000":"\\u0000",'),
  (json) => json.replace('{', '{"x":"\\ud800",'),
  (json) => json.replace('{', `{"deep":${'['.repeat(DEEP)}${']'.repeat(DEEP)},`),
  (json) => json.replace('{', `{"deep":${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)},`),
  (json) => json.replace(/:\s*("[^"]*"|[\d.]+)/, `:${'['.repeat(DEEP)}${']'.repeat(DEEP)}`),
  (json) => json.replace(/:\s*("[^"]*"|[\d.]+)/, ':1e999'),
  (json) => json.replace(/:\s*("[^"]*"|[\d.]+)/, `:${'9'.repeat(400)}`),
  (json) =>
    Buffer.concat([Buffer.from(json.slice(0, -1)), Buffer.from([0xff, 0xfe, 0xc0, 0x80]), Buffer.from('}')]),
  (json) => Buffer.from(json, 'utf16le'),
]

export function hostileJson(body: unknown, random: FuzzRandom): Buffer {
  const make = random.choose(TEXTS)
  return Buffer.from(make?.(JSON.stringify(body ?? {})) ?? '')
}
