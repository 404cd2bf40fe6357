import { SPARKPLUG_EDGES_MAX, SPARKPLUG_METRICS_MAX } from '../limits.ts'
import type { DecoderMemory } from './types.ts'

export interface Announced {
  readonly name: string
  readonly datatype: number | undefined
  readonly engUnit: string | undefined
}

/** What an edge node has announced, since its last birth. */
export interface EdgeState {
  bdSeq: number | undefined
  /** The timestamp of the birth, as the edge node wrote it. */
  bornAt: number | undefined
  /** Of the last message that was counted; undefined when a gap has made it worthless. */
  seq: number | undefined
  /** When it was received: what is older is a retry, and moves nothing. */
  receivedAt: number
  rebirthAskedAt: number
  /** Aliases are valid until a gap: what was lost may have been a birth that gave them anew. */
  isTrusted: boolean
  /** By `{device}` and alias; the node itself is the empty device. */
  readonly aliases: Map<string, Announced>
  readonly names: Map<string, Announced>
  readonly devices: Set<string>
}

export const emptyState = (): EdgeState => ({
  bdSeq: undefined,
  bornAt: undefined,
  seq: undefined,
  receivedAt: Number.NEGATIVE_INFINITY,
  rebirthAskedAt: Number.NEGATIVE_INFINITY,
  isTrusted: false,
  aliases: new Map(),
  names: new Map(),
  devices: new Set(),
})

/** The edge nodes behind one gateway, the one heard of last at the end. */
export type Edges = Map<string, EdgeState>
const EDGES = 'sparkplug/edges'

/** Forgets edge nodes that were silent the longest until the rest is within bounds; they will be asked for a rebirth. */
function trim(edges: Edges): void {
  let metrics = 0
  for (const { names } of edges.values()) metrics += names.size
  for (const [key, { names }] of edges) {
    if (edges.size === 1 || (edges.size <= SPARKPLUG_EDGES_MAX && metrics <= SPARKPLUG_METRICS_MAX)) return
    edges.delete(key)
    metrics -= names.size
  }
}

export const edgesOf = (memory: DecoderMemory): Edges => (memory.get(EDGES) as Edges | undefined) ?? new Map()

export function keepEdges(memory: DecoderMemory, edges: Edges): void {
  trim(edges)
  memory.set(EDGES, edges)
}
