import { SPARKPLUG_EDGES_MAX, SPARKPLUG_METRICS_MAX } from '../limits.ts'
import type { DecoderMemory } from './types.ts'

export interface AnnouncedMetric {
  readonly name: string
  readonly datatype: number | undefined
  readonly engUnit: string | undefined
}

/** The announcements of an edge node since its last birth. */
export interface EdgeState {
  bdSeq: number | undefined
  /** The timestamp of the birth by the clock of the edge node. */
  bornAt: number | undefined
  /** The sequence number of the last counted message; undefined after a gap. */
  seq: number | undefined
  /** Time of receipt of the last message; an older message is a retry and changes no state. */
  receivedAt: number
  rebirthRequestedAt: number
  /** False after a gap: the lost message may have been a birth that redefined the aliases. */
  isTrusted: boolean
  /** Metrics by device and alias; the empty device is the node itself. */
  readonly aliases: Map<string, AnnouncedMetric>
  readonly names: Map<string, AnnouncedMetric>
  readonly devices: Set<string>
}

export const makeEdgeState = (): EdgeState => ({
  bdSeq: undefined,
  bornAt: undefined,
  seq: undefined,
  receivedAt: Number.NEGATIVE_INFINITY,
  rebirthRequestedAt: Number.NEGATIVE_INFINITY,
  isTrusted: false,
  aliases: new Map(),
  names: new Map(),
  devices: new Set(),
})

/** The edge nodes behind one gateway, in order of their last message (least recent first). */
export type Edges = Map<string, EdgeState>
const EDGES = 'sparkplug/edges'

/**
 * Evicts the least recently seen edge nodes until the rest is within bounds; they will be asked for a
 * rebirth.
 */
function evictEdges(edges: Edges): void {
  let metrics = 0
  for (const { names } of edges.values()) metrics += names.size
  for (const [key, { names }] of edges) {
    if (edges.size === 1 || (edges.size <= SPARKPLUG_EDGES_MAX && metrics <= SPARKPLUG_METRICS_MAX)) return
    edges.delete(key)
    metrics -= names.size
  }
}

export const readEdges = (memory: DecoderMemory): Edges =>
  (memory.get(EDGES) as Edges | undefined) ?? new Map()

export function storeEdges(memory: DecoderMemory, edges: Edges): void {
  evictEdges(edges)
  memory.set(EDGES, edges)
}
