import { makeLru } from '../../platform/async/lru.ts'
import type { DecoderMemory } from './dialects/types.ts'
import { DECODER_MEMORY_GATEWAYS_MAX, DECODER_MEMORY_KEYS_MAX } from './limits.ts'

/**
 * The values that decoders keep of one gateway. A Map and no LRUCache: there are thousands of them, most with few keys,
 * and an LRUCache reserves the memory of its maximum.
 */
class Memory implements DecoderMemory {
  private readonly values = new Map<string, unknown>()
  get(key: string): unknown {
    return this.values.get(key)
  }
  set(key: string, value: unknown): void {
    this.values.delete(key)
    this.values.set(key, value)
    if (this.values.size <= DECODER_MEMORY_KEYS_MAX) return
    const oldest = this.values.keys().next()
    if (!oldest.done) this.values.delete(oldest.value)
  }
  delete(key: string): void {
    this.values.delete(key)
  }
}

/** The memories of the decoders by gateway; that of the gateway which has been silent the longest is evicted. */
export function makeMemories(): (gatewayId: string) => DecoderMemory {
  const gateways = makeLru<DecoderMemory>(DECODER_MEMORY_GATEWAYS_MAX)
  return (gatewayId) => {
    const known = gateways.get(gatewayId)
    if (known) return known
    const memory = new Memory()
    gateways.set(gatewayId, memory)
    return memory
  }
}
