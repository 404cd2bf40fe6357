import type { DecoderMemory } from './dialects/types.ts'
import { DECODER_MEMORY_GATEWAYS_MAX, DECODER_MEMORY_KEYS_MAX } from './limits.ts'

/** Adds or moves a key to the young end of a Map, and drops the oldest beyond the limit. */
export function keepYoung<K, V>(map: Map<K, V>, key: K, value: V, max: number): void {
  map.delete(key)
  map.set(key, value)
  if (map.size <= max) return
  const oldest = map.keys().next()
  if (!oldest.done) map.delete(oldest.value)
}

class Memory implements DecoderMemory {
  private readonly values = new Map<string, unknown>()
  get(key: string): unknown {
    return this.values.get(key)
  }
  set(key: string, value: unknown): void {
    keepYoung(this.values, key, value, DECODER_MEMORY_KEYS_MAX)
  }
  delete(key: string): void {
    this.values.delete(key)
  }
}

/** What the decoders keep of each gateway; of those that have been silent the longest, nothing. */
export function makeMemories(): (gatewayId: string) => DecoderMemory {
  const gateways = new Map<string, DecoderMemory>()
  return (gatewayId) => {
    const known = gateways.get(gatewayId)
    // Who is young matters only when somebody has to go.
    if (known && gateways.size < DECODER_MEMORY_GATEWAYS_MAX / 2) return known
    const memory = known ?? new Memory()
    keepYoung(gateways, gatewayId, memory, DECODER_MEMORY_GATEWAYS_MAX)
    return memory
  }
}
