export { zigbeeClaimRoutes } from './claim-routes.ts'
export { zigbeeGatewayRoutes } from './gateway-routes.ts'
export { followZigbee } from './inventory-listener.ts'
