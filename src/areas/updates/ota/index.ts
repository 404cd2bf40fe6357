export { otaBatchRoutes } from './batch-routes.ts'
export {
  handleBootVersion,
  handleFirmwareStatus,
} from './chargers/charger-updates.ts'
export { handleFirmwareMessage } from './devices/handle-message.ts'
export type { FirmwareMessage } from './devices/messages.ts'
export { notifyDevices } from './devices/notify-devices.ts'
export { firmwareLinkRoutes } from './download-routes.ts'
export { otaUpdateRoutes } from './update-routes.ts'
export { watchUpdates } from './watchdog.ts'
