export { queueVerificationLink } from './service.ts'
