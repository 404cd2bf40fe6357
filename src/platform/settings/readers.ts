import { parseNetworks } from '../http/networks.ts'

/** The value of a setting, or a text about the permitted values. */
export type Read<T> = { readonly value: T; readonly warning?: string } | { readonly allowed: string }
/** Takes the trimmed text; undefined when the setting is absent or empty. */
export type Reader<T> = (raw: string | undefined) => Read<T>

/** A reader of settings that may be absent. */
export const optional =
  <T>(read: (raw: string) => Read<T>): Reader<T | undefined> =>
  (raw) =>
    raw === undefined ? { value: undefined } : read(raw)

export const byDefault =
  <T>(read: Reader<T | undefined>, value: T): Reader<T> =>
  (raw) => {
    if (raw === undefined) return { value }
    const result = read(raw)
    return 'allowed' in result ? result : { value: result.value ?? value }
  }

export const text = optional<string>((raw) => ({ value: raw }))

export const whole = (min: number, max: number) =>
  optional<number>((raw) =>
    /^\d{1,9}$/.test(raw) && Number(raw) >= min && Number(raw) <= max
      ? { value: Number(raw) }
      : { allowed: `allowed is a whole number from ${min} to ${max}` },
  )

const FLAGS: Readonly<Record<string, boolean>> = {
  ...{ true: true, '1': true, yes: true, on: true },
  ...{ false: false, '0': false, no: false, off: false },
}
export const flag = optional<boolean>((raw) => {
  const value = FLAGS[raw.toLowerCase()]
  return value === undefined ? { allowed: 'allowed are true and false' } : { value }
})

export const word = (words: readonly string[]) =>
  optional<string>((raw) => {
    const lower = raw.toLowerCase()
    return words.includes(lower) ? { value: lower } : { allowed: `allowed are ${words.join(', ')}` }
  })

export const url = (protocols: readonly string[]) =>
  optional<string>((raw) =>
    URL.canParse(raw) && protocols.includes(new URL(raw).protocol)
      ? { value: raw }
      : { allowed: `allowed is a URL that starts with ${protocols.map((p) => `${p}//`).join(' or ')}` },
  )

/** The parts of a comma-separated text, without the empty ones. */
export const parts = (raw: string): string[] =>
  raw
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** Comma-separated; the first wrong part decides. */
export const list = <T>(read: (part: string) => Read<T>) =>
  optional<T[]>((raw) => {
    const value: T[] = []
    for (const part of parts(raw)) {
      const result = read(part)
      if ('allowed' in result) return result
      value.push(result.value)
    }
    return { value }
  })

/** URLs are configured with and without a slash at their end. */
export const withoutEndSlash = (address: string | undefined): string | undefined =>
  address?.replace(/\/+$/, '')

/** An origin as browsers send it: without the slash that people write behind it. */
export function origin(part: string): Read<string> {
  const trimmed = part.replace(/\/$/, '')
  const parsed = URL.canParse(trimmed) ? new URL(trimmed) : undefined
  return parsed && /^https?:$/.test(parsed.protocol) && parsed.origin === trimmed.toLowerCase()
    ? { value: parsed.origin }
    : {
        allowed: 'allowed are origins such as https://app.example.com, separated by commas (no path, no *)',
      }
}

export const addresses = optional<string[]>((raw) => {
  const networks = parts(raw)
  try {
    parseNetworks(networks)
    return { value: networks }
  } catch {
    return { allowed: 'allowed are addresses and networks such as 10.0.0.0/8, separated by commas' }
  }
})

export const email = optional<string>((raw) =>
  /^[^\s@]+@[^\s@]+$/.test(raw) && raw.length <= 254
    ? { value: raw }
    : { allowed: 'allowed is an e-mail address' },
)
