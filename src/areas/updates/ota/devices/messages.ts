/** A message of a device about an update, independent of its dialect. */
export type FirmwareMessage =
  | Progress
  | DeviceState
  | ChunkByOffsetRequest
  | ChunkByIndexRequest
  | AttributeRequest
  | { readonly kind: 'ask' }

interface DeviceReportFields {
  /** A key of DEVICE_STATES, in any case; anything else is refused. */
  readonly state?: string
  readonly progressPct?: number
  readonly error?: string
  /** SHA-256 of the downloaded file, as the device computed it. */
  readonly sha256?: string
  /** The version that the device runs now. */
  readonly version?: string
  /** The attempt that the message refers to; without it the one under way. */
  readonly attempt?: number
  /** The time of the report, epoch milliseconds of the device's clock. */
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
  /** The name of the device on the wire; null is the sender itself. */
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

/** ThingsBoard: a request for shared attributes of the firmware. */
export interface AttributeRequest {
  readonly kind: 'attributes'
  /** The topic of the response. */
  readonly topic: string
  readonly keys: readonly string[]
  /** The known client attributes, which become part of the response. */
  readonly client: Readonly<Record<string, unknown>> | undefined
}

export interface FirmwareReply {
  /** Below the gateway's root. */
  readonly topic: string
  readonly payload: Buffer | string
}

/** The replies to a message, and the reason why it could not be used. */
export interface FirmwareMessageResult {
  readonly replies: readonly FirmwareReply[]
  readonly unused?: { readonly reason: string; readonly detail: string }
}
