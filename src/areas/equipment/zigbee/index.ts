export { zigbeeClaimRoutes } from './claim-routes.ts'
export { zigbeeGatewayRoutes } from './gateway-routes.ts'
export { startZigbeeListener } from './inventory-listener.ts'
