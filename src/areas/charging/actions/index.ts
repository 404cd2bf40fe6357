export type { CommandRequests, UpdateFirmware } from './requests.ts'
export { chargerActionRoutes } from './routes.ts'
