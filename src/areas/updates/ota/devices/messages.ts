/** What a device says or asks about an update, whatever dialect it speaks. */
export type FirmwareMessage =
  | Progress
  | DeviceState
  | ChunkByOffsetRequest
  | ChunkByIndexRequest
  | AttributeRequest
  | { readonly kind: 'ask' }

interface DeviceReportFields {
  /** A word of DEVICE_WORDS, in any case; anything else is refused. */
  readonly state?: string
  readonly progressPct?: number
  readonly error?: string
  /** Of what the device has downloaded, as it computed it. */
  readonly sha256?: string
  /** What it runs now. */
  readonly version?: string
  /** The attempt that it speaks of, as it was told it; a device that does not say it means the one under way. */
  readonly attempt?: number
  /** When it said so, epoch milliseconds by its own clock. */
  readonly reportedAt?: number
}

/** `ota/{update}/progress` */
export interface Progress extends DeviceReportFields {
  readonly kind: 'progress'
  readonly update: string
}

/** ThingsBoard: `fw_state` and its like among the telemetry. */
export interface DeviceState extends DeviceReportFields {
  readonly kind: 'state'
  /** Its name on the wire; null: the sender itself. */
  readonly device: string | null
}

/** `ota/{update}/chunk/request` */
export interface ChunkByOffsetRequest {
  readonly kind: 'piece'
  readonly update: string
  readonly offset: number
  readonly size: number
}

/** ThingsBoard: `v2/fw/request/{request}/chunk/{chunk}`; without a size the whole file. */
export interface ChunkByIndexRequest {
  readonly kind: 'chunk'
  readonly request: string
  readonly chunk: number
  readonly size: number | undefined
}

/** ThingsBoard: shared attributes of the firmware are asked for. */
export interface AttributeRequest {
  readonly kind: 'attributes'
  /** Where the answer goes. */
  readonly topic: string
  readonly keys: readonly string[]
  /** What is known of the client's own attributes; part of the answer. */
  readonly client: Readonly<Record<string, unknown>> | undefined
}

export interface FirmwareReply {
  /** Below the gateway's root. */
  readonly topic: string
  readonly payload: Buffer | string
}

/** What goes back, and why the message could not be used. */
export interface FirmwareMessageResult {
  readonly replies: readonly FirmwareReply[]
  readonly unused?: { readonly reason: string; readonly detail: string }
}
