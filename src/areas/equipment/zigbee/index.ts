export { zigbeeClaimRoutes } from './claim-routes.ts'
export { zigbeeGatewayRoutes } from './gateway-routes.ts'
export { startZigbeeListener as followZigbee } from './inventory-listener.ts'
