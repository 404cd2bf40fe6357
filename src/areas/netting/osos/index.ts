export { CreateInstallation } from './schema.ts'
export { addInstallation } from './service.ts'
