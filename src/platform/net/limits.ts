/**
 * Connections that the kernel completes before the process accepts them, where it allows as many
 * (`net.core.somaxconn`, 4,096 by default). A further one is dropped, and its client tries again after 1, 3, 7, 15 and
 * 31 seconds; with Node's default of 511 that delays stations and gateways that reconnect together.
 */
export const LISTEN_BACKLOG = 65_535
