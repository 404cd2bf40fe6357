export { startZigbeeListener } from './inventory-listener.ts'
