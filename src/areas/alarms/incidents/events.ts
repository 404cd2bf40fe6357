export interface IncidentSummary {
  readonly id: string
  readonly policyId: string
  readonly deviceId: string
  readonly severity: string
  readonly message: string
}

interface IncidentsChanged {
  readonly tenantId: number
  readonly incidents: readonly IncidentSummary[]
}

declare module '../../../platform/messaging/bus.ts' {
  interface BusEvents {
    /** After the commit: incidents of devices that were opened, also those that the samples show to be over already. */
    incidents_opened: IncidentsChanged
    /** After the commit: incidents of devices that the service closed. */
    incidents_closed: IncidentsChanged
  }
}
