export { zigbeeGatewayRoutes } from './gateway-routes.ts'
export { followZigbee } from './listener.ts'
export { zigbeeClaimRoutes } from './routes.ts'
