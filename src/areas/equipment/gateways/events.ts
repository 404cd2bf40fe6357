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
  /** The coordinator of a Zigbee gateway. */
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
  /** True when the inventory is complete. */
  readonly isInventoryWhole?: boolean | undefined
}

declare module '../../../platform/messaging/bus.ts' {
  interface BusEvents {
    /** Emitted after the commit of the data of the same message. */
    gateway_reported: GatewayReport
    /**
     * Emitted when a gateway and its devices must be loaded again, so that a poller need not wait for its
     * next check.
     */
    gateways_changed: { readonly tenantId: number; readonly gatewayId: string }
    /**
     * Emitted when devices of a gateway were created or got a name, so that dead letters which refer to them
     * are replayed. Emitted only in the process that made the change.
     */
    devices_named: { readonly tenantId: number; readonly gatewayId: string }
    /**
     * Emitted when the login of a gateway at the broker was replaced or removed; its sessions are no longer
     * valid.
     */
    gateway_login_changed: { readonly gatewayId: string }
  }
}
