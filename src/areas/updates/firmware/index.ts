export { firmwarePath, readChunk } from './folder.ts'
export { firmwareFile, sweepFirmware } from './service.ts'
export { isInstallable, isReturnable } from './states.ts'
export { type FirmwareRow, find as findFirmware, findVersion } from './store.ts'
