/** A device as its gateway describes it; `exposes` in the form of the gateway's dialect. */
export interface ReportedDevice {
  readonly device: string
  readonly ieeeAddress?: string
  readonly vendor?: string
  readonly model?: string
  readonly isSupported?: boolean
  readonly exposes?: unknown
}

interface ReportedStatus {
  readonly isOnline: boolean
  readonly firmwareVersion?: string
  /** Of a Zigbee gateway's coordinator. */
  readonly ieeeAddress?: string
}

/** The state of a gateway and its devices, as the gateway reports it. */
export interface GatewayReport {
  readonly tenantId: number
  readonly gatewayId: string
  /** Epoch milliseconds. */
  readonly receivedAt: number
  readonly status?: ReportedStatus | undefined
  readonly availability?: readonly { readonly device: string; readonly isOnline: boolean }[] | undefined
  readonly inventory?: readonly ReportedDevice[] | undefined
  /** The inventory lists all devices there are. */
  readonly isInventoryWhole?: boolean | undefined
}

declare module '../../../platform/messaging/bus.ts' {
  interface BusEvents {
    /** After the commit of what came with it. */
    gateway_reported: GatewayReport
    /** A gateway is to be loaded again, with its devices: a poller need not wait for its next check. */
    gateways_changed: { readonly tenantId: number; readonly gatewayId: string }
    /** A gateway has another login at the broker, or none: its sessions are no longer valid. */
    gateway_login_changed: { readonly gatewayId: string }
  }
}
